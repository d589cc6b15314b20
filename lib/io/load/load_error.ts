import { FileError } from "../runtime/runtime.ts";

/** Files that the policy stands in could not be read; each of them is in `errors`. */
export class LoadError extends Error {
  /** What failed, in the order of the sources; never empty. */
  readonly errors: readonly FileError[];

  /** The message is that of all errors, joined by semicolons. */
  constructor(errors: readonly FileError[]) {
    super(errors.map(({ message }) => message).join("; "), { cause: errors[0] });
    this.name = "LoadError";
    this.errors = errors;
  }
}

/** Runs `read` and keeps the FileError that it throws in `errors` instead; anything else goes on. */
export function collecting<T>(errors: FileError[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    errors.push(error);
    return undefined;
  }
}
