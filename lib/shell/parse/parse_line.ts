import type { ParseLineOptions } from "./parse_with_parser.ts";
import { parseWithParser } from "./parser_on_call.ts";
import { plainLine } from "./plain_line.ts";
import type { ParsedLine } from "./tree.ts";

/** The longest line that is parsed, in UTF-16 code units (1 MiB); a longer one is unknown. */
const MAX_LENGTH = 1_048_576;

/** The most operators, quotes, expansions and newlines of a line, and the most blanks. */
const MAX_MARKS = 20_000;
const MAX_BLANKS = 50_000;

/** True if a line may define a function, which could have the name of a program. */
export function definesFunction(text: string): boolean {
  return (text.includes("(") || text.includes("function")) &&
    /\(\s*\)|(?<![\w-])function\b/.test(text);
}

/** Parses one line. Never throws: a syntax error is a fault. */
export function parseLine(text: string, options: ParseLineOptions): ParsedLine {
  return plainLine(text, options) ?? parseOtherLine(text, options);
}

/** Parses a line that is not plain, unless it is too long. */
function parseOtherLine(text: string, options: ParseLineOptions): ParsedLine {
  const excess = text.length > MAX_LENGTH ? "it is longer than 1 MiB" : excessOf(text);
  if (excess !== undefined) return { node: undefined, fault: excess, definesFunctions: true };
  return parseWithParser(text, options);
}

/** The reason not to parse a long line, which would take too long and which no person writes. */
function excessOf(text: string): string | undefined {
  if (text.length <= MAX_MARKS) return undefined;
  let marks = 0;
  let blanks = 0;
  for (let at = 0; at < text.length; at++) {
    const kind = KINDS[text.charCodeAt(at)];
    if (kind === BLANK) blanks++;
    else if (kind === MARK) marks++;
  }
  if (marks > MAX_MARKS) return `it has more than ${MAX_MARKS} operators, quotes and expansions`;
  return blanks > MAX_BLANKS ? `it has more than ${MAX_BLANKS} words` : undefined;
}

const BLANK = 1;
const MARK = 2;

/** The kind of each character of ASCII; 0 for all others. */
const KINDS: Uint8Array = new Uint8Array(128);
for (const char of " \t") KINDS[char.charCodeAt(0)] = BLANK;
for (const char of ";&|<>$`()\"'{}\n#\\=") KINDS[char.charCodeAt(0)] = MARK;
