import { ParseError } from "toml-eslint-parser";
import { errorAt, type Problem, type Span } from "../model/problem.ts";
import { spansOf } from "./text_lines.ts";
import { likelyCause } from "./causes/likely_cause.ts";

/** The longest file that is read, in UTF-16 code units. */
const LONGEST_TEXT = 8 * 1024 * 1024;

// A carriage return alone ends a line for the parser and for some editors only; a lone surrogate cannot be written.
// deno-lint-ignore no-control-regex
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]|\r(?!\n)/u;

/** A duplicate key that the parser accepted. */
export class KeyClash extends Error {
  /** The second place of the key. */
  readonly span: Span;

  constructor(span: Span) {
    super("the key is defined more than once");
    this.name = "KeyClash";
    this.span = span;
  }
}

/** A string above the length limit. */
export class LongString extends Error {
  /** The place of the string. */
  readonly span: Span;

  constructor(span: Span) {
    super("a string is longer than 65,536 characters");
    this.name = "LongString";
    this.span = span;
  }
}

/** The problem of a text that is not worth parsing: its size, or a character that TOML forbids. */
export function unreadable(text: string): Problem | undefined {
  if (text.length > LONGEST_TEXT) {
    const message = "Cannot read the file: it has more than 8,388,608 characters";
    return errorAt(spanAt(text, { offset: 0, length: 0 }), { id: "too-large", message });
  }
  const match = FORBIDDEN.exec(text);
  if (match === null) return undefined;
  const code = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return errorAt(spanAt(text, { offset: match.index, length: 1 }), {
    id: "toml-syntax",
    message: `Cannot read the file as TOML: the character U+${code} is not allowed`,
  });
}

/** The problem for an error of the TOML parser, or of building the tree. */
export function tomlFault(text: string, error: unknown): Problem {
  if (error instanceof ParseError) return syntaxFault(text, error);
  if (error instanceof LongString) {
    const message = `Cannot read the file as TOML: ${error.message}`;
    return errorAt(error.span, { id: "too-large", message });
  }
  if (error instanceof KeyClash) {
    const message = `Cannot read the file as TOML: ${error.message}`;
    return errorAt(error.span, { id: "toml-syntax", message });
  }
  if (error instanceof RangeError) {
    const message = "Cannot read the file as TOML: a string is too long or the nesting is too deep";
    return errorAt(longestLine(text), { id: "too-large", message });
  }
  const detail = error instanceof Error ? error.message : String(error);
  const message = `Cannot read the file as TOML: ${detail}`;
  return errorAt(spanAt(text, { offset: 0, length: 0 }), { id: "toml-syntax", message });
}

function syntaxFault(text: string, error: ParseError): Problem {
  const cause = likelyCause(text, error.index) ?? {
    at: error.index,
    length: 1,
    detail: error.message.charAt(0).toLowerCase() + error.message.slice(1),
  };
  return errorAt(spanAt(text, { offset: cause.at, length: cause.length }), {
    id: "toml-syntax",
    message: `Cannot read the file as TOML: ${cause.detail}`,
    ...("hint" in cause && { hint: cause.hint }),
  });
}

/** The longest line: the likely place of a string that is too long for the parser, which gives no place. */
function longestLine(text: string): Span {
  let best = { offset: 0, length: 0 };
  let offset = 0;
  for (const line of text.split("\n")) {
    if (line.length > best.length) best = { offset, length: line.length };
    offset += line.length + 1;
  }
  return spanAt(text, best);
}

function spanAt(text: string, at: { readonly offset: number; readonly length: number }): Span {
  const start = Math.min(at.offset, text.length);
  return spansOf(text)(start, Math.min(start + at.length, text.length));
}
