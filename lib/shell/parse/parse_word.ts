import type {
  CommandExpansionPart,
  ParameterExpansionPart,
  WordPart,
  WordSyntax,
} from "./syntax.ts";
import { braceChoices } from "./braces.ts";
import { HOLE, NAME, NUMBER, type Word } from "./tree.ts";
import type { ContentsReader } from "./contents.ts";

/** Words that need no second look: no quoting, no expansion, nothing that two shells could read differently. */
const PLAIN = /^[\w\-./:=@%+,^]+$/;

/** Turns the parser's word into plain data, and gives what it contains to the reader. */
export function wordOf(syntax: WordSyntax, reader: ContentsReader): Word {
  const raw = syntax.text;
  if (PLAIN.test(raw)) return { raw, text: raw, shape: raw, splits: false };
  const parts = syntax.parts;
  if (!parts) return partless(syntax, reader);
  const builder = new WordBuilder(reader);
  let end = syntax.pos;
  for (const part of parts) {
    if (part.pos !== end) reader.addUnknown(raw, "its parts do not follow on each other");
    end = part.end;
    builder.add(part);
  }
  if (end !== syntax.end) reader.addUnknown(raw, "it has a part that cannot be read");
  return builder.word(raw);
}

/** The literal text of a word; undefined where the line does not fix it. */
export function literalOf(word: Word): string | undefined {
  return isFixed(word.shape) ? word.shape : undefined;
}

/** Whether a shape has no unknown piece. */
export function isFixed(shape: string): boolean {
  return firstOpen(shape) === shape.length;
}

/** Where the first piece of a shape stands that the line does not fix; its length when there is none. */
export function firstOpen(shape: string): number {
  for (let at = 0; at < shape.length; at++) {
    const code = shape.charCodeAt(at);
    if (code >= FIRST_OPEN && code <= LAST_OPEN) return at;
  }
  return shape.length;
}

const FIRST_OPEN = NUMBER.charCodeAt(0);
const LAST_OPEN = HOLE.charCodeAt(0);

/** A shape as people read it. */
export function shownShape(shape: string): string {
  return shape.replace(/[\uF8FD-\uF8FF]/g, "…");
}

/** A word that is what it says. */
export function fixedWord(text: string): Word {
  return { raw: text, text, shape: text, splits: false };
}

/** A word that stands for another program's argument, of which only this much is known. */
export function wordOfShape(shape: string, options: { raw?: string; splits?: boolean } = {}): Word {
  const { raw = shownShape(shape), splits = false } = options;
  return { raw, text: raw, shape, splits };
}

