import type { Verdict } from "../model/verdict.ts";
import { nameOf } from "./rule_name.ts";
import type { SessionRule } from "./session_rules.ts";

/**
 * Who decides a call after rules of that action were added, where it is not they: they answer none of its questions, or
 * do not deny it. Undefined when they count.
 */
export function whoStillDecides(
  after: Verdict,
  { before, action }: { readonly before: Verdict; readonly action: SessionRule["action"] },
): string | undefined {
  const counts = action === "deny"
    ? after.action === "deny"
    : questionsOf(after) < questionsOf(before);
  if (counts) return undefined;
  return after.rule === null ? "that no rule fits" : nameOf(after.rule);
}

/** How many units are not allowed. */
export function questionsOf({ units }: Verdict): number {
  return units.filter(({ action }) => action !== "allow").length;
}
