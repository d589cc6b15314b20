/** Stands in a shape for a piece that the line does not fix: any text, none, or (unquoted) several words. */
export const HOLE = "\uF8FF";

/** Stands in a shape for a piece that the line does not fix, but that is one piece of a word and never begins with "-". */
export const NAME = "\uF8FE";

/** Stands in a shape for a piece that surely is an integer: `$?`, `$((…))`. */
export const NUMBER = "\uF8FD";

/** One word of a command, quoting undone. */
export interface Word {
  /** As it is written. */
  readonly raw: string;
  /** Its text with quoting undone and what must be expanded as it is written. */
  readonly text: string;
  /** Its text with quoting undone and a HOLE, NAME or NUMBER for each piece that the line does not fix. */
  readonly shape: string;
  /** Whether it may become several words or none: unquoted expansions, `"$@"`, braces that cannot be counted out. */
  readonly splits: boolean;
  /** Set where every unknown piece is a file name glob: the word as a string glob, its literal text escaped. */
  readonly glob?: string;
  /** The words that its braces stand for, when they can be counted out. */
  readonly choices?: readonly Word[];
  /** The words of the loop that it is one of, for `"$f"` in `for f in a b`. */
  readonly oneOf?: readonly Word[];
  /** The variable that the word begins with, as `f` in `"$f.bak"`. */
  readonly leads?: string;
  /** Whether it surely is an integer: `$((…))`, `$#`. */
  readonly integer?: boolean;
}

/** A line inside a line, and what it stands in: `$( )`, a backtick, `<( )`. */
export interface Inner {
  /** What it stands in, for people. */
  readonly via: string;
  /** What it runs. */
  readonly node: Node;
}

/** Something whose effect cannot be known. */
export interface UnknownPart {
  /** Its text. */
  readonly text: string;
  /** Why, for people, as the end of “cannot be known: …”. */
  readonly why: string;
}

/** Arithmetic, and the names that it reads. */
export interface Arithmetic {
  /** Its text. */
  readonly text: string;
  /** Variables that it reads; `1` and `@` for parameters. */
  readonly names: readonly string[];
  /** Those of them that it may set. */
  readonly sets: readonly string[];
}

/** What words hold besides text. */
export interface Contents {
  /** Lines inside of it, in the order of the text. */
  readonly inners: readonly Inner[];
  /** What cannot be known of it. */
  readonly unknowns: readonly UnknownPart[];
  /** Arithmetic in it. */
  readonly arithmetic: readonly Arithmetic[];
}

/** `NAME=value`, `NAME+=value`, `NAME[index]=value`. */
export interface Assignment {
  /** As it is written. */
  readonly raw: string;
  /** The variable. */
  readonly name: string;
  /** The value; for an array a word whose text is that of all elements. */
  readonly value: Word;
}

/** A redirection that opens a file, or feeds text. */
export interface Redirect {
  /** As it is written. */
  readonly raw: string;
  /** The operator: `>` `>>` `<` `<>` `>|` `&>` `&>>` `>&` `<&`, `<<<`, `<<`. */
  readonly operator: string;
  /** The file, the descriptor, or the text of a here-string or here-document; absent where it could not be read. */
  readonly target?: Word;
}

/** A simple command. */
export interface Simple extends Contents {
  /** A command. */
  readonly kind: "simple";
  /** As it is written, its redirections included. */
  readonly text: string;
  /** Assignments before its name, or alone. */
  readonly assignments: readonly Assignment[];
  /** Its name and arguments; empty for assignments or redirections that stand alone. */
  readonly words: readonly Word[];
  /** Its redirections. */
  readonly redirects: readonly Redirect[];
}

/** Commands that run one after another: `a; b & c && d || e`. */
export interface Sequence {
  /** Commands one after another. */
  readonly kind: "sequence";
  /** At least one. */
  readonly nodes: readonly Node[];
  /** What stands behind each node: one fewer than nodes or as many. */
  readonly operators: readonly (";" | "&" | "&&" | "||")[];
}

/** `a | b |& c`. */
export interface Pipe {
  /** A pipeline of two commands or more. */
  readonly kind: "pipe";
  /** Its commands. */
  readonly nodes: readonly Node[];
}

/** Commands of which some may run, in this order, perhaps often: `if`, `case`, loops, groups, functions. */
export interface Block extends Contents {
  /** A compound command. */
  readonly kind: "block";
  /** For people: `( )`, `{ }`, `if`, `for`, `function f`, `coproc`. */
  readonly name: string;
  /** As it is written. */
  readonly text: string;
  /** `own`: in a process of its own, so that a `cd` stays inside. `once`: runs from top to bottom. `some`: branches. */
  readonly runs: "own" | "once" | "some" | "often";
  /** What may run. */
  readonly nodes: readonly Node[];
  /** The variable that a loop sets, with its words; no words for those of the line itself. */
  readonly sets?: { readonly name: string; readonly words?: readonly Word[] };
  /** Its redirections. */
  readonly redirects: readonly Redirect[];
}

/** What a line runs. */
export type Node = Simple | Sequence | Pipe | Block;

/** A line, read. */
export interface Line {
  /** What it runs; absent when there is nothing. */
  readonly node: Node | undefined;
  /** Why the line as a whole cannot be known; absent when it can. */
  readonly fault?: string;
}
