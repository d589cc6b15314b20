import { firstOpen, isFixed } from "./parse/parse_word.ts";
import { HOLE, NAME, type Word } from "./parse/tree.ts";

/**
 * The words of a loop, braces counted out, when none of them begins with "-"; else undefined. A glob counts when it begins
 * with literal text. Whether something else in the line sets its variable is asked when the whole line was read.
 */
export function safeLoopWords(
  name: string,
  words: readonly Word[] | undefined,
): readonly Word[] | undefined {
  if (!words || !/^\w+$/.test(name)) return undefined;
  const all = words.flatMap((word) => word.choices ?? [word]);
  const safe = all.every(({ shape, splits, glob }) =>
    /^[^-\s]/.test(shape) && firstOpen(shape) > 0 && !splits &&
    (glob !== undefined || isFixed(shape))
  );
  return safe && all.length > 0 ? all : undefined;
}

/** A word of a loop's body in which the loop's variable is known. */
export function inLoop(word: Word, loops: ReadonlyMap<string, readonly Word[]>): Word {
  const words = word.leads === undefined ? undefined : loops.get(word.leads);
  if (!words || !word.shape.startsWith(HOLE)) return word;
  // Unquoted, a name with blanks in it becomes several words.
  if (word.splits && words.some(({ shape, glob }) => glob !== undefined || /\s/.test(shape))) {
    return word;
  }
  const shape = NAME + word.shape.slice(HOLE.length);
  return shape === NAME ? { ...word, shape, splits: false, oneOf: words } : { ...word, shape };
}
