import type { Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import type { SessionRule } from "./gate_state.ts";

/**
 * The rule that decides a call although rules with that action were added: they answer none of its questions, or do not
 * deny it. Undefined if they count.
 */
export function whoStillDecides(
  after: Verdict,
  { before, action }: { readonly before: Verdict; readonly action: SessionRule["action"] },
): string | undefined {
  const counts = action === "deny"
    ? after.action === "deny"
    : questionsOf(after) < questionsOf(before);
  if (counts) return undefined;
  return after.rule === null ? "the default (no rule matches)" : nameOf(after.rule);
}

/** The number of units that are not allowed. */
export function questionsOf({ units }: Verdict): number {
  return units.filter(({ action }) => action !== "allow").length;
}

/** A rule with its place, for a sentence. */
export function nameOf({ action, pattern, source: { path, line } }: Rule): string {
  return `\`${action} ${pattern}\` (${path}:${line})`;
}
