import type { Span } from "../../model/problem.ts";
import type { SpanBetween } from "../../text/text_lines.ts";

/** A value in a `.rules` file. */
export type CodexValue =
  | { readonly kind: "text"; readonly span: Span; readonly value: string }
  | { readonly kind: "list"; readonly span: Span; readonly items: readonly CodexValue[] };

/** A call such as `prefix_rule(pattern = ["git"], decision = "allow")`. */
export interface CodexCall {
  /** The name of the function. */
  readonly name: string;
  /** The whole call. */
  readonly span: Span;
  /** The arguments by name. */
  readonly args: ReadonlyMap<string, CodexValue>;
}

/** The error for a text that is not a list of such calls. */
export class CodexFault extends Error {
  readonly span: Span;

  /** `message` is a detail without a final full stop. */
  constructor(message: string, span: Span) {
    super(message);
    this.name = "CodexFault";
    this.span = span;
  }
}

interface Token {
  readonly kind: "word" | "text" | "mark" | "end";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const MAX_DEPTH = 8;

/** Reads the calls of a `.rules` file: the part of Starlark without names, operators and control. Throws CodexFault. */
export function parseCodex(text: string, spanOf: SpanBetween): readonly CodexCall[] {
  const reader = new CodexReader(text, spanOf);
  const calls: CodexCall[] = [];
  while (reader.next.kind !== "end") calls.push(reader.call());
  return calls;
}

class CodexReader {
  readonly #text: string;
  readonly #spanOf: SpanBetween;
  #token: Token;

  constructor(text: string, spanOf: SpanBetween) {
    this.#text = text;
    this.#spanOf = spanOf;
    this.#token = this.#read(0);
  }

  get next(): Token {
    return this.#token;
  }

  call(): CodexCall {
    const { text: name, start } = this.#take("word");
    this.#mark("(");
    const args = new Map<string, CodexValue>();
    while (!this.#isMark(")")) {
      const key = this.#take("word");
      this.#mark("=");
      if (args.has(key.text)) this.#fail(`"${key.text}" is repeated`, key);
      args.set(key.text, this.#value(0));
      if (!this.#isMark(")")) this.#mark(",");
    }
    const { end } = this.#mark(")");
    return { name, span: this.#spanOf(start, end), args };
  }

  #value(depth: number): CodexValue {
    const { start, end } = this.#token;
    if (this.#token.kind === "text") {
      let value = "";
      let last = end;
      // Neighbouring strings are one.
      while (this.next.kind === "text") {
        const taken = this.#take("text");
        value += taken.text;
        last = taken.end;
      }
      return { kind: "text", span: this.#spanOf(start, last), value };
    }
    if (!this.#isMark("[") || depth === MAX_DEPTH) {
      this.#fail("expected a string or a list", this.#token);
    }
    this.#mark("[");
    const items: CodexValue[] = [];
    while (!this.#isMark("]")) {
      items.push(this.#value(depth + 1));
      if (!this.#isMark("]")) this.#mark(",");
    }
    const close = this.#mark("]");
    return { kind: "list", span: this.#spanOf(start, close.end), items };
  }

  #take(kind: Token["kind"]): Token {
    const token = this.#token;
    const wanted = kind === "word"
      ? "a call such as prefix_rule(…), or a name = value in one"
      : "a string";
    if (token.kind !== kind) this.#fail(`expected ${wanted}`, token);
    this.#token = this.#read(token.end);
    return token;
  }

  #isMark(mark: string): boolean {
    return this.#token.kind === "mark" && this.#token.text === mark;
  }

  #mark(mark: string): Token {
    const token = this.#token;
    if (!this.#isMark(mark)) this.#fail(`expected "${mark}"`, token);
    this.#token = this.#read(token.end);
    return token;
  }

  #fail(detail: string, { start, end }: Pick<Token, "start" | "end">): never {
    throw new CodexFault(detail, this.#spanOf(start, Math.max(end, start + 1)));
  }

  #read(from: number): Token {
    const skipped = /(?:[\s;]|#[^\n]*|\\\r?\n)*/y;
    skipped.lastIndex = from;
    skipped.test(this.#text);
    const start = skipped.lastIndex;
    if (start >= this.#text.length) return { kind: "end", text: "", start, end: start };
    const word = /[A-Za-z_]\w*/y;
    word.lastIndex = start;
    const found = word.exec(this.#text)?.[0];
    const quote = start + (found?.length ?? 0);
    const isRaw = found === "r" || found === "R";
    if ((found === undefined || isRaw) && /["']/.test(this.#text[quote] ?? "")) {
      return this.#string(start, { quote, isRaw });
    }
    if (found !== undefined) return { kind: "word", text: found, start, end: quote };
    return { kind: "mark", text: this.#text[start]!, start, end: start + 1 };
  }

  #string(start: number, { quote, isRaw }: { quote: number; isRaw: boolean }): Token {
    const one = this.#text[quote]!;
    const fence = this.#text.startsWith(one.repeat(3), quote) ? one.repeat(3) : one;
    let value = "";
    for (let at = quote + fence.length; at < this.#text.length; at++) {
      const char = this.#text[at]!;
      if (this.#text.startsWith(fence, at)) {
        return { kind: "text", text: value, start, end: at + fence.length };
      }
      if (char === "\n" && fence.length === 1) break;
      if (char !== "\\") {
        value += char;
        continue;
      }
      const escaped = this.#text[++at] ?? "";
      const known = isRaw ? `\\${escaped}` : ESCAPES.get(escaped);
      if (known === undefined) {
        this.#fail(`unknown escape \\${escaped}`, { start: at - 1, end: at + 1 });
      }
      value += known;
    }
    this.#fail("the string is not closed", { start, end: start + 1 });
  }
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ['"', '"'],
  ["'", "'"],
  ["\n", ""],
]);
