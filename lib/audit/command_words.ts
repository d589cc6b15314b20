/** A word of a text that is read as a shell reads a line. */
export interface CommandWord {
  /** Its first character, quotes included. */
  readonly start: number;
  /** The place behind it. */
  readonly end: number;
  /** Its text without quotes and backslashes. */
  readonly text: string;
  /** True for the text of a here-string. */
  readonly isHereString: boolean;
}

/** The commands of one pipeline, each with its words; redirections are left out, here-strings are not. */
export type Pipeline = readonly (readonly CommandWord[])[];

/** The most words that are read; words behind them are not. */
const MOST_WORDS = 20_000;

/** One step through a text: blanks, the end of a command, a redirection, or a piece of a word. */
const STEP =
  /(?<blank>(?:[ \t\r]|\\\n)+)|(?<end>\|\||&&|[;&\n(){}`]|\$\()|(?<pipe>\|&?)|(?<here><<<)|(?<redirect>\d?(?:<<-?|>>|<>|[<>])[&|]?)|(?<piece>'[^']*(?:'|$)|"(?:[^"\\]|\\[^])*(?:"|$)|(?:\\[^]|[^\s"'\\|;&<>(){}`$]|\$(?!\())+|\\$)/y;

/** The pipelines of any text: a command line, a script, prose. Linear; never throws. */
export function pipelinesOf(text: string): readonly Pipeline[] {
  const reader = new Reader();
  STEP.lastIndex = 0;
  for (let match = STEP.exec(text); match !== null; match = STEP.exec(text)) {
    const { blank, end, pipe, here, redirect } = match.groups ?? {};
    const at = STEP.lastIndex;
    if (blank !== undefined) reader.endWord();
    else if (pipe !== undefined) reader.endCommand();
    else if (end !== undefined) reader.endPipeline();
    else if (here !== undefined) reader.expect("here-string");
    else if (redirect !== undefined) reader.expect("file");
    else reader.add(match[0], at);
    if (at >= text.length || reader.count > MOST_WORDS) break;
    STEP.lastIndex = at;
  }
  reader.endPipeline();
  return reader.pipelines;
}

/** Collects words, commands and pipelines. */
class Reader {
  readonly pipelines: Pipeline[] = [];
  /** The number of words read. */
  count = 0;
  #pipeline: CommandWord[][] = [];
  #command: CommandWord[] = [];
  #word: { start: number; end: number; text: string } | undefined;
  #next: "word" | "file" | "here-string" = "word";

  /** Adds a piece that ends at a place to the word. */
  add(piece: string, end: number): void {
    const text = unquoted(piece);
    if (this.#word === undefined) this.#word = { start: end - piece.length, end, text };
    else this.#word = { start: this.#word.start, end, text: this.#word.text + text };
  }

  /** Begins a redirection, whose word is of that kind. */
  expect(kind: "file" | "here-string"): void {
    this.endWord();
    this.#next = kind;
  }

  endWord(): void {
    if (this.#word === undefined) return;
    const isHereString = this.#next === "here-string";
    if (this.#next !== "file") this.#command.push({ ...this.#word, isHereString });
    this.#word = undefined;
    this.#next = "word";
    this.count++;
  }

  endCommand(): void {
    this.endWord();
    this.#next = "word";
    if (this.#command.length > 0) this.#pipeline.push(this.#command);
    this.#command = [];
  }

  endPipeline(): void {
    this.endCommand();
    if (this.#pipeline.length > 0) this.pipelines.push(this.#pipeline);
    this.#pipeline = [];
  }
}

/** A piece of a word without its quotes and backslashes. */
export function unquoted(piece: string): string {
  if (piece.startsWith("'")) {
    return piece.slice(1, piece.endsWith("'") && piece.length > 1 ? -1 : undefined);
  }
  const inner = piece.startsWith('"')
    ? piece.slice(1, piece.endsWith('"') && piece.length > 1 ? -1 : undefined)
    : piece;
  return inner.includes("\\") ? inner.replace(/\\\n/g, "").replace(/\\([^])/g, "$1") : inner;
}
