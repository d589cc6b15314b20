import type { Glob, GlobToken } from "./glob.ts";

/** Whether some text fits both globs. Exact; at most the product of their lengths in steps. */
export function globsOverlap(a: Glob, b: Glob): boolean {
  const [left, right] = [cells(a), cells(b)];
  let reached = new Set<number>([0]);
  // reached: places of `right` that can be stood at when `left` is at the current place.
  for (let at = 0; at <= left.length; at++) {
    reached = closed(reached, { right, run: left[at] === RUN });
    if (at === left.length) return reached.has(right.length);
    const cell = left[at]!;
    const next = new Set<number>();
    for (const place of reached) {
      if (cell === RUN) next.add(place);
      else if (right[place] === RUN) next.add(place);
      else if (place < right.length && bothTake(cell, right[place]!)) next.add(place + 1);
    }
    reached = next;
  }
  return false;
}

const RUN = "run";
const ONE = "one";
type Cell = string;

function cells(glob: Glob): readonly Cell[] {
  return glob.flatMap((token: GlobToken): readonly Cell[] => {
    if (token.kind === "text") return [...token.text].map((char) => `=${char}`);
    return [token.kind === "star" ? RUN : ONE];
  });
}

function bothTake(a: Cell, b: Cell): boolean {
  return a === ONE || b === ONE || a === b;
}

/** Adds the places that are reached without a step of the left: past a run, and anywhere while the left is in a run. */
function closed(
  places: ReadonlySet<number>,
  { right, run }: { right: readonly Cell[]; run: boolean },
): Set<number> {
  const all = new Set(places);
  for (let place = 0; place < right.length; place++) {
    if (all.has(place) && (run || right[place] === RUN)) all.add(place + 1);
  }
  return all;
}
