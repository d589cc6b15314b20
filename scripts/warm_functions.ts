import { HEAD } from "./bundle/script_of.ts";

/** The range of a function in the text of its module, in UTF-16 code units. */
export interface Range {
  /** Its first offset. */
  readonly start: number;
  /** The offset behind it. */
  readonly end: number;
}

/** The functions of one module. */
export interface Functions {
  /** All but the module itself. */
  readonly all: readonly Range[];
  /** Those to warm. */
  readonly ran: readonly Range[];
}

const ARROW = /^(?:[\w$]+|\((?:[^()]|\([^()]*\))*\)) ?=>/;
const FUNCTION = /^(?:async )?function\b/;
const DECLARATION = /^(?:async )?function\*? ?([\w$]+) ?\(/;
/** A method, or a getter, of a class or an object. */
const MEMBER = /^(?!constructor\b|(?:async )?function\b)(get |async |)(?!async\b)([\w$]+) ?\(/;

/** The text before a function that is a value, one that is a statement, and the methods of a class and of an object. */
const BEFORE_VALUE = /(?:[=(,:?[&|!]|=>|\breturn) ?$/;
const BEFORE_STATEMENT = /(?:^|[;}\n])$/;
const BEFORE_METHOD = /(?:[;}]|\bclass(?: [\w$]+)?(?: extends [\w$.]+)? ?\{)\s*$/;
const BEFORE_MEMBER = /[{,]\s*$/;

/**
 * The text of a minified module with parentheses round the functions in `ran`. V8 compiles such a function with its module
 * and keeps it in the code cache that the runtime writes; any other one is parsed and compiled anew in each process, when
 * it is called first. Declarations of the top level become variables at the start, behind a shebang and `HEAD`, where all of the module can call them;
 * methods of a class get their function, and getters are defined, in a static block. Constructors, private methods and getters of an object stay
 * as they are, and so does what is declared inside of another function.
 */
export function withWarmFunctions(text: string, { ran, all }: Functions): string {
  const declared = ran.filter((each) => isDeclared(text, each) && isOutermost(each, all));
  const edits = ran.flatMap((each) => editsOf(text, each));
  const variables = declared.map((each) => {
    const [, name] = DECLARATION.exec(text.slice(each.start, each.end))!;
    return `${name}=(${edited(text, each, edits)})`;
  });
  const others = around(declared, text.length).map((each) => edited(text, each, edits)).join("");
  const first = /^(?:#!.*\n)?/.exec(others)![0] || (others.startsWith(HEAD) ? HEAD : "");
  const head = variables.length === 0 ? "" : `var ${variables.join(",")};\n`;
  return first + head + others.slice(first.length);
}

function isDeclared(text: string, { start, end }: Range): boolean {
  return DECLARATION.test(text.slice(start, end)) && BEFORE_STATEMENT.test(before(text, start));
}

function isOutermost({ start, end }: Range, all: readonly Range[]): boolean {
  return !all.some((other) => other.start < start && other.end >= end);
}

/** A text that takes the place of what stands from `start` to `end`, which may be nothing. */
interface Edit extends Range {
  readonly text: string;
}

/** The edits that make a function warm in place; none for a declaration. */
function editsOf(text: string, { start, end }: Range): readonly Edit[] {
  const own = text.slice(start, end);
  const ahead = before(text, start);
  if (ARROW.test(own) || FUNCTION.test(own) && BEFORE_VALUE.test(ahead)) {
    return [{ start, end: start, text: "(" }, { start: end, end, text: ")" }];
  }
  if (/\bsuper\b/.test(own)) return [];
  const [, kind = "", name] = MEMBER.exec(own) ?? [];
  if (name === undefined) return [];
  const head = { start, end: start + kind.length + name.length };
  const value = `(${kind === "async " ? kind : ""}function`;
  if (BEFORE_METHOD.test(ahead)) {
    const [block, last] = kind === "get "
      ? [
        `static{Object.defineProperty(this.prototype,"${name}",{get:${value}`,
        "),configurable:!0})}",
      ]
      // An empty method declares the name: a name that is added later would give the prototype a new shape.
      : [`${name}(){}static{this.prototype.${name}=${value}`, ")}"];
    return [{ ...head, text: block }, { start: end, end, text: last }];
  }
  if (kind === "get " || !BEFORE_MEMBER.test(ahead)) return [];
  return [{ ...head, text: `${name}:${value}` }, { start: end, end, text: ")" }];
}

/** The text before an offset, as far as it matters. */
function before(text: string, offset: number): string {
  return text.slice(Math.max(0, offset - 100), offset);
}

/** The piece of the text with the edits in it; at one offset what ends a function comes before what begins one. */
function edited(text: string, { start, end }: Range, edits: readonly Edit[]): string {
  const inside = edits.filter((each) => each.start >= start && each.end <= end);
  const ordered = inside.toSorted((one, other) => {
    return one.start - other.start || Number(other.text[0] === ")") - Number(one.text[0] === ")");
  });
  let at = start;
  let result = "";
  for (const edit of ordered) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at, end);
}

/** The text without these ranges. */
function around(ranges: readonly Range[], length: number): readonly Range[] {
  const ordered = ranges.toSorted((one, other) => one.start - other.start);
  return [...ordered, { start: length, end: length }].map((range, index) => ({
    start: ordered[index - 1]?.end ?? 0,
    end: range.start,
  }));
}
