import type { Policy } from "../../policy/compile/policy.ts";
import type { ToolRule } from "../../policy/compile/rule_table.ts";
import type { Request } from "../../policy/compile/facts.ts";
import { type Check, protectedReason } from "./check.ts";
import { protectedPlaces } from "./guarded_places.ts";
import { namesPlace } from "./names_place.ts";
import { placeName } from "./protected_place.ts";
import { fixedTarget, placesTouched } from "./target.ts";

/** The check of a call that edits a file: every spelling of its path counts. Undefined when it needs none. */
export function checkEdit(policy: Policy, request: Request): Check | undefined {
  const { profile, call } = request;
  const places = protectedPlaces(policy);
  for (const key of profile.firstArg ?? []) {
    const field = request.field(key);
    if (field.state !== "text") continue;
    const touched = placesTouched(fixedTarget(request.path(field.text), places), places);
    const allows = touched.length === 0 ? [] : fittingAllows(policy, request);
    const place = touched.find((each) => !allows.some((toolRule) => namesPlace(toolRule, each)));
    if (!place) continue;
    const reason = protectedReason(field.text, {
      does: "writes",
      name: placeName(place),
      why: place.why,
      relation: "in",
    });
    return { kind: "call", text: field.text, via: null, depth: 0, tool: call.tool, reason };
  }
  return undefined;
}

/**
 * The allow rules that fit, wherever they stand: one that a person gave for the session is to count too. One that ends
 * some day, where that is enforced, does not.
 */
export function fittingAllows(policy: Policy, request: Request): readonly ToolRule[] {
  return policy.candidates(request).filter((toolRule) => {
    const { rule, specifier } = toolRule;
    if (rule.action !== "allow" || !specifier || specifier.kind === "any") return false;
    if (policy.settings.enforceExpiry && rule.expiresAt !== undefined) return false;
    return toolRule.matches(request) === "yes";
  });
}
