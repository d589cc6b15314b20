import { strictness } from "../../model/action.ts";
import type { ToolProfiles } from "../compile/profiles.ts";
import { mayMeet, type RuleWords } from "./may_meet.ts";

/** Among which rules another one stands or is to stand. */
export interface Among {
  /** The rules of one file, in their order. */
  readonly rules: readonly RuleWords[];
  /** What is known about tools. */
  readonly profiles: ToolProfiles;
}

/**
 * The index of the rule of a file above which a new one goes; undefined for the end. A deny or ask goes above the first
 * rule that says less and may fit the same calls; where that cannot be told, it may. But an ask stays below every deny
 * that may fit the same calls: it would decide them in its place.
 */
export function placeFor(rule: RuleWords, among: Among): number | undefined {
  const at = weakerIndex(rule, among);
  if (at === undefined) return undefined;
  const place = Math.max(at, (beatenDenies(rule, among).at(-1) ?? -1) + 1);
  return place < among.rules.length ? place : undefined;
}

/** The index of the first rule that says less than this one and may decide calls that it fits; none for an allow. */
export function weakerIndex(rule: RuleWords, { rules, profiles }: Among): number | undefined {
  const at = rules.findIndex((other) =>
    strictness(other.action) < strictness(rule.action) &&
    mayMeet(other, { stricter: rule, profiles })
  );
  return at < 0 ? undefined : at;
}

/** The indexes of the denies that an ask may decide in the place of, if it stands above them; none for other rules. */
export function beatenDenies(rule: RuleWords, { rules, profiles }: Among): readonly number[] {
  if (rule.action !== "ask") return [];
  return rules.flatMap((other, index) =>
    other.action === "deny" && mayMeet(rule, { stricter: other, profiles }) ? [index] : []
  );
}
