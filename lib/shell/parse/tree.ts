/** Stands in a shape for a piece that the line does not fix: any text, none, or (unquoted) several words. */
export const HOLE = "\uF8FF";

/** Stands in a shape for a piece that the line does not fix, but that stays in one word and never begins with "-". */
export const NAME = "\uF8FE";

/** Stands in a shape for a piece that is certainly an integer: `$?`, `$((…))`. */
export const NUMBER = "\uF8FD";

/** One word of a command, quoting undone. */
export interface Word {
  /** As written. */
  readonly raw: string;
  /** The text with quoting undone; expansions stand as written. */
  readonly text: string;
  /** The text with quoting undone and a HOLE, NAME or NUMBER for each piece that the line does not fix. */
  readonly shape: string;
  /** True if it may become several words or none: unquoted expansions, `"$@"`, braces that cannot be expanded here. */
  readonly splits: boolean;
  /** The word as a string glob, its literal text escaped; only if every unknown piece is a file name glob. */
  readonly glob?: string;
  /** True if wildcards stand among pieces that the line does not fix, so that it may become several words but is no glob. */
  readonly isWild?: true;
  /** True for a glob if the names that it stands for are plain: no blanks, quotes or wildcards, no "-" at the start. */
  readonly isPlain?: boolean;
  /** The words that its braces expand to, if they can be expanded here. */
  readonly choices?: readonly Word[];
  /** True for `<(…)` and `>(…)` alone: a pipe to a command of the line, no file that a rule could name. */
  readonly isPipe?: true;
  /** The words of the loop, of which it is one, for `"$f"` in `for f in a b`. */
  readonly oneOf?: readonly Word[];
  /** The variable that the word begins with: `f` in `"$f.bak"`. */
  readonly variable?: string;
  /** True if it is certainly an integer: `$((…))`, `$#`. */
  readonly integer?: boolean;
}

/** The literal text of a word; undefined if the line does not fix it. */
export function literalOf(word: Word): string | undefined {
  return isFixed(word.shape) ? word.shape : undefined;
}

/** True if a shape has no unknown piece. */
export function isFixed(shape: string): boolean {
  return firstOpen(shape) === shape.length;
}

/** The offset of a shape's first unknown piece; its length if there is none. */
export function firstOpen(shape: string): number {
  // Engines have many kinds of strings, so that each look at a length takes a search for its kind.
  const { length } = shape;
  for (let at = 0; at < length; at++) {
    const code = shape.charCodeAt(at);
    if (code >= FIRST_OPEN && code <= LAST_OPEN) return at;
  }
  return length;
}

const FIRST_OPEN = NUMBER.charCodeAt(0);
const LAST_OPEN = HOLE.charCodeAt(0);

/** A shape for people: "…" stands for each unknown piece. */
export function shownShape(shape: string): string {
  return shape.replace(/[\uF8FD-\uF8FF]/g, "…");
}

/** A word whose text is literal. */
export function fixedWord(text: string): Word {
  return { raw: text, text, shape: text, splits: false };
}

/** A word of which only the shape is known: an argument that another program adds. */
export function wordOfShape(shape: string, options: { raw?: string; splits?: boolean } = {}): Word {
  const { raw = shownShape(shape), splits = false } = options;
  return { raw, text: raw, shape, splits };
}

/** The words at some places; by `push`, as `eachWord` says. */
export function wordsAt(words: readonly Word[], places: readonly number[]): readonly Word[] {
  const found: Word[] = [];
  for (const place of places) found.push(words[place]!);
  return found;
}

/**
 * The words that others become. Lists of words are made by `push`: one that `map` makes is of another kind to V8, which then
 * compiles all that read words anew.
 */
export function eachWord(words: readonly Word[], become: (word: Word) => Word): readonly Word[] {
  const found: Word[] = [];
  for (const word of words) found.push(become(word));
  return found;
}

/** The words that a word may be: those of its loop, with braces expanded. */
export function alternativesOf(word: Word): readonly Word[] {
  if (word.oneOf === undefined) return word.choices ?? [word];
  return word.oneOf.flatMap((each) => each.choices ?? [each]);
}

const NONE: readonly never[] = [];

/** A line inside a line. */
export interface InnerLine {
  /** The construct that holds it, for people: `$( )`, `` ` ` ``, `<( )`. */
  readonly via: string;
  /** The commands that it runs. */
  readonly node: Node;
}

