/**
 * The lines that most commands are: words without expansions, wildcards and escapes, assignments of such words before a command,
 * and redirections to them, with single blanks between them, in lists and pipelines. They are read in one pass, and into the very tree that the parser's becomes; any other line is left to that.
 * `tests/laws/shell_plain_line_test.ts` compares the two.
 */
import { commandDifferences, hasDifferences, READ_BY_NAME } from "./command_differences.ts";
import { isMarked, knownWord, PLAIN, QUOTED } from "./known_words.ts";
import type { Shell } from "./shell.ts";
import type { Assignment, Node, ParsedLine, Redirect, Sequence, Simple, Word } from "./tree.ts";

/** The longest line that is read here, in UTF-16 code units. */
const LONGEST = 8_192;

/** The names before which the parser reads no simple command, or reads words in a way of its own. */
const OTHERS: ReadonlySet<string> = new Set([
  ..."if then else elif fi do done for while until in case esac function select coproc time".split(
    " ",
  ),
  ..."local alias export declare typeset readonly eval let".split(" "),
]);

const BLANK = 0x20;
const DOUBLE = 0x22;
const AMPERSAND = 0x26;
const SINGLE = 0x27;
const SEMICOLON = 0x3b;
const BRACKET = 0x5b;
const TILDE = 0x7e;
const BAR = 0x7c;
const LESS = 0x3c;
const GREATER = 0x3e;

/** A plain line; undefined for any other. */
export function plainLine(text: string, shell: Shell): ParsedLine | undefined {
  if (text.length > LONGEST) return undefined;
  const reader = new PlainReader(text, shell);
  const node = reader.line();
  if (node === undefined) return undefined;
  const { spacedText } = reader;
  return spacedText === undefined
    ? { node, definesFunctions: false }
    : { node, definesFunctions: false, spacedText };
}

const NONE: readonly never[] = [];

/** The name of a variable. */
const NAME = /^[A-Za-z_]\w*$/;

/** The text between two commands; `end`: the line ends, `other`: it is no plain line. */
type Separator = "|" | "&&" | "||" | ";" | "word" | "end" | "other";

/** Reads one line from left to right. */
class PlainReader {
  readonly #text: string;
  readonly #shell: Shell;
  /** The offset of the next word. */
  #at = 0;
  /** The text between the last word and the next one. */
  #separator: Separator = "word";
  /** The text in canonical spacing up to an offset, behind which it is as written. */
  #spaced = "";
  #spacedTo = 0;
  /** False for a line with redirections, or with a word that ends in a blank. */
  #isSpacedKnown = true;

  constructor(text: string, shell: Shell) {
    this.#text = text;
    this.#shell = shell;
  }

