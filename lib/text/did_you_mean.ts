/** The longest word that is taken for a misspelling, in UTF-16 code units. */
const LONGEST_WORD = 64;

/** The nearest name, ignoring case; undefined if none is near. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance > tolerance(name)) continue;
    if (best === undefined || distance < best.distance) best = { name, distance };
  }
  return best?.name;
}

/** The hint with the nearest name; undefined if none is near. */
export function didYouMean(word: string, names: readonly string[]): string | undefined {
  const name = nearest(word, names);
  return name === undefined ? undefined : `Did you mean "${name}"?`;
}

function tolerance(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/**
 * The number of insertions, deletions, replacements and swaps of neighbours from one word to the other (Damerau and
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
