import type { Span } from "./place.ts";

/** The kinds of problem, for code that must tell them apart; the message is for people. */
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

/** Something wrong in the user's text. */
export interface Problem {
  /** What kind of fault it is. */
  readonly id: ProblemId;
  /** An error stops the file from being used; a warning does not. */
  readonly severity: "error" | "warning";
  /** One sentence: what could not be read, the value in quotes, a colon and the detail. No final full stop. */
  readonly message: string;
  /** Where it stands. */
  readonly span: Span;
  /** What to do about it, as `Did you mean "allow"?`. */
  readonly hint?: string;
  /** The command that does it; the hint then ends in a colon. */
  readonly command?: string;
}

/** A problem together with the text it is about, ready to be shown with its line underlined. */
export interface FileProblem extends Problem {
  /** The file's path as it is shown to people, or the flag (`--allow`) that the text came from. */
  readonly path: string;
  /** The whole text of the file, for the excerpt. */
  readonly text: string;
}
