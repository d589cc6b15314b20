import type { UnitVerdict } from "../../model/verdict.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { Evaluation } from "../evaluate.ts";
import { CLASSES_OF_KIND } from "../unit_result.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { type Check, fittingAllows, NO_CHECKS, protectedReason } from "./safety_check.ts";
import { checkForeign } from "./check_other_shell.ts";
import { checkLine } from "./check_line.ts";
import { checkNamed } from "./check_named.ts";
import { namesPlace } from "./names_place.ts";
import { placeName, protectedPlaces } from "./protected_places.ts";
import { fixedTarget, placesTouched, touchesNone } from "./target.ts";

/** A unit, and the check that its verdict alone does not pass. */
export interface ProtectedUnit {
  /** The unit with its verdict. */
  readonly unit: UnitVerdict;
  /** The reason why it is a question under every allow rule; absent if it is not. */
  readonly check?: string;
}

/**
 * The units of a verdict with the safety checks that rules do not lift: writing, moving or removing a protected file, or
 * changing the rules with caliban itself. What a line does besides, and no rule was asked about, is a unit more at the end.
 * A call that is denied needs none.
 */
export function protectedUnits(
  policy: CompiledPolicy,
  { request, verdict: { units } }: Evaluation,
): readonly ProtectedUnit[] {
  const checks = units.some(({ action }) => action === "deny") ? [] : checksOf(policy, request);
  if (checks.length === 0) return units.map((unit) => ({ unit }));
  const left = new Map<string, Check>();
  for (const check of checks) {
    const key = keyOf(check);
    if (!left.has(key)) left.set(key, check);
  }
  const known = new Set(units.map(keyOf));
  const checkedUnits = units.map((unit): ProtectedUnit => {
    const check = left.get(keyOf(unit));
    return check ? { unit, check: check.reason } : { unit };
  });
  const more = [...left].flatMap(([key, check]) => known.has(key) ? [] : [besides(check)]);
  return [...checkedUnits, ...more];
}

function checksOf(policy: CompiledPolicy, request: Request): readonly Check[] {
  const own = ownChecks(policy, request);
  const named = checkNamed(policy, request);
  return named.length === 0 ? own : [...own, ...named];
}

/** The checks of what the first argument is about. */
function ownChecks(policy: CompiledPolicy, request: Request): readonly Check[] {
  const { profile } = request;
  if (profile.kind === "command" && profile.shell !== "other") return checkLine(policy, request);
  const edits = profile.class === "edit" && profile.kind === "path";
  const check = profile.kind === "command"
    ? checkForeign(policy, request)
    : edits
    ? checkEdit(policy, request)
    : undefined;
  return check ? [check] : NO_CHECKS;
}

function keyOf({ kind, text, via, depth }: Omit<Check, "tool" | "reason">): string {
  return kind === "call" ? kind : JSON.stringify([kind, text, via, depth]);
}

/** A unit that no rule was asked about. */
function besides({ reason, kind, text, via, depth, tool }: Check): ProtectedUnit {
  return {
    unit: {
      kind,
      text,
      via,
      depth,
      tool,
      action: "allow",
      by: "rule",
      rule: null,
      reason: "no deny or ask rule matches it",
      steps: [],
      classes: CLASSES_OF_KIND[kind],
    },
    check: reason,
  };
}

/** The check of a call that edits a file: every spelling of its path counts. Undefined when it needs none. */
function checkEdit(policy: CompiledPolicy, request: Request): Check | undefined {
  const { profile, call } = request;
  const places = protectedPlaces(policy);
  for (const key of profile.firstArg ?? []) {
    const field = request.field(key);
    if (field.state !== "text") continue;
    const path = request.path(field.text);
    if (touchesNone(path, places)) continue;
    const touched = placesTouched(fixedTarget(path, places), places);
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
