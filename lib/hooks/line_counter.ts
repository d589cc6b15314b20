import type { Span } from "../model/place.ts";

/** The span from one offset of a text up to another. */
export type SpanOf = (start: number, end: number) => Span;

/** Makes spans in a text without counting its lines again for each. */
export function lineCounter(text: string): SpanOf {
  const starts = [0];
  for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", feed + 1)) {
    starts.push(feed + 1);
  }
  return (start, end) => {
    const line = lineOf(starts, start);
    return { start, end: Math.max(start, end), line: line + 1, column: start - starts[line]! + 1 };
  };
}

/** The index of the last line that starts at the offset or before it. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
