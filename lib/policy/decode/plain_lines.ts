import type { Action } from "../../model/call.ts";
import type { Span } from "../../model/problem.ts";
import type { WrittenRule } from "../../model/rule.ts";
import type { TomlNode } from "../../text/toml_node.ts";
import { decoded, elementsOf, listAt, STRING } from "./plain_list.ts";

/** Longer texts and lines go to the full decoder, which knows the limits; in UTF-16 code units. */
const LONGEST_TEXT = 8 * 1024 * 1024;
const LONGEST_LINE = 16_384;

/** Controls, line ends that TOML does not have, and a second byte order mark. */
// deno-lint-ignore no-control-regex
const UNPLAIN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\r(?!\n)/;

const RULES = "[[permissions.rules]]";
const PERMISSIONS = "[permissions]";

/** The lines of a rule without more than it needs, as `perms fmt` writes it, and empty lines behind them. */
const SHORT =
  /\[\[permissions\.rules\]\]\npattern = "([^"\\\n]*)"\naction = "(allow|deny|ask)"(?:\n+|$)/y;
/** The length of a short rule up to its pattern, and of what stands round the pattern and the action. */
const TO_PATTERN = `${RULES}\npattern = `.length;
const AROUND = `${RULES}\npattern = ""\naction = ""`.length;
const SHORT_LINES = 3;
const SHORT_PARTS = 5;

