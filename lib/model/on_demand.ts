/**
 * A function that makes a value when it is first called, and returns the same one from then on. For tables and expressions that few
 * runs need: what a module makes when it is loaded, every tool call of an agent pays for. An expression with classes of Unicode
 * takes up to a millisecond.
 */
export function onDemand<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}
