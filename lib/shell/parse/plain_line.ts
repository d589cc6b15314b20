/**
 * The lines that most commands are: words without wildcards and escapes, in which variables and substitutions of such lines may stand,
 * assignments of plain words before a command, redirections to them, one here-document behind the line, and `for` loops, with single blanks between them, in lists and pipelines.
 * They are read in one pass, and into the very tree that the parser's becomes; any other line is left to that.
 * `tests/laws/shell_plain_line_test.ts` compares the two.
 */
import { commandDifferences, hasDifferences, READ_BY_NAME } from "./command_differences.ts";
import { knownWord, PLAIN } from "./known_words.ts";
import type { ParseLineOptions } from "./parse_with_parser.ts";
import { PlainGaps } from "./plain_gaps.ts";
import { VARIABLE } from "./plain_words.ts";
import type { Shell } from "./shell.ts";
import type {
  Assignment,
  Block,
  Node,
  ParsedLine,
  Redirect,
  Sequence,
  Simple,
  Word,
} from "./tree.ts";

/** The longest line that is read here, in UTF-16 code units. */
const LONGEST = 8_192;

/** The names before which the parser reads no simple command, or reads words in a way of its own. */
const OTHERS: ReadonlySet<string> = new Set([
  ..."if then else elif fi do done for while until in case esac function select coproc time".split(
    " ",
  ),
  ..."local alias export declare typeset readonly eval let".split(" "),
]);

/** The most substitutions and loops around a command. */
const MAX_DEPTH = 4;

/** A plain line; undefined for any other. */
export function plainLine(text: string, options: ParseLineOptions): ParsedLine | undefined {
  if (text.length > LONGEST) return undefined;
  const reader = new PlainReader(text, options);
  const node = reader.line();
  if (node === undefined || reader.isOpen) return undefined;
  const { spacedText } = reader;
  return spacedText === undefined
    ? { node, definesFunctions: false }
    : { node, definesFunctions: false, spacedText };
}

const NONE: readonly never[] = [];

/** Reads one line from left to right. */
class PlainReader extends PlainGaps {
  readonly #shell: Shell;

  constructor(text: string, { shell, printedKind }: ParseLineOptions) {
    super(text, printedKind);
    this.#shell = shell;
  }

  line(): Node | undefined {
    const first = this.#list();
    if (first === undefined || this.separator !== ";") return first;
    const nodes = [first];
    const operators: Sequence["operators"][number][] = [";"];
    while (this.separator === ";") {
      const next = this.#list();
      if (next === undefined) return undefined;
      nodes.push(next);
      operators.push(";");
    }
    return { kind: "sequence", nodes, operators };
  }

  protected override substituted(): Node | undefined {
    if (++this.depth > MAX_DEPTH) return undefined;
    this.substitutions++;
    const node = this.line();
    this.substitutions--;
    this.depth--;
    if (node === undefined || this.separator !== ")") return undefined;
    this.found("word", this.at + 1);
    return node;
  }

