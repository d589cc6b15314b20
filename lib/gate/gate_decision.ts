import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import type { GateDecision, GateStep } from "./gate.ts";
import type { GateModeName } from "./gate_parts.ts";
import type { Denial, Run } from "./stages/run_stages.ts";
import type { CallState, GateContext } from "./stages/stage.ts";

/** The decision that a run ended in. */
export function gateDecision({ passing, steps, denial }: Run, context: GateContext): GateDecision {
  const { policyVersion } = context;
  const { call, round } = passing;
  const decision = denial === undefined ? passing.decision : denied(passing, { denial, context });
  if (decision === undefined) throw new TypeError("The stages of the gate came to no decision");
  const last: GateStep = {
    stage: "decision",
    round,
    result: decision.decision,
    reason: decision.reason,
    decidedBy: decision.decidedBy,
  };
  return {
    ...decision,
    warnings: [...new Set(passing.warnings)],
    call,
    trace: [...steps, last],
    policyVersion,
    ...(denial !== undefined && "cause" in denial ? { cause: denial.cause } : {}),
  };
}

function denied(
  passing: CallState,
  { denial: { by, reason }, context }: {
    readonly denial: Denial;
    readonly context: GateContext;
  },
): Decision {
  const verdict = passing.evaluation?.verdict ?? verdictOn(passing, context);
  return {
    verdict,
    decision: "deny",
    mode: passing.decision?.mode ?? modeNow(context),
    decidedBy: by,
    reason,
    units: verdict.units.map((unit) => ({ ...unit, decision: "deny", decidedBy: by, reason })),
    warnings: passing.warnings,
  };
}

/** The verdict on a call that was denied before the rules were asked. */
function verdictOn({ call, fault }: CallState, { policy, now }: GateContext): Verdict {
  if (fault !== undefined) return notEvaluated(call, fault);
  try {
    const time = now();
    return evaluate(policy, call, time === undefined ? {} : { now: time });
  } catch (error) {
    // It is denied already; the verdict is only for the record.
    return notEvaluated(call, error instanceof Error ? error.message : String(error));
  }
}

function notEvaluated(call: ToolCall, detail: string): Verdict {
  const { tool } = call;
  const unknown = {
    action: "ask",
    by: "safety",
    rule: null,
    reason: `the rules cannot be evaluated: ${detail}`,
  } as const;
  const unit: UnitVerdict = {
    ...unknown,
    text: tool,
    kind: "call",
    via: null,
    depth: 0,
    tool,
    steps: [],
  };
  return { ...unknown, call, units: [unit], warnings: [] };
}

/** The mode for the record; one that cannot be read changes nothing about a deny. */
function modeNow({ mode }: GateContext): GateModeName {
  try {
    return mode();
  } catch {
    return "default";
  }
}
