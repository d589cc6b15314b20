import type { Word } from "../parse/tree.ts";

/**
 * Something that a command does besides being run: `run` a program, write an `output`, `read` or `write` a file that is
 * its trade, fetch a `url`, set a variable (`name`), or what cannot be known (`odd`).
 */
export interface ProgramUse {
  /** What it does. */
  readonly kind: "run" | "output" | "read" | "write" | "url" | "name" | "unknown";
  /** For people: the words that do it. */
  readonly text: string;
  /** What is run, written, read, fetched or set. */
  readonly value: Word;
  /** The index of the last word that says so; an allow rule's literal text must reach past it. */
  readonly lastWord: number;
  /** Why it cannot be known; for `odd`. */
  readonly why?: string;
  /**
   * What an allow rule must be to cover it, where reaching past the word at `last` is not enough: `exact`: the whole text
   * without wildcards. `line`: the whole line, since what happens stands elsewhere in it.
   */
  readonly coverage?: "exact" | "line";
  /** Whether it is no more than what running an unknown program is. */
  readonly isOrdinaryScript?: true;
}

/** What a wrapper adds to the command's words: nothing, something for each `{}`, or further ones at the end. */
export type AddedArguments = "nothing" | "braces" | "end";

/** The command that a wrapper runs. */
export type Wrapped =
  /** The words from an index on, perhaps with further arguments of the wrapper's own. */
  | {
    readonly kind: "argv";
    readonly from: number;
    readonly to: number;
    readonly adds: AddedArguments;
  }
  /** A text that is a line of its own; `last` is the index of the last word that it is made of. */
  | { readonly kind: "line"; readonly text: string; readonly last: number }
  /** A script that comes by standard input. */
  | { readonly kind: "stdin" };

/** What the words of one command say. */
export interface CommandUse {
  /** What it does besides, in the order of the words. */
  readonly uses: readonly ProgramUse[];
  /** The commands that it runs. */
  readonly wrapped: readonly Wrapped[];
  /** Assignments among its words (`env A=1 x`), by index. */
  readonly assigns: readonly number[];
  /** Indices of the words that are global options of a program with sub-commands, and their values. */
  readonly globals: readonly number[];
  /** Whether it needs no allow rule beside a command that has one. */
  readonly isHarmless: boolean;
  /** Whether it needs no allow rule of its own. */
  readonly isTransparentWrapper: boolean;
  /** Whether running code is its trade. */
  readonly isInterpreter: boolean;
  /** What it prints, as far as that is known. */
  readonly prints?: "integer" | "name";
}
