/** Text styles; one implementation is plain, the other uses ANSI escapes. */
export interface Color {
  /** For headings and what the eye should find first. */
  bold(text: string): string;
  /** For what matters less. */
  dim(text: string): string;
  /** For deny and errors. */
  red(text: string): string;
  /** For allow. */
  green(text: string): string;
  /** For ask and warnings. */
  yellow(text: string): string;
  /** For names and hints. */
  cyan(text: string): string;
}

/** The style of a report for people. */
export interface TextStyle extends Color {
  /** The columns of a line; 80 when left out. */
  readonly columns?: number | undefined;
}

/** Leaves every text as it is. */
export const PLAIN: Color = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  cyan: same,
};

/** Select Graphic Rendition of ECMA-48; each ends only what it began, so that styles nest. */
export const ANSI: Color = {
  bold: style(1, 22),
  dim: style(2, 22),
  red: style(31, 39),
  green: style(32, 39),
  yellow: style(33, 39),
  cyan: style(36, 39),
};

function same(text: string): string {
  return text;
}

function style(on: number, off: number): (text: string) => string {
  return (text) => text === "" ? "" : `\x1b[${on}m${text}\x1b[${off}m`;
}