  /** The line in canonical spacing, where that is known. */
  get spacedText(): string | undefined {
    if (!this.#isSpacedKnown) return undefined;
    const text = this.#text;
    const end = text.charCodeAt(text.length - 1) === SEMICOLON ? text.length - 1 : text.length;
    return this.#spacedTo === 0 && end === text.length
      ? text
      : this.#spaced + text.slice(this.#spacedTo, end);
  }

  line(): Node | undefined {
    const first = this.#list();
    if (first === undefined) return undefined;
    if (this.#separator === "end") return first;
    const nodes = [first];
    const operators: Sequence["operators"][number][] = [";"];
    while (this.#separator === ";") {
      const next = this.#list();
      if (next === undefined) return undefined;
      nodes.push(next);
      operators.push(";");
    }
    return { kind: "sequence", nodes, operators };
  }

  /** Pipelines with `&&` and `||` between them. */
  #list(): Node | undefined {
    const first = this.#pipeline();
    if (first === undefined || this.#separator !== "&&" && this.#separator !== "||") return first;
    const nodes = [first];
    const operators: Sequence["operators"][number][] = [];
    while (this.#separator === "&&" || this.#separator === "||") {
      operators.push(this.#separator);
      const next = this.#pipeline();
      if (next === undefined) return undefined;
      nodes.push(next);
    }
    return { kind: "sequence", nodes, operators };
  }

  #pipeline(): Node | undefined {
    const first = this.#command();
    if (first === undefined || this.#separator !== "|") return first;
    const nodes: Node[] = [first];
    while (this.#separator === "|") {
      const next = this.#command();
      if (next === undefined) return undefined;
      nodes.push(next);
    }
    return { kind: "pipe", nodes };
  }

  #command(): Simple | undefined {
    const start = this.#at;
    let name = this.#plainWord();
    let assignments: Assignment[] | undefined;
    while (name !== undefined && name.raw.includes("=")) {
      const assignment = this.#assignment(name.raw);
      if (assignment === undefined) return undefined;
      (assignments ??= []).push(assignment);
      name = this.#plainWord();
    }
    if (name === undefined || OTHERS.has(name.raw)) return undefined;
    const words = [name];
    let redirects: Redirect[] | undefined;
    let isAsWritten = assignments === undefined;
    let end = this.#at;
    this.#separate();
    while (this.#separator === "word") {
      const operator = this.#operator();
      if (operator === undefined) {
        const word = this.#word();
        if (word === undefined) return undefined;
        words.push(word);
        if (word.raw !== word.shape) isAsWritten = false;
      } else {
        const redirect = this.#redirect(operator);
        if (redirect === undefined) return undefined;
        if (redirects === undefined) redirects = [redirect];
        else redirects.push(redirect);
      }
      end = this.#at;
      this.#separate();
    }
    if (this.#separator === "other") return undefined;
    if (redirects !== undefined) isAsWritten = this.#isSpacedKnown = false;
    const text = this.#text.slice(start, end);
    if (READ_BY_NAME.has(name.raw) && this.#mayDiffer(words, text)) return undefined;
    const command: { -readonly [Key in keyof Simple]: Simple[Key] } = {
      kind: "simple",
      text,
      assignments: assignments ?? NONE,
      words,
      redirects: redirects ?? NONE,
      inners: NONE,
      unknowns: NONE,
      arithmetic: NONE,
    };
    if (isAsWritten) command.isAsWritten = true;
    return command;
  }

  /** The assignment that was just read as a word, before a further word; undefined for any other. */
  #assignment(raw: string): Assignment | undefined {
    const equals = raw.indexOf("=");
    const end = this.#at;
    const start = end - raw.length + equals + 1;
    let hash = 0;
    for (let at = start; at < end; at++) {
      const code = this.#text.charCodeAt(at);
      if (PLAIN[code] !== 1) return undefined;
      hash = Math.imul(hash, 31) + code | 0;
    }
    const name = raw.slice(0, equals);
    this.#separate();
    if (start === end || this.#separator !== "word" || !NAME.test(name)) return undefined;
    return { raw, name, value: knownWord(this.#text, { start, end, hash }) };
  }

  #mayDiffer(words: readonly Word[], text: string): boolean {
    return hasDifferences(commandDifferences(words, { text, shell: this.#shell }));
  }

  /** The length of a redirection's operator at this place, with its descriptor; undefined without one. */
  #operator(): number | undefined {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) code = text.charCodeAt(++at);
    if (code !== LESS && code !== GREATER) return undefined;
    const next = text.charCodeAt(at + 1);
    const isDouble = code === GREATER && (next === GREATER || next === AMPERSAND);
    return at - this.#at + (isDouble ? 2 : 1);
  }

  /** A redirection with a plain word; undefined for any other. */
  #redirect(length: number): Redirect | undefined {
    const text = this.#text;
    const start = this.#at;
    const head = text.slice(start, start + length);
    const operator = head.charCodeAt(0) <= 0x39 ? head.slice(1) : head;
    this.#at += length;
    const code = text.charCodeAt(this.#at);
    if (operator === ">&") {
      // A descriptor of one digit, and nothing behind it.
      const behind = text.charCodeAt(this.#at + 1);
      if (!(code >= 0x30 && code <= 0x39) || PLAIN[behind] !== undefined && PLAIN[behind] !== 0) {
        return undefined;
      }
    } else if (code === BLANK) this.#at++;
    const target = this.#plainWord();
    return target && { raw: text.slice(start, this.#at), operator, target };
  }

  #word(): Word | undefined {
    const code = this.#text.charCodeAt(this.#at);
    return code === SINGLE
      ? this.#quotedWord(SINGLE, 1)
      : code === DOUBLE
      ? this.#quotedWord(DOUBLE, 2)
      : this.#plainWord();
  }

  #plainWord(): Word | undefined {
    const text = this.#text;
    const start = this.#at;
    let at = start;
    let hash = 0;
    let code = text.charCodeAt(at);
    if (!(code < 128) || PLAIN[code] !== 1) return undefined;
    do {
      hash = Math.imul(hash, 31) + code | 0;
      code = text.charCodeAt(++at);
    } while (code < 128 && PLAIN[code] !== 0);
    this.#at = at;
    return knownWord(text, { start, end: at, hash });
  }

  /** A word that is one quoted text of printable characters without a meaning in its quotes, to any shell. */
  #quotedWord(quote: number, bit: number): Word | undefined {
    const text = this.#text;
    const start = this.#at;
    let at = start + 1;
    let code = text.charCodeAt(at);
    // A tilde is then no home folder.
    if (code === quote || code === TILDE) return undefined;
    for (; code !== quote; code = text.charCodeAt(++at)) {
      if (!(code < 128) || (QUOTED[code]! & bit) === 0) return undefined;
      if (code === BRACKET && isMarked(text.charCodeAt(at + 1))) return undefined;
    }
    this.#at = at + 1;
    const value = text.slice(start + 1, at);
    this.#spaced += text.slice(this.#spacedTo, start) + value;
    this.#spacedTo = at + 1;
    // The texts of lists end in no blank.
    if (text.charCodeAt(at - 1) === BLANK) this.#isSpacedKnown = false;
    return { raw: text.slice(start, at + 1), text: value, shape: value, splits: false };
  }

  /** Reads the text behind a word. */
  #separate(): void {
    const text = this.#text;
    const at = this.#at;
    if (at === text.length) {
      this.#separator = "end";
      return;
    }
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code === SEMICOLON) {
      if (at + 1 === text.length) this.#found("end", at + 1);
      else this.#found(next === BLANK ? ";" : "other", at + 2);
    } else if (code !== BLANK) this.#separator = "other";
    else if (next !== BAR && next !== AMPERSAND) this.#found("word", at + 1);
    else if (text.charCodeAt(at + 2) === BLANK) this.#found(next === BAR ? "|" : "other", at + 3);
    else {
      const isDouble = text.charCodeAt(at + 2) === next && text.charCodeAt(at + 3) === BLANK;
      this.#found(!isDouble ? "other" : next === BAR ? "||" : "&&", at + 4);
    }
  }

  #found(separator: Separator, at: number): void {
    this.#separator = separator;
    this.#at = at;
  }
}
