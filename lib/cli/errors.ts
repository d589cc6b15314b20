/** How a UsageError helps further. */
export interface UsageHelp {
  /** What to do instead; one sentence. */
  readonly hint?: string;
  /** The command that does it; the hint then ends in a colon. */
  readonly command?: string;
  /** A word that was not known, and those that are: when one is near, a did-you-mean stands in place of the hint. */
  readonly unknown?: { readonly word: string; readonly known: readonly string[] };
}

/** The command line is wrong: exit status 64. */
export class UsageError extends Error {
  /** How to go on. */
  readonly help: UsageHelp;

  /** `message` is one sentence without a final full stop. */
  constructor(message: string, help: UsageHelp = {}) {
    super(message);
    this.name = "UsageError";
    this.help = help;
  }
}

/** What was read as input is wrong: exit status 65. */
export class InputError extends Error {
  /** What to do instead; one sentence. */
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