  /** Pipelines with `&&` and `||` between them. */
  #list(): Node | undefined {
    const first = this.#pipeline();
    if (first === undefined || this.separator !== "&&" && this.separator !== "||") return first;
    const nodes = [first];
    const operators: Sequence["operators"][number][] = [];
    while (this.separator === "&&" || this.separator === "||") {
      operators.push(this.separator);
      const next = this.#pipeline();
      if (next === undefined) return undefined;
      nodes.push(next);
    }
    return { kind: "sequence", nodes, operators };
  }

  #pipeline(): Node | undefined {
    const first = this.#command();
    if (first === undefined || this.separator !== "|") return first;
    const nodes: Node[] = [first];
    while (this.separator === "|") {
      const next = this.#command();
      if (next === undefined) return undefined;
      nodes.push(next);
    }
    return { kind: "pipe", nodes };
  }

  #command(): Simple | Block | undefined {
    const start = this.at;
    let name = this.plainWord();
    let assignments: Assignment[] | undefined;
    while (name !== undefined && name.raw.includes("=")) {
      const assignment = this.#assignment(name.raw);
      if (assignment === undefined) return undefined;
      (assignments ??= []).push(assignment);
      name = this.plainWord();
    }
    if (name === undefined) return undefined;
    if (!OTHERS.has(name.raw)) return this.#simple(name, { start, assignments });
    return name.raw === "for" && assignments === undefined ? this.#loop(start) : undefined;
  }

  /** A simple command, of which all before its arguments was just read. */
  #simple(
    name: Word,
    { start, assignments }: {
      readonly start: number;
      readonly assignments: readonly Assignment[] | undefined;
    },
  ): Simple | undefined {
    this.inners = undefined;
    const words = [name];
    let redirects: Redirect[] | undefined;
    let isAsWritten = assignments === undefined;
    let end = this.at;
    this.separate();
    while (this.separator === "word") {
      const operator = this.operator();
      if (operator === undefined) {
        const word = this.word();
        if (word === undefined) return undefined;
        words.push(word);
        if (word.raw !== word.shape) isAsWritten = false;
      } else {
        const redirect = this.redirect(operator);
        if (redirect === undefined) return undefined;
        if (redirects === undefined) redirects = [redirect];
        else redirects.push(redirect);
      }
      end = this.at;
      this.separate();
    }
    if (this.separator === "other") return undefined;
    if (redirects !== undefined) isAsWritten = this.isSpacedKnown = false;
    const text = this.text.slice(start, end);
    if (READ_BY_NAME.has(name.raw) && this.#mayDiffer(words, text)) return undefined;
    const command: { -readonly [Key in keyof Simple]: Simple[Key] } = {
      kind: "simple",
      text,
      assignments: assignments ?? NONE,
      words,
      redirects: redirects ?? NONE,
      inners: this.inners ?? NONE,
      unknowns: NONE,
      arithmetic: NONE,
    };
    if (isAsWritten) command.isAsWritten = true;
    return command;
  }

  /** `for name in words; do commands; done`, of which the first word was just read. */
  #loop(start: number): Block | undefined {
    if (++this.depth > MAX_DEPTH) return undefined;
    const name = this.#nextWord()?.raw;
    if (name === undefined || OTHERS.has(name) || !VARIABLE.test(name)) return undefined;
    this.inners = undefined;
    const words = this.#loopWords();
    const inners = this.inners ?? NONE;
    const body = words && this.#body();
    if (words === undefined || body === undefined) return undefined;
    this.depth--;
    this.isSpacedKnown = false;
    const text = this.text.slice(start, this.at);
    this.separate();
    if (this.separator === "word" || this.separator === "other") return undefined;
    return {
      kind: "block",
      text,
      nodes: [body],
      redirects: NONE,
      name: "for",
      runs: "often",
      sets: { name, words },
      inners,
      unknowns: NONE,
      arithmetic: NONE,
    };
  }

  /** The words of a loop behind `in`, and its `do`. */
  #loopWords(): readonly Word[] | undefined {
    if (this.#nextWord()?.raw !== "in") return undefined;
    const words: Word[] = [];
    for (this.separate(); this.separator === "word"; this.separate()) {
      const word = this.word();
      if (word === undefined) return undefined;
      words.push(word);
    }
    const isRead = this.separator === ";" && words.length > 0 && this.plainWord()?.raw === "do";
    return isRead ? words : undefined;
  }

  /** The plain word behind the last one. */
  #nextWord(): Word | undefined {
    this.separate();
    return this.separator === "word" ? this.plainWord() : undefined;
  }

  /** The commands of a loop, and its `done`. */
  #body(): Node | undefined {
    this.separate();
    let isNext = this.separator === "word";
    const nodes: Node[] = [];
    const operators: ";"[] = [];
    do {
      const node = isNext ? this.#list() : undefined;
      isNext = this.separator === ";";
      if (node === undefined || !isNext) return undefined;
      nodes.push(node);
      operators.push(";");
    } while (!this.#isDone());
    return nodes.length === 1 ? nodes[0] : { kind: "sequence", nodes, operators };
  }

  /** True behind `done`, which is then read. */
  #isDone(): boolean {
    const start = this.at;
    if (!this.text.startsWith("done", start)) return false;
    if (this.plainWord()?.raw === "done") return true;
    this.at = start;
    return false;
  }

  /** The assignment that was just read as a word, before a further word; undefined for any other. */
  #assignment(raw: string): Assignment | undefined {
    const equals = raw.indexOf("=");
    const end = this.at;
    const start = end - raw.length + equals + 1;
    let hash = 0;
    for (let at = start; at < end; at++) {
      const code = this.text.charCodeAt(at);
      if (PLAIN[code] !== 1) return undefined;
      hash = Math.imul(hash, 31) + code | 0;
    }
    const name = raw.slice(0, equals);
    this.separate();
    if (start === end || this.separator !== "word" || !VARIABLE.test(name)) return undefined;
    return { raw, name, value: knownWord(this.text, { start, end, hash }) };
  }

  #mayDiffer(words: readonly Word[], text: string): boolean {
    return hasDifferences(commandDifferences(words, { text, shell: this.#shell }));
  }
}
