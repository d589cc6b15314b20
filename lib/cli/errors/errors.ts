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
