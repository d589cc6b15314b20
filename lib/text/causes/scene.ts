import { endOfLine, type Openings, openingsAt } from "./openings.ts";

/** The mistake that a parser's error most likely comes from. */
export interface TomlCause {
  /** Its offset. */
  readonly at: number;
  /** Its length, in UTF-16 code units; at least 1. */
  readonly length: number;
  /** The detail of the message, without a final full stop. */
  readonly detail: string;
  readonly hint: string;
}

/** A way to find a cause; undefined if it finds none. */
export type FindCause = (scene: Scene) => TomlCause | undefined;

/** A line, without its line end. */
export interface Line {
  readonly start: number;
  readonly text: string;
}

/** A text at the place where a parser gave up. */
export interface Scene {
  readonly text: string;
  readonly index: number;
  /** The line of the index. */
  readonly line: Line;
  /** The nearest line above it that is neither blank nor a comment. */
  readonly above: Line | undefined;
  /** The text of the line before the index. */
  readonly before: string;
  /** The text of the line from the index on, without a comment. */
  readonly rest: string;
  readonly open: Openings;
}

/** A text at an offset of it. */
export function sceneAt(text: string, index: number): Scene {
  const line = lineOf(text, index);
  const above = lineAbove(text, line);
  return {
    text,
    index,
    line,
    above,
    before: text.slice(line.start, index),
    rest: withoutComment(text.slice(index, line.start + line.text.length)),
    open: openingsAt(text, index),
  };
}

/** The line that an offset is in. */
export function lineOf(text: string, index: number): Line {
  const start = index === 0 ? 0 : text.lastIndexOf("\n", index - 1) + 1;
  return { start, text: text.slice(start, endOfLine(text, start)) };
}

function lineAbove(text: string, { start }: Line): Line | undefined {
  for (let end = start - 1; end >= 0;) {
    const line = lineOf(text, end);
    if (!/^\s*(?:#|$)/.test(line.text)) return line;
    end = line.start - 1;
  }
  return undefined;
}

/** A text up to its comment. */
export function withoutComment(rest: string): string {
  return rest.replace(/[ \t]+#.*$/, "").trimEnd();
}

/** Text of the user in a hint, cut where it is long. */
export function shortened(text: string): string {
  return text.length <= 72 ? text : `${text.slice(0, 71).toWellFormed()}…`;
}
