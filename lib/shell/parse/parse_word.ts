import type { ExpansionReader } from "./expansions.ts";
import type {
  CommandExpansionPart,
  ParameterExpansionPart,
  WordPart,
  WordSyntax,
} from "./unbash.ts";
import { expandBraces } from "./expand_braces.ts";
import { HOLE, NAME, NUMBER, type Word } from "./tree.ts";
import { mayBeZsh } from "./shell.ts";
import {
  braceDifference,
  hasModifier,
  literalDifference,
  partDifference,
} from "./word_differences.ts";

/** Words without quoting or expansions, which every shell reads in the same way. */
const PLAIN = /^(?!=)[\w\-./:=@%+,^]+$/;

/** The parser's word as plain data; its expansions go to the reader. */
export function wordOf(syntax: WordSyntax, reader: ExpansionReader): Word {
  const raw = syntax.text;
  if (PLAIN.test(raw)) return { raw, text: raw, shape: raw, splits: false };
  const parts = syntax.parts;
  const why = braceDifference(parts, { raw, shell: reader.shell });
  if (why !== undefined) reader.addUnknown(raw, why);
  if (!parts) return partless(syntax, reader);
  const builder = new WordBuilder(reader);
  let end = syntax.pos;
  for (const [index, part] of parts.entries()) {
    if (part.pos !== end) reader.addUnknown(raw, "its parts are not contiguous");
    end = part.end;
    builder.add(part, { quoted: false, next: parts[index + 1]?.text ?? "" });
  }
  if (end !== syntax.end) reader.addUnknown(raw, "part of it cannot be parsed");
  return builder.word(raw);
}

/** Unescaped substitutions and operators in a word that the parser takes for plain text. */
const SUSPICIOUS = /[`()<>;&|'"]|\$[\w({@*#?!$'"-]/;

function partless(syntax: WordSyntax, reader: ExpansionReader): Word {
  const { text: raw, value } = syntax;
  if (SUSPICIOUS.test(raw.replace(/\\[^]/g, "")) && !reader.isRegex) {
    reader.addUnknown(raw, "it may contain an expansion");
  }
  const why = literalDifference(raw, { shell: reader.shell, quoted: reader.isRegex });
  if (why !== undefined) reader.addUnknown(raw, why);
  if (raw.startsWith("~") && !/^~(\/|$)/.test(raw)) {
    // For an unknown user busybox leaves out the text behind the name.
    const rest = reader.shell === "sh" ? -1 : value.indexOf("/");
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

/** The surroundings of a part: double quotes or a here-document, and the text behind it in them. */
interface PartPlace {
  readonly quoted: boolean;
  readonly next: string;
}

/** Builds a word from its parts. */
export class WordBuilder {
  readonly #reader: ExpansionReader;
  #text = "";
  #shape = "";
  /** True while expansions alone make the shape, all of which may be empty. */
  #isOpen = true;
  #glob = "";
  #splits = false;
  #onlyGlobs = true;
  #hasGlob = false;
  #hasBraces = false;
  #leads: string | undefined;
  #integer = false;
  #isPipe = false;
  #pieces = 0;
  /** True behind an expansion that zsh takes to be longer. */
  #isLonger = false;

  constructor(reader: ExpansionReader) {
    this.#reader = reader;
  }

  add(part: WordPart, { quoted, next }: PartPlace): void {
    this.#pieces++;
    // An expansion before it may be empty.
    const begins = !quoted && this.#isOpen;
    const place = { shell: this.#reader.shell, quoted: !begins, next };
    const why = this.#reader.isRegex && part.type === "Literal"
      ? undefined
      : partDifference(part, place);
    if (why !== undefined) this.#reader.addUnknown(part.text, why);
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
        for (const [index, child] of part.parts.entries()) {
          this.add(child, { quoted: true, next: part.parts[index + 1]?.text ?? "" });
        }
        return;
      case "SimpleExpansion":
        return this.#variableNamed(part.text.slice(1), { raw: part.text, quoted, next });
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
        this.#isPipe = true;
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
    const choices = this.#hasBraces ? expandBraces(raw) : undefined;
    const word: { -readonly [Key in keyof Word]: Word[Key] } = {
      raw,
      text: this.#text,
      shape: this.#shape,
      splits: this.#splits,
    };
    if (this.#hasGlob && this.#onlyGlobs) word.glob = this.#glob;
    else if (this.#hasGlob) word.isWild = true;
    if (choices) word.choices = choices;
    if (this.#leads !== undefined) word.variable = this.#leads;
    if (this.#pieces === 1 && this.#integer) word.integer = true;
    if (this.#pieces === 1 && this.#isPipe) word.isPipe = true;
    return word;
  }

  #quotedTilde(part: { readonly value: string }): void {
    if (part.value.startsWith("~")) this.#extend("./");
  }

  /** Adds to the shape; in time that does not grow with it. */
  #extend(shape: string): void {
    this.#shape += shape;
    this.#isOpen &&= /^[\uF8FD-\uF8FF]*$/.test(shape);
  }

  #literal(value: string, raw: string): void {
    if (this.#shape === "" && value.startsWith("~") && raw === "'") this.#extend("./");
    const home = this.#shape === "" ? /^~[^/]+/ : /^~[^/]*/;
    const user = this.#isOpen ? home.exec(raw)?.[0].length ?? 0 : 0;
    if (this.#isLonger) {
      this.#isLonger = false;
      this.#unknown(value, "");
      return;
    }
    if (user > 0) {
      // The home folder of a user.
      this.#unknown(value, this.#reader.shell === "sh" ? HOLE : HOLE + value.slice(user));
      return;
    }
    this.#text += value;
    this.#extend(value);
    this.#glob += value.replace(/[\\*?[\]{}]/g, "\\$&");
  }

  #unknown(raw: string, hole: string): void {
    this.#text += raw;
    this.#extend(hole);
    this.#onlyGlobs = false;
  }

  #globPart(part: Extract<WordPart, { type: "Glob" | "ExtendedGlob" }>): void {
    for (const child of part.parts ?? []) this.#reader.visit(child);
    this.#text += part.text;
    // A name that begins with a glob may begin with any character but a dot, "-" included.
    this.#extend(this.#shape === "" ? HOLE : NAME);
    // An extended glob may match a leading dot, or stand for several globs.
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

  #variableNamed(name: string, { raw, quoted, next }: PartPlace & { raw: string }): void {
    const integer = /^[?#$!]$/.test(name);
    if (this.#shape === "" && /^\w+$/.test(name) && !hasModifier(next)) this.#leads = name;
    this.#integer = integer;
    this.#unknown(raw, integer ? NUMBER : HOLE);
    this.#isLonger = !integer && (hasModifier(next) || next.startsWith("[")) &&
      mayBeZsh(this.#reader.shell);
    this.#splits ||= !integer && (!quoted || name === "@" || this.#isLonger);
  }

  #parameter(part: ParameterExpansionPart, quoted: boolean): void {
    this.#reader.parameter(part);
    // In double quotes and here-documents, a single quote inside an expansion quotes nothing.
    if (quoted && part.operation && part.text.includes("'")) {
      this.#reader.addUnknown(part.text, "its quotes can be read in two ways");
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
