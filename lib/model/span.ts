/** A range of a text. */
export interface Span {
  /** The offset of its first character, in UTF-16 code units from 0. */
  readonly start: number;
  /** The offset behind its last character, in UTF-16 code units. */
  readonly end: number;
  /** The line of its first character, from 1. */
  readonly line: number;
  /** The column of its first character, from 1, in UTF-16 code units. */
  readonly column: number;
}

/** A value of a file, with its span. */
export interface Located<T> {
  readonly value: T;
  /** The span of its text. */
  readonly span: Span;
}
