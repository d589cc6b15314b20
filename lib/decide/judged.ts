import type { Action } from "../model/action.ts";
import type { Rule } from "../model/rule.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import type { Request } from "../policy/compile/facts.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { CommandLine } from "../shell/unit.ts";
import type { EvaluateOptions, MatchTrace } from "./walk.ts";
import { whyNot } from "./why_not.ts";

/** What is being judged. */
export interface EvalContext {
  /** The policy. */
  readonly policy: Policy;
  /** The call. */
  readonly request: Request;
  /** Its command line. */
  readonly line: CommandLine;
  /** How walks are made. */
  readonly options: EvaluateOptions;
}

/** A unit's verdict, and the facts that it was reached with. */
export interface UnitResult {
  /** The verdict. */
  readonly verdict: UnitVerdict;
  /** What rules asked about. */
  readonly request: Request;
  /** The rule that decided. */
  readonly rule: Rule | null;
}

/** What a walk makes of a unit. */
export function unitResult(
  trace: MatchTrace,
  { facts: request, unit, reason }: {
    facts: Request;
    unit: Pick<UnitVerdict, "text" | "kind" | "via"> & Partial<Pick<UnitVerdict, "depth" | "path">>;
    reason?: string;
  },
): UnitResult {
  const { action, by, rule, steps } = trace;
  const verdict: UnitVerdict = {
    text: unit.text,
    kind: unit.kind,
    via: unit.via,
    depth: unit.depth ?? 0,
    tool: request.call.tool,
    ...(unit.path === undefined ? {} : { path: unit.path }),
    action,
    by,
    rule,
    reason: reason ?? reasonFor(trace, request),
    steps,
  };
  return { verdict, request, rule };
}

const SAYS: Readonly<Record<Action, string>> = {
  allow: "allows it",
  deny: "denies it",
  ask: "asks about it",
};

/** Why a walk ended as it did, in one sentence without a final full stop. */
function reasonFor(trace: MatchTrace, request: Request): string {
  const { rule, toolRule } = trace;
  if (rule === null || toolRule === null) return "no rule fits";
  const name = `the ${rule.action} rule \`${rule.pattern}\``;
  if (trace.by === "safety") {
    return `${name} cannot be evaluated: ${whyNot(toolRule, request)}`;
  }
  if (rule.action === "deny" && rule.reason !== undefined) return rule.reason;
  return `${name} ${SAYS[rule.action]}`;
}
