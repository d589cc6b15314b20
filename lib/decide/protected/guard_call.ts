import type { UnitVerdict, Verdict } from "../../model/verdict.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import type { Check } from "./check.ts";
import { checkEdit } from "./check_edit.ts";
import { checkForeign } from "./check_foreign.ts";
import { checkLine } from "./check_line.ts";

/** A unit, and the check that its verdict alone does not pass. */
export interface ProtectedUnit {
  /** The unit with what the rules say about it. */
  readonly unit: UnitVerdict;
  /** Why it is a question whatever allow rule fits; absent when it is not. */
  readonly check?: string;
}

/**
 * The units of a verdict with the safety checks that rules do not lift: writing, moving or removing a protected file, or
 * changing the rules with caliban itself. What a line does besides, and no rule was asked about, is a unit more at the end.
 * A call that is denied needs none.
 */
export function protectedUnits(policy: Policy, verdict: Verdict): readonly ProtectedUnit[] {
  const { call, units } = verdict;
  const checks = units.some(({ action }) => action === "deny") ? [] : checksOf(policy, call);
  if (checks.length === 0) return units.map((unit) => ({ unit }));
  const left = new Map<string, Check>();
  for (const check of checks) {
    const key = keyOf(check);
    if (!left.has(key)) left.set(key, check);
  }
  const known = new Set(units.map(keyOf));
  const guarded = units.map((unit): ProtectedUnit => {
    const check = left.get(keyOf(unit));
    return check ? { unit, check: check.reason } : { unit };
  });
  const more = [...left].flatMap(([key, check]) => known.has(key) ? [] : [besides(check)]);
  return [...guarded, ...more];
}

function checksOf(policy: Policy, call: Verdict["call"]): readonly Check[] {
  const request = policy.request(call);
  const { profile } = request;
  if (profile.kind === "command" && profile.shell !== "other") return checkLine(policy, request);
  const edits = profile.class === "edit" && profile.kind === "path";
  const check = profile.kind === "command"
    ? checkForeign(policy, request)
    : edits
    ? checkEdit(policy, request)
    : undefined;
  return check ? [check] : [];
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
      reason: "no deny or ask rule objects to it",
      steps: [],
    },
    check: reason,
  };
}
