import { isMarked, knownWord, PLAIN, QUOTED } from "./known_words.ts";
import { HOLE, type InnerLine, NAME, type Node, NUMBER, type Word } from "./tree.ts";
import type { PrintedKindOf } from "./expansions.ts";

const BLANK = 0x20;
const DOUBLE = 0x22;
const DOLLAR = 0x24;
const SINGLE = 0x27;
const PARENTHESIS = 0x28;
const SEMICOLON = 0x3b;
const BRACKET = 0x5b;
const TILDE = 0x7e;

/** The name of a variable. */
export const VARIABLE: RegExp = /^[A-Za-z_]\w*$/;

/** The same behind a "$". */
const VARIABLE_AT = /[A-Za-z_]\w*/y;

/** Reads the words of a plain line; `PlainReader` reads what stands between them. */
export abstract class PlainWords {
  protected readonly text: string;
  protected readonly printedKind: PrintedKindOf;
  /** The offset of the next word. */
  protected at = 0;
  /** The text in canonical spacing up to an offset, behind which it is as written. */
  protected spaced = "";
  protected spacedTo = 0;
  /** False for a line with redirections or loops, or with a word that ends in a blank. */
  protected isSpacedKnown = true;
  /** The substitutions and loops around this place. */
  protected depth = 0;
  /** The lines in the words of the command that is being read. */
  protected inners: InnerLine[] | undefined;

  constructor(text: string, printedKind: PrintedKindOf) {
    this.text = text;
    this.printedKind = printedKind;
  }

  /** The line in canonical spacing, where that is known. */
  get spacedText(): string | undefined {
    if (!this.isSpacedKnown) return undefined;
    const text = this.text;
    const end = text.charCodeAt(text.length - 1) === SEMICOLON ? text.length - 1 : text.length;
    return this.spacedTo === 0 && end === text.length
      ? text
      : this.spaced + text.slice(this.spacedTo, end);
  }

  /** Reads the commands of a substitution and its end; undefined for a line that is not plain. */
  protected abstract substituted(): Node | undefined;

  protected word(): Word | undefined {
    const code = this.text.charCodeAt(this.at);
    return code === SINGLE
      ? this.#quotedWord(SINGLE, 1)
      : code === DOUBLE
      ? this.#quotedWord(DOUBLE, 2)
      : code === DOLLAR
      ? this.#openWord()
      : this.plainWord();
  }

  protected plainWord(): Word | undefined {
    const text = this.text;
    const start = this.at;
    let at = start;
    let hash = 0;
    let code = text.charCodeAt(at);
    if (!(code < 128) || PLAIN[code] !== 1) return undefined;
    do {
      hash = Math.imul(hash, 31) + code | 0;
      code = text.charCodeAt(++at);
    } while (code < 128 && PLAIN[code] !== 0);
    this.at = at;
    return knownWord(text, { start, end: at, hash });
  }

