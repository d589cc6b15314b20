import type { Range } from "../path/path_glob.ts";
import { RegexFault, type RegexNode } from "./regex.ts";
import { classRanges, complement, union } from "./regex_class.ts";

/** Groups in groups up to this depth. */
const MAX_DEPTH = 50;
/** The largest number in `{n,m}`. */
const MAX_COUNT = 1_000;

/** What has been read so far. */
interface Reader {
  readonly text: string;
  /** Offset of the next character. */
  at: number;
  /** How many groups are open. */
  depth: number;
}

/**
 * Reads a regular expression as ECMAScript's `u` flag has it, without what no linear matching can do: look-around,
 * back-references, `\b`, `\p{…}`. Throws RegexFault for these and for everything that is no expression.
 */
export function parseRegex(text: string): RegexNode {
  const reader: Reader = { text, at: 0, depth: 0 };
  const tree = readOptions(reader);
  if (reader.at < text.length) throw new RegexFault('nothing opens ")"', reader.at);
  return tree;
}

function readOptions(reader: Reader): RegexNode {
  const options = [readSequence(reader)];
  while (reader.text[reader.at] === "|") {
    reader.at++;
    options.push(readSequence(reader));
  }
  return options.length === 1 ? options[0]! : { kind: "either", options };
}

function readSequence(reader: Reader): RegexNode {
  const parts: RegexNode[] = [];
  for (;;) {
    const char = reader.text[reader.at];
    if (char === undefined || char === "|" || char === ")") break;
    parts.push(readRepeat(reader));
  }
  return { kind: "sequence", parts };
}

function readRepeat(reader: Reader): RegexNode {
  const body = readAtom(reader);
  const { at, text } = reader;
  const bounds = readBounds(reader);
  if (bounds === undefined) return body;
  if (body.kind === "edge") {
    throw new RegexFault(`"${text[at]}" cannot repeat what stands before it`, at);
  }
  // A lazy one fits the same texts.
  if (text[reader.at] === "?") reader.at++;
  return { kind: "repeat", body, ...bounds };
}

const COUNT = /\{(\d+)(?:(,)(\d*))?\}/y;

/** How often what stands before is repeated; undefined where nothing says so. */
function readBounds(
  reader: Reader,
): { readonly least: number; readonly most: number | undefined } | undefined {
  const { text, at } = reader;
  switch (text[at]) {
    case "*":
      reader.at++;
      return { least: 0, most: undefined };
    case "+":
      reader.at++;
      return { least: 1, most: undefined };
    case "?":
      reader.at++;
      return { least: 0, most: 1 };
    case "{": {
      COUNT.lastIndex = at;
      const [whole, first, comma, second] = COUNT.exec(text) ?? [];
      if (whole === undefined) throw new RegexFault('"{" is no count; write "\\{" for itself', at);
      reader.at += whole.length;
      const least = Number(first);
      const most = comma === undefined ? least : second === "" ? undefined : Number(second);
      if (least > MAX_COUNT || (most ?? 0) > MAX_COUNT) {
        throw new RegexFault(`a count may be ${MAX_COUNT} at most`, at);
      }
      if (most !== undefined && most < least) {
        throw new RegexFault("the counts are in the wrong order", at);
      }
      return { least, most };
    }
    default:
      return undefined;
  }
}

function readAtom(reader: Reader): RegexNode {
  const { text, at } = reader;
  const char = text[at]!;
  switch (char) {
    case ".":
      reader.at++;
      return { kind: "any" };
    case "^":
    case "$":
      reader.at++;
      return { kind: "edge", side: char === "^" ? "start" : "end", at };
    case "(":
      return readGroup(reader);
    case "[":
      return { kind: "set", ranges: readSet(reader) };
    case "\\":
      return readEscape(reader);
    case "*":
    case "+":
    case "?":
    case "{":
      throw new RegexFault(`nothing stands before "${char}"`, at);
    case "]":
    case "}":
      throw new RegexFault(`nothing opens "${char}"; write "\\${char}" for itself`, at);
    default:
      return { kind: "char", code: takeChar(reader) };
  }
}

