/** Longer words than this are no slip of the hand, in UTF-16 code units. */
const LONGEST_WORD = 64;

/** The candidate that `word` most likely stands for; undefined when none is near. Case counts for nothing. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance > tolerance(name)) continue;
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  return best?.name;
}

/** The hint that offers the nearest candidate; undefined when none is near. */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  const name = nearest(word, candidates);
  return name === undefined ? undefined : `Did you mean "${name}"?`;
}

function tolerance(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/**
 * How many insertions, deletions, replacements and swaps of neighbours lead from one word to the other (Damerau and
 * Levenshtein, optimal string alignment).
 */
export function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = cell(last, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      let distance = Math.min(cell(last, j) + 1, cell(row, j - 1) + 1, replaced);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) distance = Math.min(distance, cell(beforeLast, j - 2) + 1);
      row.push(distance);
    }
    beforeLast = last;
    last = row;
  }
  return cell(last, to.length);
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
