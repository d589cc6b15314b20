import { PLAIN } from "./known_words.ts";
import { PlainWords } from "./plain_words.ts";
import { fixedWord, type Redirect } from "./tree.ts";

const TAB = 0x09;
const BREAK = 0x0a;
const BLANK = 0x20;
const AMPERSAND = 0x26;
const CLOSING = 0x29;
const LESS = 0x3c;
const SEMICOLON = 0x3b;
const GREATER = 0x3e;
const BAR = 0x7c;
const DELETE = 0x7f;

/** The delimiter of a here-document, quoted or not. */
const DELIMITER = /(['"]?)([A-Za-z_]\w*)\1/y;

/** Characters with a meaning to some shell in a here-document whose delimiter is not quoted. */
const OPEN = /[$`\\[]/;

type OpenRedirect = { -readonly [Key in keyof Redirect]: Redirect[Key] };

/** A here-document whose text stands behind the line. */
interface HereDocument {
  readonly redirect: OpenRedirect;
  readonly delimiter: string;
  readonly isQuoted: boolean;
}

/** The text between two commands; `end`: the line ends, `)`: a substitution ends, `other`: it is no plain line. */
type Separator = "|" | "&&" | "||" | ";" | "word" | "end" | ")" | "other";

/** Reads the text between the words and the commands of a plain line, and redirections. */
export abstract class PlainGaps extends PlainWords {
  /** The text between the last word and the next one. */
  protected separator: Separator = "word";
  /** The substitutions around this place. */
  protected substitutions = 0;

  /** Reads the text behind a word. */
  protected separate(): void {
    const text = this.text;
    const at = this.at;
    if (at === text.length) {
      this.separator = "end";
      return;
    }
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code === SEMICOLON) {
      if (at + 1 === text.length) this.found("end", at + 1);
      else this.found(next === BLANK ? ";" : "other", at + 2);
    } else if (code !== BLANK) this.#endAt(code);
    else if (next !== BAR && next !== AMPERSAND) this.found("word", at + 1);
    else if (text.charCodeAt(at + 2) === BLANK) this.found(next === BAR ? "|" : "other", at + 3);
    else {
      const isDouble = text.charCodeAt(at + 2) === next && text.charCodeAt(at + 3) === BLANK;
      this.found(!isDouble ? "other" : next === BAR ? "||" : "&&", at + 4);
    }
  }

  /** Reads the end of a substitution, or the text of a here-document. */
  #endAt(code: number): void {
    if (code === CLOSING && this.substitutions > 0) this.separator = ")";
    else if (code === BREAK && this.#readHereDocument()) this.found("end", this.text.length);
    else this.separator = "other";
  }

  protected found(separator: Separator, at: number): void {
    this.separator = separator;
    this.at = at;
  }

  /** The here-document of the line. */
  #hereDocument: HereDocument | undefined;

  /** The length of a redirection's operator at this place, with its descriptor; undefined without one. */
  protected operator(): number | undefined {
    const text = this.text;
    let at = this.at;
    let code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) code = text.charCodeAt(++at);
    if (code !== LESS && code !== GREATER) return undefined;
    const next = text.charCodeAt(at + 1);
    const isDouble = next === code || code === GREATER && next === AMPERSAND;
    return at - this.at + (isDouble ? 2 : 1);
  }

  /** A redirection with a plain word, or a here-document; undefined for any other. */
  protected redirect(length: number): Redirect | undefined {
    const text = this.text;
    const start = this.at;
    const head = text.slice(start, start + length);
    if (head === "<<") return this.#hereDocumentAt(start);
    const operator = head.charCodeAt(0) <= 0x39 ? head.slice(1) : head;
    if (operator === "<<") return undefined;
    this.at += length;
    const code = text.charCodeAt(this.at);
    if (operator === ">&") {
      // A descriptor of one digit, and nothing behind it.
      const behind = text.charCodeAt(this.at + 1);
      if (!(code >= 0x30 && code <= 0x39) || PLAIN[behind] !== undefined && PLAIN[behind] !== 0) {
        return undefined;
      }
    } else if (code === BLANK) this.at++;
    const target = this.plainWord();
    return target && { raw: text.slice(start, this.at), operator, target };
  }

  /** The first here-document of a line, whose text is read at the end of that. */
  #hereDocumentAt(start: number): Redirect | undefined {
    const text = this.text;
    if (this.depth > 0 || this.#hereDocument !== undefined) return undefined;
    DELIMITER.lastIndex = start + (text.charCodeAt(start + 2) === BLANK ? 3 : 2);
    const found = DELIMITER.exec(text);
    if (found === null) return undefined;
    this.at = DELIMITER.lastIndex;
    const redirect: OpenRedirect = {
      raw: text.slice(start, this.at),
      operator: "<<",
      target: NOTHING,
    };
    this.#hereDocument = { redirect, delimiter: found[2]!, isQuoted: found[1] !== "" };
    return redirect;
  }

  /** Reads the text of the here-document behind the first line, with which the whole text ends. Returns true if it is plain. */
  #readHereDocument(): boolean {
    const known = this.#hereDocument;
    if (known === undefined) return false;
    const { redirect, delimiter, isQuoted } = known;
    const text = this.text;
    let start = this.at + 1;
    const begin = start;
    for (
      let end = lineEnd(text, start);
      end - start !== delimiter.length || !text.startsWith(delimiter, start);
      end = lineEnd(text, start)
    ) {
      if (end === text.length) return false;
      start = end + 1;
    }
    for (let at = start + delimiter.length; at < text.length; at++) {
      if (text.charCodeAt(at) !== BREAK) return false;
    }
    const body = text.slice(begin, start);
    // The parser looks more closely at a "((" anywhere before the end of a here-document.
    if (text.includes("((") || !isPlainBody(body) || !isQuoted && OPEN.test(body)) return false;
    redirect.target = fixedWord(body);
    this.#hereDocument = undefined;
    return true;
  }

  /** True if the line has a here-document whose text was not read. */
  get isOpen(): boolean {
    return this.#hereDocument !== undefined;
  }
}

const NOTHING = fixedWord("");

function lineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** True for a text without control characters and without a continued line. */
function isPlainBody(body: string): boolean {
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (code < BLANK ? code !== BREAK && code !== TAB : code === DELETE) return false;
  }
  return !body.includes("\\\n");
}
