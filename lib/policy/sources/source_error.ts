/**
 * The environment does not say where a source stands, so that its rules cannot be read; wrong usage, not a broken file.
 * The message says what to set.
 */
export class SourceError extends Error {
  /** `message` is one sentence without a final full stop. */
  constructor(message: string) {
    super(message);
    this.name = "SourceError";
  }
}
