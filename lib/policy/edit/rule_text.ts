import type { Action } from "../../model/action.ts";
import { tomlPair } from "../../text/toml_text.ts";

/** A rule that is to be written into a file. */
export interface NewRule {
  /** Its pattern. */
  readonly pattern: string;
  /** What it says. */
  readonly action: Action;
  /** For people. */
  readonly comment?: string;
  /** For the model; deny rules only. */
  readonly reason?: string;
  /** When it ends, RFC 3339, as it is to stand there. */
  readonly expiresAt?: string;
}

/** A rule as a `[[permissions.rules]]` table, one key a line, each line ended by a line feed. */
export function ruleBlock(rule: NewRule): string {
  return ["[[permissions.rules]]", ...rulePairs(rule).map(tomlPair), ""].join("\n");
}

/** A rule as an inline table on one line. */
export function inlineRule(rule: NewRule): string {
  return `{ ${rulePairs(rule).map(tomlPair).join(", ")} }`;
}

/** What a rule says, key by key, in the order in which it is written. */
export function rulePairs(rule: NewRule): readonly (readonly [key: string, value: string])[] {
  const keys = [
    ["pattern", rule.pattern],
    ["action", rule.action],
    ["comment", rule.comment],
    ["reason", rule.reason],
    ["expires_at", rule.expiresAt],
  ] as const;
  return keys.flatMap(([key, value]) => value === undefined ? [] : [[key, value] as const]);
}
