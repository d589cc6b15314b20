/** The help that a UsageError carries. */
export interface UsageHelp {
  readonly hint?: string;
  /** The command that does it; the hint then ends in a colon. */
  readonly command?: string;
  /** An unknown word and the known ones: if one is close, a did-you-mean replaces the hint. */
  readonly unknown?: { readonly word: string; readonly known: readonly string[] };
}

/** The command line is wrong: exit status 64. */
export class UsageError extends Error {
  /** The hint and related help. */
  readonly help: UsageHelp;

  /** `message` is one sentence without a final full stop. */
  constructor(message: string, help: UsageHelp = {}) {
    super(message);
    this.name = "UsageError";
    this.help = help;
  }
}

/** Input is invalid: exit status 65. */
export class InputError extends Error {
  readonly hint: string | undefined;
  /** The command that does it; the hint then ends in a colon. */
  readonly command: string | undefined;

  /** `message` is one sentence without a final full stop. */
  constructor(
    message: string,
    options: { readonly hint?: string; readonly command?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "InputError";
    this.hint = options.hint;
    this.command = options.command;
  }
}

/** A file could not be written: exit status 73. */
export class WriteError extends Error {
  /** `message` is one sentence without a final full stop; `cause` is the FileError. */
  constructor(message: string, options: { readonly cause: unknown }) {
    super(message, { cause: options.cause });
    this.name = "WriteError";
  }
}

/** The exit statuses. 0, 1 and 2 have a meaning per verb; the others mean the same everywhere. */
export const EXIT = {
  ok: 0,
  allow: 0,
  deny: 1,
  ask: 2,
  stop: 2,
  usage: 64,
  badInput: 65,
  noInput: 66,
  bug: 70,
  cantWrite: 73,
} as const;

/** One line of a table of exit statuses. */
export interface ExitMeaning {
  readonly status: number;
  /** Its meaning; no final full stop. */
  readonly meaning: string;
}

/** The statuses of a verb that has none of its own. */
export const DONE: readonly ExitMeaning[] = [{ status: EXIT.ok, meaning: "done" }];

/** The statuses of errors, the same for every verb. */
export const ERROR_MEANINGS: readonly ExitMeaning[] = [
  { status: EXIT.usage, meaning: "wrong usage, or a missing permission flag" },
  { status: EXIT.badInput, meaning: "invalid policy or input" },
  { status: EXIT.noInput, meaning: "a named file is missing" },
  { status: EXIT.bug, meaning: "a bug in caliban, or a broken installation" },
  { status: EXIT.cantWrite, meaning: "cannot write" },
];
