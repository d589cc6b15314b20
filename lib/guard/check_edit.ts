import type { Policy } from "../policy/policy.ts";
import type { Entry } from "../policy/rule_table.ts";
import type { Facts } from "../tools/facts.ts";
import { type Check, protectedReason } from "./check.ts";
import { guardedPlaces } from "./guarded_places.ts";
import { namesPlace } from "./names_place.ts";
import { placeName } from "./protected_place.ts";
import { fixedTarget, placesTouched } from "./target.ts";

/** The check of a call that edits a file: every spelling of its path counts. Undefined when it needs none. */
export function checkEdit(policy: Policy, facts: Facts): Check | undefined {
  const { profile, call } = facts;
  const places = guardedPlaces(policy);
  for (const key of profile.firstArg ?? []) {
    const field = facts.field(key);
    if (field.state !== "text") continue;
    const touched = placesTouched(fixedTarget(facts.path(field.text), places), places);
    const allows = touched.length === 0 ? [] : fittingAllows(policy, facts);
    const place = touched.find((each) => !allows.some((entry) => namesPlace(entry, each)));
    if (!place) continue;
    const reason = protectedReason(field.text, {
      does: "writes",
      name: placeName(place),
      why: place.why,
      reach: "in",
    });
    return { kind: "call", text: field.text, via: null, depth: 0, tool: call.tool, reason };
  }
  return undefined;
}

/**
 * The allow rules that fit, wherever they stand: one that a person gave for the session is to count too. One that ends
 * some day, where that is enforced, does not.
 */
export function fittingAllows(policy: Policy, facts: Facts): readonly Entry[] {
  return policy.candidates(facts).filter((entry) => {
    const { rule, spec } = entry;
    if (rule.action !== "allow" || !spec || spec.kind === "any") return false;
    if (policy.settings.enforceExpiry && rule.expiresAt !== undefined) return false;
    return entry.matches(facts) === "yes";
  });
}