/** `(a)`, `(?:a)` and `(?<name>a)` group alike: nothing asks what a group fitted. */
const OPENING = /\((?:\?(?::|<[A-Za-z_$][\w$]*>))?/y;

function readGroup(reader: Reader): RegexNode {
  const start = reader.at;
  if (++reader.depth > MAX_DEPTH) {
    throw new RegexFault(`groups are nested deeper than ${MAX_DEPTH}`, start);
  }
  OPENING.lastIndex = start;
  const opening = OPENING.exec(reader.text)?.[0] ?? "(";
  if (opening === "(" && reader.text[start + 1] === "?") {
    throw new RegexFault("look-around and flags are not supported", start);
  }
  reader.at += opening.length;
  const body = readOptions(reader);
  if (reader.text[reader.at] !== ")") throw new RegexFault('")" is missing', start);
  reader.at++;
  reader.depth--;
  return body;
}

function readEscape(reader: Reader): RegexNode {
  const ranges = classRanges(reader.text[reader.at + 1] ?? "");
  if (ranges === undefined) return { kind: "char", code: escapedCode(reader) };
  reader.at += 2;
  return { kind: "set", ranges };
}

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["t", 0x09],
  ["n", 0x0a],
  ["v", 0x0b],
  ["f", 0x0c],
  ["r", 0x0d],
]);

const HEX = /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|(0)(?!\d))/y;

/** The code point of an escape that stands for one. */
function escapedCode(reader: Reader): number {
  const { text, at } = reader;
  const char = text[at + 1];
  if (char === undefined) throw new RegexFault("nothing stands behind the backslash", at);
  HEX.lastIndex = at;
  const match = HEX.exec(text);
  if (match !== null) {
    const code = parseInt(match[1] ?? match[2] ?? match[3] ?? "0", 16);
    if (code > 0x10ffff) throw new RegexFault("there is no such code point", at);
    if (code >= 0xd800 && code <= 0xdfff) {
      throw new RegexFault('half a character fits nothing; write "\\u{…}"', at);
    }
    reader.at += match[0].length;
    return code;
  }
  const control = CONTROLS.get(char);
  if (control === undefined && !/[$^\\.*+?()[\]{}|/-]/.test(char)) {
    const shown = String.fromCodePoint(text.codePointAt(at + 1)!);
    throw new RegexFault(`the escape "\\${shown}" is not supported`, at);
  }
  reader.at += 2;
  return control ?? char.codePointAt(0)!;
}

function readSet(reader: Reader): readonly Range[] {
  const start = reader.at;
  const { text } = reader;
  reader.at++;
  const negated = text[reader.at] === "^";
  if (negated) reader.at++;
  const ranges: Range[] = [];
  while (text[reader.at] !== "]") {
    if (reader.at >= text.length) throw new RegexFault('"]" is missing', start);
    ranges.push(...readRange(reader));
  }
  if (ranges.length === 0 && !negated) throw new RegexFault('"[]" fits nothing', start);
  reader.at++;
  return negated ? complement(ranges) : union(ranges);
}

/** One member of a set: `a`, `a-z` or `\d`. */
function readRange(reader: Reader): readonly Range[] {
  const { text, at } = reader;
  const first = readMember(reader);
  const isRange = text[reader.at] === "-" && !["]", undefined].includes(text[reader.at + 1]);
  if (!isRange) return typeof first === "number" ? [[first, first]] : first;
  reader.at++;
  const last = readMember(reader);
  if (typeof first !== "number" || typeof last !== "number") {
    throw new RegexFault("a range leads from one character to another", at);
  }
  if (last < first) throw new RegexFault("the range is in the wrong order", at);
  return [[first, last]];
}

function readMember(reader: Reader): number | readonly Range[] {
  if (reader.text[reader.at] !== "\\") return takeChar(reader);
  const ranges = classRanges(reader.text[reader.at + 1] ?? "");
  if (ranges === undefined) return escapedCode(reader);
  reader.at += 2;
  return ranges;
}

function takeChar(reader: Reader): number {
  const code = reader.text.codePointAt(reader.at)!;
  reader.at += code > 0xffff ? 2 : 1;
  return code;
}
