import type { UnitVerdict } from "../model/verdict.ts";

/**
 * Whether a unit asks because it cannot be known, and no rule that could not be evaluated is behind it: an allow rule for
 * the line to the letter, or without a spec, would answer it.
 */
export function asksUnread({ kind, action, by, steps }: UnitVerdict): boolean {
  if (kind !== "opaque" || action !== "ask" || by !== "safety") return false;
  return !steps.some(({ effect }) => effect === "raises");
}