  /** A word that is one quoted text of printable characters without a meaning in its quotes, to any shell. */
  #quotedWord(quote: number, bit: number): Word | undefined {
    const text = this.text;
    const start = this.at;
    let at = start + 1;
    let code = text.charCodeAt(at);
    // A tilde is then no home folder.
    if (code === quote || code === TILDE) return undefined;
    for (; code !== quote; code = text.charCodeAt(++at)) {
      if (code === DOLLAR && quote === DOUBLE) return this.#quotedExpansions(at);
      if (!(code < 128) || (QUOTED[code]! & bit) === 0) return undefined;
      if (code === BRACKET && isMarked(text.charCodeAt(at + 1))) return undefined;
    }
    this.at = at + 1;
    const value = text.slice(start + 1, at);
    this.#addSpaced(start, value);
    return { raw: text.slice(start, at + 1), text: value, shape: value, splits: false };
  }

  /** A word in double quotes with variables and substitutions, of which the first stands at an offset. */
  #quotedExpansions(first: number): Word | undefined {
    const text = this.text;
    const start = this.at;
    let shape = text.slice(start + 1, first);
    let variable: string | undefined;
    let expansion: string | undefined;
    let pieces = shape === "" ? 0 : 1;
    let at = first;
    for (let code = DOLLAR; code !== DOUBLE; code = text.charCodeAt(at)) {
      pieces++;
      if (code === DOLLAR) {
        this.at = at;
        expansion = this.#expansion();
        if (expansion === undefined) return undefined;
        if (text.charCodeAt(at + 1) !== PARENTHESIS) {
          if (isLonger(text.charCodeAt(this.at))) return undefined;
          if (shape === "") variable = text.slice(at + 1, this.at);
        }
        shape += expansion;
        at = this.at;
      } else {
        const end = this.#literalEnd(at);
        if (end === undefined) return undefined;
        shape += text.slice(at, end);
        at = end;
      }
    }
    this.at = at + 1;
    const value = text.slice(start + 1, at);
    this.#addSpaced(start, value);
    const word: OpenWord = { raw: text.slice(start, at + 1), text: value, shape, splits: false };
    if (variable !== undefined) word.variable = variable;
    if (pieces === 1 && expansion === NUMBER) word.integer = true;
    return word;
  }

  /** The end of a text behind an expansion in double quotes; undefined if it has another meaning. */
  #literalEnd(start: number): number | undefined {
    const text = this.text;
    let at = start;
    let code = text.charCodeAt(at);
    // Expansions before it may be empty.
    if (code === TILDE) return undefined;
    for (; code !== DOUBLE && code !== DOLLAR; code = text.charCodeAt(++at)) {
      if (!(code < 128) || (QUOTED[code]! & 2) === 0) return undefined;
      if (code === BRACKET && isMarked(text.charCodeAt(at + 1))) return undefined;
    }
    return at;
  }

  /** A word that is one variable or substitution without quotes. */
  #openWord(): Word | undefined {
    const text = this.text;
    const start = this.at;
    const shape = this.#expansion();
    if (shape === undefined) return undefined;
    const raw = text.slice(start, this.at);
    const word: OpenWord = { raw, text: raw, shape, splits: shape !== NUMBER };
    if (raw.charCodeAt(1) !== PARENTHESIS) word.variable = raw.slice(1);
    if (shape === NUMBER) word.integer = true;
    return word;
  }

  /** Reads a variable or a substitution. Returns its shape; undefined for any other expansion. */
  #expansion(): string | undefined {
    const text = this.text;
    const start = this.at;
    if (text.charCodeAt(start + 1) !== PARENTHESIS) {
      VARIABLE_AT.lastIndex = start + 1;
      if (!VARIABLE_AT.test(text)) return undefined;
      this.at = VARIABLE_AT.lastIndex;
      return HOLE;
    }
    this.at += 2;
    const { spaced, spacedTo, isSpacedKnown, inners } = this;
    const node = this.substituted();
    // The parser takes the word for a keyword wherever it stands in a substitution.
    if (node === undefined || text.slice(start, this.at).includes("case")) return undefined;
    this.spaced = spaced;
    this.spacedTo = spacedTo;
    this.isSpacedKnown = isSpacedKnown;
    this.inners = inners;
    const inner = { via: "$( )", node };
    if (inners === undefined) this.inners = [inner];
    else inners.push(inner);
    const prints = this.printedKind(node);
    return prints === undefined ? HOLE : prints === "integer" ? NUMBER : NAME;
  }

  /** Adds the text before a word that was just read, and the word's own without its quotes, to the text in canonical spacing. */
  #addSpaced(start: number, value: string): void {
    this.spaced += this.text.slice(this.spacedTo, start) + value;
    this.spacedTo = this.at;
    // The texts of lists end in no blank.
    if (value.charCodeAt(value.length - 1) === BLANK) this.isSpacedKnown = false;
  }
}

/** A word that is being put together. */
type OpenWord = { -readonly [Key in keyof Word]: Word[Key] };

/** True for the character of a subscript or a modifier behind a variable in quotes, of which zsh takes it to be a part. */
function isLonger(code: number): boolean {
  return code === BRACKET || code === 0x3a;
}
