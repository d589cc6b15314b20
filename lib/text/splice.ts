/** A piece of a text and what takes its place. */
export interface Splice {
  /** Offset of its first character. */
  readonly start: number;
  /** Offset behind its last character; `start` for an insertion. */
  readonly end: number;
  /** What takes its place. */
  readonly text: string;
}

/** The piece from `start` to `end`, taken out. */
export function cut(start: number, end: number): Splice {
  return { start, end, text: "" };
}

/** The text with all the pieces replaced; where two overlap, what is left of the later one. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let offset = 0;
  for (const splice of ordered) {
    parts.push(text.slice(offset, Math.max(offset, splice.start)), splice.text);
    offset = Math.max(offset, splice.end);
  }
  parts.push(text.slice(offset));
  return parts.join("");
}