/** Substitutions and operators in a word that the parser takes for plain text, behind no backslash. */
const SUSPICIOUS = /[`()<>;&|'"]|\$[\w({@*#?!$'"-]/;

function partless(syntax: WordSyntax, reader: ContentsReader): Word {
  const { text: raw, value } = syntax;
  if (SUSPICIOUS.test(raw.replace(/\\[^]/g, "")) && !reader.isRegex) {
    reader.addUnknown(raw, "it holds what may be an expansion");
  }
  if (raw.startsWith("~") && !/^~(\/|$)/.test(raw)) {
    const rest = value.indexOf("/");
    return {
      raw,
      text: value,
      shape: HOLE + (rest < 0 ? "" : value.slice(rest)),
      splits: false,
    };
  }
  // A quoted tilde is a name, not the home folder.
  const text = value.startsWith("~") && !raw.startsWith("~") ? `./${value}` : value;
  return { raw, text: value, shape: text, splits: false };
}

/** Puts a word together from its parts. */
export class WordBuilder {
  readonly #reader: ContentsReader;
  #text = "";
  #shape = "";
  #glob = "";
  #splits = false;
  #onlyGlobs = true;
  #hasGlob = false;
  #hasBraces = false;
  #leads: string | undefined;
  #integer = false;
  #pieces = 0;

  constructor(reader: ContentsReader) {
    this.#reader = reader;
  }

  add(part: WordPart, quoted = false): void {
    this.#pieces++;
    switch (part.type) {
      case "Literal":
        return this.#literal(part.value, part.text);
      case "SingleQuoted":
      case "AnsiCQuoted":
        return this.#literal(part.value, "'");
      case "DoubleQuoted":
      case "LocaleString":
        this.#pieces--;
        if (part.parts.length === 0) this.#pieces++;
        if (this.#shape === "" && part.parts[0]?.type === "Literal") {
          this.#quotedTilde(part.parts[0]);
        }
        for (const child of part.parts) this.add(child, true);
        return;
      case "SimpleExpansion":
        return this.#variableNamed(part.text.slice(1), { raw: part.text, quoted });
      case "ParameterExpansion":
        return this.#parameter(part, quoted);
      case "CommandExpansion":
        return this.#substitution(part, quoted);
      case "ArithmeticExpansion":
        this.#reader.arithmetic(part.text, part.expression);
        this.#integer = true;
        return this.#unknown(part.text, NUMBER);
      case "ProcessSubstitution":
        this.#reader.processSubstitution(part);
        return this.#unknown(part.text, NAME);
      case "Glob":
      case "ExtendedGlob":
        return this.#globPart(part);
      case "BraceExpansion":
        for (const child of part.parts ?? []) this.#reader.visit(child);
        this.#hasBraces = true;
        this.#splits = true;
        return this.#unknown(part.text, HOLE);
    }
  }

  word(raw: string): Word {
    const choices = this.#hasBraces ? braceChoices(raw) : undefined;
    return {
      raw,
      text: this.#text,
      shape: this.#shape,
      splits: this.#splits,
      ...(this.#hasGlob && this.#onlyGlobs ? { glob: this.#glob } : {}),
      ...(choices ? { choices } : {}),
      ...(this.#leads === undefined ? {} : { leads: this.#leads }),
      ...(this.#pieces === 1 && this.#integer ? { integer: true } : {}),
    };
  }

  #quotedTilde(part: { readonly value: string }): void {
    if (part.value.startsWith("~")) this.#shape += "./";
  }

  #literal(value: string, raw: string): void {
    if (this.#shape === "" && value.startsWith("~") && raw === "'") this.#shape = "./";
    this.#text += value;
    this.#shape += value;
    this.#glob += value.replace(/[\\*?[\]{}]/g, "\\$&");
  }

  #unknown(raw: string, hole: string): void {
    this.#text += raw;
    this.#shape += hole;
    this.#onlyGlobs = false;
  }

  #globPart(part: Extract<WordPart, { type: "Glob" | "ExtendedGlob" }>): void {
    for (const child of part.parts ?? []) this.#reader.visit(child);
    this.#text += part.text;
    // A name that begins with a glob may begin with anything but a dot; with "-" too.
    this.#shape += this.#shape === "" ? HOLE : NAME;
    // An extended glob may begin a name with a dot, or stand for several globs.
    if (part.type === "ExtendedGlob") this.#onlyGlobs = false;
    const simple = part.type === "Glob" && part.kind !== "bracket";
    this.#glob += simple ? part.text : "*";
    this.#hasGlob = true;
  }

  #substitution(part: CommandExpansionPart, quoted: boolean): void {
    const prints = this.#reader.substitution(part);
    this.#integer = prints === "integer";
    // One name or number stays one word, quoted or not.
    const hole = prints === undefined ? HOLE : prints === "integer" ? NUMBER : NAME;
    this.#unknown(part.text, hole);
    this.#splits ||= !quoted && prints !== "integer";
  }

  #variableNamed(name: string, { raw, quoted }: { raw: string; quoted: boolean }): void {
    const integer = /^[?#$!]$/.test(name);
    if (this.#shape === "" && /^\w+$/.test(name)) this.#leads = name;
    this.#integer = integer;
    this.#unknown(raw, integer ? NUMBER : HOLE);
    this.#splits ||= !integer && (!quoted || name === "@");
  }

  #parameter(part: ParameterExpansionPart, quoted: boolean): void {
    this.#reader.parameter(part);
    // In double quotes and here-documents a single quote inside of an expansion quotes nothing.
    if (quoted && part.operation && part.text.includes("'")) {
      this.#reader.addUnknown(part.text, "its quotes are read in two ways");
    }
    const integer = part.prefix === "#";
    const plain = !part.operation && !part.prefix && !part.index;
    if (plain && this.#shape === "") this.#leads = part.parameter;
    this.#integer = integer;
    this.#unknown(part.text, integer ? NUMBER : HOLE);
    const many = part.parameter === "@" || part.index?.text === "@" || part.prefix === "!";
    this.#splits ||= !integer && (!quoted || many);
  }
}
