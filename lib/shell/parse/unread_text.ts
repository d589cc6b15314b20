/** A piece of the source that is part of the tree: offsets in UTF-16 code units, the end excluded. */
export interface ReadRange {
  readonly start: number;
  readonly end: number;
}

/** Text that may stand between the pieces that were read: blanks, operators, reserved words, comments. */
const BETWEEN = new RegExp(
  "^(?:[ \\t\\n]|\\\\\\n|[;&|(){}!]|\\[\\[|\\]\\]|#[^\\n]*(?=\\n|$)" +
    "|(?:==?|!=|<|>|=~|-[a-zA-Z]+|--)(?=[ \\t\\n])" +
    "|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|time|coproc)(?![\\w-]))*$",
);

/** The start of a function between pieces. */
export const DEFINITION = /\(\s*\)|(?<![\w-])function\b/;

/** The pieces of a part of the source that were read. */
interface GapRange {
  readonly read: readonly ReadRange[];
  readonly start: number;
  readonly end: number;
}

/** The usual text between pieces. */
const ORDINARY = /^(?: |; | && | \|\| | \| )$/;

/**
 * The first text between the pieces that is neither blank, operator nor comment; undefined if the tree holds all of the
 * source. Detects text that the parser silently skipped.
 */
export function unreadText(gaps: readonly string[]): string | undefined {
  return gaps.find((gap) => !ORDINARY.test(gap) && !BETWEEN.test(gap));
}

/** The source between the pieces that were read, and behind the last one. */
export function gapsOf(source: string, { read, start, end }: GapRange): readonly string[] {
  const ordered = inOrder(read) ? read : read.toSorted((a, b) => a.start - b.start);
  const gaps: string[] = [];
  let at = start;
  for (const { start: next, end: after } of ordered) {
    if (next > at) gaps.push(source.slice(at, next));
    if (after > at) at = after;
  }
  if (at < end) gaps.push(source.slice(at, end));
  return gaps;
}

function inOrder(read: readonly ReadRange[]): boolean {
  for (let index = 1; index < read.length; index++) {
    if (read[index]!.start < read[index - 1]!.start) return false;
  }
  return true;
}
