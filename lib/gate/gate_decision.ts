import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import type { GateDecision, GateStep } from "./gate.ts";
import type { GateModeName } from "./gate_mode.ts";
import type { Denial, Run } from "./stages/run_stages.ts";
import type { Passing, Scene } from "./stages/stage.ts";

/** The decision that a run ended in. */
export function gateDecision({ passing, steps, denial }: Run, scene: Scene): GateDecision {
  const { policyVersion } = scene;
  const { call, round } = passing;
  const decision = denial === undefined ? passing.decision : denied(passing, { denial, scene });
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
  passing: Passing,
  { denial: { by, reason }, scene }: { readonly denial: Denial; readonly scene: Scene },
): Decision {
  const verdict = passing.verdict ?? verdictOn(passing, scene);
  return {
    verdict,
    decision: "deny",
    mode: passing.decision?.mode ?? modeNow(scene),
    decidedBy: by,
    reason,
    units: verdict.units.map((unit) => ({ ...unit, decision: "deny", decidedBy: by, reason })),
    warnings: passing.warnings,
  };
}

/** What the rules say about a call that was denied before they were asked. */
function verdictOn({ call, fault }: Passing, { policy, now }: Scene): Verdict {
  if (fault !== undefined) return unjudged(call, fault);
  try {
    const time = now();
    return evaluate(policy, call, time === undefined ? {} : { now: time });
  } catch (error) {
    // It is denied already; this only tells what else there is to tell.
    return unjudged(call, error instanceof Error ? error.message : String(error));
  }
}

function unjudged(call: ToolCall, detail: string): Verdict {
  const { tool } = call;
  const said = {
    action: "ask",
    by: "safety",
    rule: null,
    reason: `the rules cannot be asked: ${detail}`,
  } as const;
  const unit: UnitVerdict = {
    ...said,
    text: tool,
    kind: "call",
    via: null,
    depth: 0,
    tool,
    steps: [],
  };
  return { ...said, call, units: [unit], warnings: [] };
}

/** The mode for the record; one that cannot be read changes nothing about a deny. */
function modeNow({ mode }: Scene): GateModeName {
  try {
    return mode();
  } catch {
    return "default";
  }
}
