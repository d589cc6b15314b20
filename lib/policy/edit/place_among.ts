import { strictness } from "../../model/call.ts";
import type { ToolProfiles } from "../compile/profiles.ts";
import { mayOverlap, type RuleText } from "./may_overlap.ts";

/** The rules among which another one is placed. */
export interface Among {
  /** The rules of one file, in their order. */
  readonly rules: readonly RuleText[];
  /** The known tools. */
  readonly profiles: ToolProfiles;
  /** The `[shell] wrappers`. */
  readonly wrappers?: readonly string[];
}

/**
 * The index of the rule of a file above which a new one goes; undefined for the end. A deny or ask goes above the first
 * less strict rule that may overlap it. But an ask stays below every deny that may overlap it, since it would decide in its
 * place.
 */
export function placeFor(rule: RuleText, among: Among): number | undefined {
  const at = weakerIndex(rule, among);
  if (at === undefined) return undefined;
  const place = Math.max(at, (beatenDenies(rule, among).at(-1) ?? -1) + 1);
  return place < among.rules.length ? place : undefined;
}

/** The index of the first less strict rule that may overlap this one; none for an allow. */
export function weakerIndex(rule: RuleText, { rules, ...context }: Among): number | undefined {
  for (const [at, other] of rules.entries()) {
    const isWeaker = strictness(other.action) < strictness(rule.action);
    if (isWeaker && mayOverlap(other, { ...context, stricter: rule })) return at;
  }
  return undefined;
}

/**
 * The indexes of the denies in whose place an ask may decide if it stands above them; none for other rules.
 */
export function beatenDenies(rule: RuleText, { rules, ...context }: Among): readonly number[] {
  if (rule.action !== "ask") return [];
  return rules.flatMap((other, index) =>
    other.action === "deny" && mayOverlap(rule, { ...context, stricter: other }) ? [index] : []
  );
}
