/** A piece of a text. */
export interface Span {
  /** Offset of its first character, in UTF-16 code units from 0. */
  readonly start: number;
  /** Offset behind its last character, in UTF-16 code units. */
  readonly end: number;
  /** Line of its first character, from 1. */
  readonly line: number;
  /** Column of its first character, from 1, in UTF-16 code units. */
  readonly column: number;
}

/** A value from a file, and where it stands there. */
export interface Located<T> {
  /** The value. */
  readonly value: T;
  /** Where its text stands. */
  readonly span: Span;
}
