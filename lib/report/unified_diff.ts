/** Lines of context on either side of a change. */
const CONTEXT = 3;

/** One line of a diff: kept, taken out or put in. */
interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/**
 * How one text becomes another, as `patch` and git read it (the unified format of POSIX diff -u); empty when they are the
 * same. By the shortest edit script of Myers, whose time grows with the lines times the changes.
 */
export function unifiedDiff(
  name: string,
  { before, after }: { readonly before: string; readonly after: string },
): string {
  if (before === after) return "";
  const lines = diffLines(linesOf(before), linesOf(after));
  return `--- ${name}\n+++ ${name}\n${hunksOf(lines).join("")}`;
}

/** Lines with their line ends; the last may have none. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [
    ...before.slice(0, start).map(kept),
    ...shortest(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(kept),
  ];
}

function kept(text: string): DiffLine {
  return { mark: " ", text };
}

/** The shortest edit script: the furthest reach on every diagonal for each number of edits, then back along it. */
function shortest(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const reaches: Map<number, number>[] = [];
  let reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= before.length + after.length; edits++) {
    const next = new Map(reach);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = furthest(reach, { diagonal, edits });
      while (
        x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]
      ) x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) {
        return backtracked([...reaches, reach], { before, after });
      }
    }
    reaches.push(reach);
    reach = next;
  }
  return [];
}

/** Where a diagonal begins after one edit more: by an insertion from above it, else by a removal. */
function furthest(
  reach: ReadonlyMap<number, number>,
  { diagonal, edits }: { diagonal: number; edits: number },
): number {
  const left = reach.get(diagonal - 1) ?? -1;
  const right = reach.get(diagonal + 1) ?? -1;
  return diagonal === -edits || diagonal !== edits && left < right ? right : left + 1;
}

function backtracked(
  reaches: readonly ReadonlyMap<number, number>[],
  { before, after }: { before: readonly string[]; after: readonly string[] },
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let x = before.length;
  let y = after.length;
  for (const [edits, reach] of [...reaches.entries()].reverse()) {
    const diagonal = x - y;
    const left = reach.get(diagonal - 1) ?? -1;
    const right = reach.get(diagonal + 1) ?? -1;
    const isInsertion = diagonal === -edits || diagonal !== edits && left < right;
    const fromX = isInsertion ? right : left;
    const fromY = fromX - (diagonal + (isInsertion ? 1 : -1));
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0)) {
      if (edits > 0 && (isInsertion ? x === fromX : y === fromY)) break;
      lines.push(kept(before[x - 1]!));
      x--;
      y--;
    }
    if (edits === 0) break;
    if (isInsertion) lines.push({ mark: "+", text: after[--y]! });
    else lines.push({ mark: "-", text: before[--x]! });
  }
  return lines.reverse();
}

function hunksOf(lines: readonly DiffLine[]): readonly string[] {
  const changed = lines.flatMap(({ mark }, index) => mark === " " ? [] : [index]);
  const ranges: { first: number; last: number }[] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    if (last !== undefined && index - last.last <= 2 * CONTEXT) last.last = index;
    else ranges.push({ first: index, last: index });
  }
  return ranges.map(({ first, last }) =>
    hunk(lines, {
      from: Math.max(0, first - CONTEXT),
      to: Math.min(lines.length, last + CONTEXT + 1),
    })
  );
}

function hunk(
  lines: readonly DiffLine[],
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const own = lines.slice(from, to);
  const side = (other: DiffLine["mark"]) => {
    const above = lines.slice(0, from).filter(({ mark }) => mark !== other).length;
    const count = own.filter(({ mark }) => mark !== other).length;
    return `${count === 0 ? above : above + 1},${count}`;
  };
  const body = own.map(({ mark, text }) =>
    text.endsWith("\n") ? mark + text : `${mark}${text}\n\\ No newline at end of file\n`
  );
  return `@@ -${side("+")} +${side("-")} @@\n${body.join("")}`;
}