const TOOL = /\[tools\.(?:([A-Za-z0-9_-]+)|"([^"\\\n]*)")\]/y;
const ESCAPED = new RegExp(STRING, "y");
const DATE = /[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/y;

const TAB = 9;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const HASH = 35;
const APOSTROPHE = 39;
const DOT = 46;
const EQUALS = 61;
const OPEN = 91;

/** A header, a bare key with a value that ends on its line, or nothing but a comment. */
export type PlainLine = "rules" | "permissions" | "tool" | "pair" | "blank";

/**
 * The lines of a TOML text that are written in the plain way, one after the other; the fields are those of the line that `next`
 * returned.
 *
 * INVARIANT: a line is taken only if TOML reads it, by itself, as this says. What lines mean together (a key or table that is
 * repeated) is for the caller.
 */
export class PlainLines {
  /** The name in a header of a tool, or the key of a pair. */
  name = "";
  /** The value of a pair, if it is a string. */
  string: string | undefined;
  /** The keys, values and tables so far, as `countParts` counts them. */
  parts = 0;
  readonly #text: string;
  #next = 0;
  /** The offset of the line. */
  #line = 0;
  #number = 0;
  /** The number of further lines that a list takes. */
  #more = 0;
  /** The offset behind the last character of the last line, its end left out. */
  #end = 0;
  /** The offsets of the header or the key. */
  #from = 0;
  #to = 0;
  /** The offsets of the value of a pair. */
  #valueFrom = 0;
  #valueTo = 0;
  /** The offset of the next backslash from the last one asked for, or the end of the text. */
  #backslash = -1;

  private constructor(text: string) {
    this.#text = text;
  }

  /** The lines of a text; undefined for one that is too long, or has a character that no plain line has. */
  static of(text: string): PlainLines | undefined {
    return text.length > LONGEST_TEXT || UNPLAIN.test(text) || !text.isWellFormed()
      ? undefined
      : new PlainLines(text);
  }

  /** Goes to the next line; `end` behind the last one, undefined for a line that is written in another way. */
  next(): PlainLine | "end" | undefined {
    const text = this.#text;
    if (this.#next >= text.length) return "end";
    this.#line = this.#next;
    this.#number += 1 + this.#more;
    this.#more = 0;
    this.#endLine(this.#line);
    if (this.#next - this.#line > LONGEST_LINE) return undefined;
    this.#from = this.#behindBlanks(this.#line);
    if (this.#isTail(this.#from)) return "blank";
    return text.charCodeAt(this.#from) === OPEN ? this.#header() : this.#pair();
  }

  /** Finds the end of the line that an offset is in. */
  #endLine(from: number): void {
    const text = this.#text;
    const feed = text.indexOf("\n", from);
    this.#next = feed < 0 ? text.length : feed + 1;
    const end = feed < 0 ? text.length : feed;
    this.#end = feed > from && text.charCodeAt(feed - 1) === RETURN ? end - 1 : end;
  }

  /**
   * Takes all lines of a rule that is written in the shortest way, and goes behind them; undefined if something else comes next. One look at the
   * rule takes a third of the time of its lines one by one.
   */
  shortRule(): WrittenRule | undefined {
    const from = this.#next;
    SHORT.lastIndex = from;
    const found = SHORT.exec(this.#text);
    if (found === null || found[0].length > LONGEST_LINE) return undefined;
    const pattern = found[1]!;
    const line = this.#number + 1 + this.#more;
    const feeds = found[0].length - AROUND - pattern.length - found[2]!.length;
    this.#next = from + found[0].length;
    this.#number = line - 1 + SHORT_LINES + Math.max(0, feeds - 1);
    this.#more = 0;
    this.parts += SHORT_PARTS;
    const start = from + TO_PATTERN;
    const column = TO_PATTERN - RULES.length;
    return {
      pattern: {
        value: pattern,
        span: { start, end: start + pattern.length + 2, line: line + 1, column },
      },
      action: found[2] as Action,
      span: { start: from, end: from + RULES.length, line, column: 1 },
    };
  }

  /** True for a pair whose value, a list, ends on a later line. */
  goesOn(): boolean {
    return this.#more > 0;
  }

  /** The place of the header, brackets included, or of the key. */
  span(): Span {
    return this.#spanOf(this.#from, this.#to);
  }

  /** The place of the value of a pair. */
  valueSpan(): Span {
    return this.#spanOf(this.#valueFrom, this.#valueTo);
  }

  /** The value of a pair. */
  value(): TomlNode {
    const span = this.valueSpan();
    if (this.string !== undefined) return { type: "string", span, value: this.string };
    const raw = this.#text.slice(this.#valueFrom, this.#valueTo);
    if (raw === "true" || raw === "false") return { type: "boolean", span, value: raw === "true" };
    if (!raw.startsWith("[")) return { type: "date-time", span, zone: "offset", value: raw };
    return { type: "array", form: "inline", span, elements: elementsOf(raw, span) };
  }

  #header(): PlainLine | undefined {
    const [text, at] = [this.#text, this.#from];
    if (text.startsWith(RULES, at)) return this.#headed("rules", at + RULES.length, 3);
    if (text.startsWith(PERMISSIONS, at)) {
      return this.#headed("permissions", at + PERMISSIONS.length, 1);
    }
    TOOL.lastIndex = at;
    const tool = TOOL.exec(text);
    if (tool === null) return undefined;
    this.name = tool[1] ?? tool[2] ?? "";
    return this.#headed("tool", TOOL.lastIndex, 2);
  }

  #headed(line: PlainLine, to: number, parts: number): PlainLine | undefined {
    this.#to = to;
    this.parts += parts;
    return this.#isTail(to) ? line : undefined;
  }

  #pair(): PlainLine | undefined {
    const text = this.#text;
    let at = this.#from;
    while (isLetter(text.charCodeAt(at))) at++;
    this.#to = at;
    if (at === this.#from) return undefined;
    this.name = text.slice(this.#from, at);
    at = this.#behindBlanks(at);
    if (text.charCodeAt(at) !== EQUALS) return undefined;
    this.parts++;
    this.#valueFrom = this.#behindBlanks(at + 1);
    this.string = undefined;
    const to = this.#endOfValue(this.#valueFrom);
    if (to < 0) return undefined;
    this.#valueTo = to;
    return this.#isTail(to) ? "pair" : undefined;
  }

  /** The offset behind the value that begins here; -1 if a plain line has no such value. */
  #endOfValue(from: number): number {
    const text = this.#text;
    switch (text.charCodeAt(from)) {
      case QUOTE:
        return this.#endOfString(from, text.indexOf('"', from + 1));
      case APOSTROPHE:
        return this.#taken(from, text.indexOf("'", from + 1));
      case OPEN:
        return this.#endOfList(from);
    }
    if (text.startsWith("true", from)) return from + 4;
    if (text.startsWith("false", from)) return from + 5;
    const to = this.#endOf(DATE, from);
    if (to >= 0 && text.charCodeAt(from + "2027-01-01T00:00:00".length) === DOT) this.parts++;
    return to;
  }

  /** The end of a list of strings, which may be on a later line. */
  #endOfList(from: number): number {
    const list = listAt(this.#text, from);
    if (list === undefined) return -1;
    const to = from + list.length;
    this.parts += list.parts;
    this.#more = list.feeds;
    if (list.feeds > 0) this.#endLine(to);
    return to;
  }

  /** The end of a string in double quotes whose first quote behind the beginning is at `quote`. */
  #endOfString(from: number, quote: number): number {
    const text = this.#text;
    if (this.#backslash < from) {
      const found = text.indexOf("\\", from);
      this.#backslash = found < 0 ? text.length : found;
    }
    if (this.#backslash > quote) return this.#taken(from, quote);
    const to = this.#endOf(ESCAPED, from);
    if (to >= 0) this.string = decoded(text.slice(from, to));
    return to;
  }

  /** Takes what is between two quotes as it is. */
  #taken(from: number, quote: number): number {
    if (quote < 0 || quote >= this.#end) return -1;
    this.string = this.#text.slice(from + 1, quote);
    return quote + 1;
  }

  #endOf(form: RegExp, from: number): number {
    form.lastIndex = from;
    return form.test(this.#text) ? form.lastIndex : -1;
  }

  #behindBlanks(from: number): number {
    let at = from;
    while (at < this.#end && isBlank(this.#text.charCodeAt(at))) at++;
    return at;
  }

  /** True if nothing but blanks and a comment follow on the line. */
  #isTail(from: number): boolean {
    const at = this.#behindBlanks(from);
    return at === this.#end || this.#text.charCodeAt(at) === HASH;
  }

  #spanOf(start: number, end: number): Span {
    return { start, end, line: this.#number, column: start - this.#line + 1 };
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

/** True for the characters of plain keys: ASCII letters and `_`. */
function isLetter(code: number): boolean {
  return code >= 97 && code <= 122 || code >= 65 && code <= 90 || code === 95;
}
