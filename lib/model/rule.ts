import type { Action } from "./action.ts";
import type { RuleSource } from "./source.ts";

/** One rule of a policy. */
export interface Rule {
  /** The pattern as it was written. */
  readonly pattern: string;
  /** What the rule says. */
  readonly action: Action;
  /** Its place in the whole list, from 0. */
  readonly index: number;
  /** For people: shown when asking and in explain, never to the model. */
  readonly comment?: string;
  /** For the model; deny rules only. */
  readonly reason?: string;
  /** When it ends, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number;
  /** Where it stands. */
  readonly source: RuleSource;
}
