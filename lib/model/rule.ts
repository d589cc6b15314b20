import type { Action } from "./action.ts";
import type { SourceKind } from "./names.ts";

/** One rule of a policy. */
export interface Rule {
  /** The pattern as written. */
  readonly pattern: string;
  /** The action on calls that match the pattern. */
  readonly action: Action;
  /** The index among all rules of the policy. */
  readonly index: number;
  /** A text for people, in questions and explanations; never for the model. */
  readonly comment?: string;
  /** A text for the model; deny rules only. */
  readonly reason?: string;
  /** The expiry, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number;
  /** The rule's place in a file or among the flags. */
  readonly source: RuleSource;
}

/** The place of one rule or setting. */
export interface RuleSource {
  /** The kind that decides the rule's priority. */
  readonly kind: SourceKind;
  /** The file's path, the flag (`--allow`), or `defaults/permissions.toml` for the built-in rules. */
  readonly path: string;
  /** The line, from 1; for a flag, its number among the rule flags. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
}
