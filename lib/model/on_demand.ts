/**
 * A function that makes a value when it is first called, and returns the same one from then on. For tables and expressions that few
 * runs need: what a module makes when it is loaded, every tool call of an agent pays for. An expression with classes of Unicode
 * takes up to a millisecond.
 */
export function onDemand<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

/** The most answers that are remembered, and the longest text that one is remembered for, in UTF-16 code units. */
const MOST_KNOWN = 1_024;
const LONGEST_KNOWN = 64;

/** A function that remembers its answers for short texts: calls have the same keys and programs again and again. No answer may be undefined. */
export function remembered<T extends object | boolean>(
  answer: (text: string) => T,
): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    let found = known.get(text);
    if (found === undefined) {
      found = answer(text);
      if (known.size >= MOST_KNOWN) known.clear();
      if (text.length <= LONGEST_KNOWN) known.set(text, found);
    }
    return found;
  };
}