/** Something whose effect is unknown. */
export interface UnknownPart {
  readonly text: string;
  /** The reason for people, as the end of “cannot be analysed: …”. */
  readonly why: string;
}

/** An arithmetic expression and its variables. */
export interface Arithmetic {
  readonly text: string;
  /** Variables that it reads; `1` and `@` for parameters. */
  readonly names: readonly string[];
  /** Those of them that it may set. */
  readonly sets: readonly string[];
}

/** The content of words besides text, in the order of the text. */
export interface Expansions {
  /** Lines inside the words. */
  readonly inners: readonly InnerLine[];
  /** Parts whose effect is unknown. */
  readonly unknowns: readonly UnknownPart[];
  /** Arithmetic expressions. */
  readonly arithmetic: readonly Arithmetic[];
}

/** `NAME=value`, `NAME+=value`, `NAME[index]=value`. */
export interface Assignment {
  /** As written. */
  readonly raw: string;
  readonly name: string;
  /** The value; for an array, a word with the text of all elements. */
  readonly value: Word;
}

/** A redirection, which opens a file or supplies text. */
export interface Redirect {
  /** As written. */
  readonly raw: string;
  /** The operator: `>` `>>` `<` `<>` `>|` `&>` `&>>` `>&` `<&`, `<<<`, `<<`. */
  readonly operator: string;
  /** The file, the descriptor, or the text of a here-string or here-document; absent if it cannot be parsed. */
  readonly target?: Word;
}

/** A simple command. */
export interface Simple extends Expansions {
  readonly kind: "simple";
  /** As written, with its redirections. */
  readonly text: string;
  /** The assignments before its name, or alone. */
  readonly assignments: readonly Assignment[];
  /** Its name and arguments; empty for assignments or redirections that stand alone. */
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** Set if its text is its words, of which none has a quote or a blank, with single blanks between them. */
  readonly isAsWritten?: true;
}

/** A command of words, without redirections and expansions of its own. */
export function simpleOf(
  words: readonly Word[],
  { text, assignments, isAsWritten }: Pick<Simple, "text" | "assignments"> & {
    readonly isAsWritten: boolean;
  },
): Simple {
  const node: Simple = {
    kind: "simple",
    text,
    assignments,
    words,
    redirects: NONE,
    inners: NONE,
    unknowns: NONE,
    arithmetic: NONE,
  };
  return isAsWritten ? { ...node, isAsWritten } : node;
}

/** Commands in sequence: `a; b & c && d || e`. */
export interface Sequence {
  readonly kind: "sequence";
  /** The commands; at least one, except in an empty function body. */
  readonly nodes: readonly Node[];
  /** The operator behind each node: as many as nodes or one fewer. */
  readonly operators: readonly (";" | "&" | "&&" | "||")[];
}

/** A pipeline of two commands or more: `a | b |& c`. */
export interface Pipe {
  readonly kind: "pipe";
  readonly nodes: readonly Node[];
}

/** A compound command: `if`, `case`, loops, groups, functions. Some of its commands run, in order, perhaps repeatedly. */
export interface Block extends Expansions {
  readonly kind: "block";
  /** For people: `( )`, `{ }`, `if`, `for`, `function f`, `coproc`. */
  readonly name: string;
  /** As written. */
  readonly text: string;
  /**
   * `own`: in a process of its own, so that a `cd` stays inside. `once`: from top to bottom. `some`: some branches. `often`:
   * repeatedly.
   */
  readonly runs: "own" | "once" | "some" | "often";
  /** The commands that may run. */
  readonly nodes: readonly Node[];
  /** The variable that a loop sets, with its words; without words for the parameters of the line itself. */
  readonly sets?: { readonly name: string; readonly words?: readonly Word[] };
  readonly redirects: readonly Redirect[];
}

/** Commands of a line. */
export type Node = Simple | Sequence | Pipe | Block;

export interface ParsedLine {
  /** Its commands; undefined if there are none. */
  readonly node: Node | undefined;
  /** The reason why the line as a whole is unknown; absent if it is known. */
  readonly fault?: string;
  /** True if it defines a function; text that is no code, such as a quoted word, defines none. */
  readonly definesFunctions: boolean;
  /** Its text in canonical spacing, for a line without redirections whose reader knows it. */
  readonly spacedText?: string;
}
