/** A piece of the source that a node of the tree stands for. */
export interface Leaf {
  /** Its first offset, in UTF-16 code units. */
  readonly start: number;
  /** The offset behind it. */
  readonly end: number;
}

/** What may stand between the leaves: blanks, operators, reserved words, comments. */
const BETWEEN = new RegExp(
  "^(?:[ \\t\\n]|\\\\\\n|[;&|(){}!]|\\[\\[|\\]\\]|#[^\\n]*(?=\\n|$)" +
    "|(?:==?|!=|<|>|=~|-[a-zA-Z]+|--)(?=[ \\t\\n])" +
    "|(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|time|coproc)(?![\\w-]))*$",
);

/** One space, `; `, ` && `, ` | `: most of what stands between leaves. */
const ORDINARY = /^(?: |; | && | \|\| | \| )$/;

/**
 * The first text between leaves that is neither blank nor operator nor comment; undefined when the tree covers all of the
 * source. A parser that passes over a text in silence is found out here.
 */
export function uncovered(
  source: string,
  { leaves, start, end }: { leaves: readonly Leaf[]; start: number; end: number },
): string | undefined {
  const ordered = inOrder(leaves) ? leaves : leaves.toSorted((a, b) => a.start - b.start);
  let at = start;
  for (const leaf of ordered) {
    if (leaf.start > at) {
      const gap = source.slice(at, leaf.start);
      if (!ORDINARY.test(gap) && !BETWEEN.test(gap)) return gap;
    }
    if (leaf.end > at) at = leaf.end;
  }
  const rest = source.slice(at, end);
  return rest === "" || BETWEEN.test(rest) ? undefined : rest;
}

function inOrder(leaves: readonly Leaf[]): boolean {
  for (let index = 1; index < leaves.length; index++) {
    if (leaves[index]!.start < leaves[index - 1]!.start) return false;
  }
  return true;
}
