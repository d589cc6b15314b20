import type { Span } from "../model/place.ts";

/** The span between two offsets of a text, in UTF-16 code units. */
export type SpanBetween = (start: number, end: number) => Span;

/** Spans of one text; the text is looked through once. */
export function spansOf(text: string): SpanBetween {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (start, end) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (starts[middle]! <= start) low = middle;
      else high = middle;
    }
    return { start, end: Math.max(end, start), line: low + 1, column: start - starts[low]! + 1 };
  };
}
