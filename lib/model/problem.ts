import type { Span } from "./span.ts";

/** The kinds of problem, for code; the message is for people. */
export type ProblemId =
  | "toml-syntax"
  | "json-syntax"
  | "unknown-key"
  | "wrong-type"
  | "missing-key"
  | "unknown-value"
  | "mixed-shapes"
  | "misplaced-reason"
  | "misplaced-key"
  | "invalid-date"
  | "invalid-pattern"
  | "never-fits"
  | "too-large";

/** An error or warning about the user's text. */
export interface Problem {
  /** Its kind. */
  readonly id: ProblemId;
  /** An error excludes the file; a warning does not. */
  readonly severity: "error" | "warning";
  /** One sentence without a final full stop: what cannot be read, the value in quotes, a colon and the detail. */
  readonly message: string;
  /** Its place in the text. */
  readonly span: Span;
  /** Advice: `Did you mean "allow"?`. */
  readonly hint?: string;
  /** A command that solves it; the hint then ends in a colon. */
  readonly command?: string;
}

/** A problem with its text, from which a report takes the excerpt. */
export interface FileProblem extends Problem {
  /** The file's path for people, or the flag (`--allow`) that held the text. */
  readonly path: string;
  /** The whole text of the file. */
  readonly text: string;
}
