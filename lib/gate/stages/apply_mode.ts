import { decideInMode, decisionOf } from "../../decide/decide.ts";
import type { Evaluation } from "../../decide/evaluate.ts";
import type { Decision, UnitDecision, UnitVerdict, Verdict } from "../../model/verdict.ts";
import { asksBySpecifier } from "../../decide/precedence.ts";
import { DISABLED, type Mode, modeNamed } from "../../decide/modes.ts";
import { isLasting, withUnitAnswers } from "../question.ts";
import { placesOf } from "../call_places.ts";
import { questionKey, withGivenAnswers } from "../given_answers.ts";
import type { GateModeName } from "../gate_parts.ts";
import type { CallState, Stage } from "./stage.ts";

/**
 * Applies the mode to the verdict and the tool's opinion, then the opinions of hooks and tool to what is still asked. A
 * hook's or tool's allow answers an ask of a built-in rule or of one without a specifier; a hook's ask stands in every mode.
 */
export const applyMode: Stage = {
  name: "mode",
  concerns: () => true,
  run(passing, context) {
    const { policy, limits, tool } = context;
    const evaluation = required(passing.evaluation);
    const { verdict, raised } = withTool(evaluation.verdict, {
      passing,
      needsPerson: tool?.needsPerson ?? false,
    });
    if (limits.rulesOnly && verdict.action !== "allow") {
      const reason = `${limits.denies ?? "only the rules decide"}; ${verdict.reason}`;
      return { kind: "denied", passing, by: "headless", reason };
    }
    const mode = context.mode();
    const decided = decideInMode(policy, { ...evaluation, verdict }, modeOf(mode));
    const units = decided.units.map((unit, index) =>
      raised.has(index) && unit.decision === "ask" ? { ...unit, decidedBy: "tool" } as const : unit
    );
    const asked = withOpinions(
      decisionOf(units, { ...decided, verdict: evaluation.verdict }),
      passing,
    );
    // Most calls ask nothing, and then no link need be followed.
    const isAbout = passing.answers !== undefined || asked.units.some(isAsking);
    const places = isAbout ? { places: placesOf(evaluation, policy) } : {};
    const questions = asked.units.map((unit) =>
      isAsking(unit) ? questionKey(unit, places) : undefined
    );
    const decision = withGivenAnswers(asked, { ...passing, ...places, questions });
    const { decision: result, reason } = decision;
    const warnings = [...passing.warnings, ...decided.warnings];
    return {
      kind: "next",
      passing: { ...passing, ...places, mode, decision, questions, warnings },
      result,
      reason,
    };
  },
};

function isAsking({ decision }: UnitDecision): boolean {
  return decision === "ask";
}

function required(evaluation: Evaluation | undefined): Evaluation {
  if (evaluation === undefined) throw new TypeError("Cannot ask the mode before the rules");
  return evaluation;
}

/** Throws TypeError where there is no such mode. */
function modeOf(name: GateModeName): Mode {
  const mode = name === "disabled" ? DISABLED : modeNamed(name);
  if (mode === undefined) throw new TypeError(`Unknown mode "${name}"`);
  return mode;
}

/**
 * The verdict with what the tool says: its ask makes a question of what the rules allow, and the asks of one that needs a
 * person are for a person. `raised` are the indexes of the units that it changed.
 */
function withTool(
  verdict: Verdict,
  { passing: { tool }, needsPerson }: {
    readonly passing: CallState;
    readonly needsPerson: boolean;
  },
): { readonly verdict: Verdict; readonly raised: ReadonlySet<number> } {
  const raised = new Set<number>();
  const by = needsPerson ? "safety" : "rule";
  const units = verdict.units.map((unit, index): UnitVerdict => {
    if (unit.action === "allow" && tool?.decision === "ask") {
      raised.add(index);
      return { ...unit, action: "ask", by, rule: null, reason: tool.reason };
    }
    if (unit.action !== "ask" || !needsPerson || unit.by === "safety") return unit;
    raised.add(index);
    return { ...unit, by };
  });
  if (raised.size === 0) return { verdict, raised };
  const [first] = raised;
  const { action, reason } = verdict.action === "allow" ? units[first!]! : verdict;
  return { verdict: { ...verdict, action, reason, units }, raised };
}

/**
 * True if a hook's or tool's allow answers a unit's ask: that of a built-in rule, of a rule without a specifier, or of no
 * rule; false for an unknown file that a written rule may be about.
 */
function isAnswerable(unit: UnitDecision): boolean {
  const { decision, decidedBy, rule, path } = unit;
  if (decision !== "ask" || isLasting(unit) || decidedBy === "tool") return false;
  return rule === null ? path !== "open" : !asksBySpecifier(unit);
}

function withOpinions(decision: Decision, { hooks, tool }: CallState): Decision {
  const answers = [
    ...(hooks?.decision === "allow" ? [{ by: "hook", reason: hooks.reason } as const] : []),
    ...(tool?.decision === "allow" ? [{ by: "tool", reason: tool.reason } as const] : []),
  ];
  const answered = answers.reduce(
    (before, answer) =>
      withUnitAnswers(
        before,
        { decision: "allow", ...answer },
        isAnswerable,
      ),
    decision,
  );
  if (hooks?.decision !== "ask") return answered;
  const answer = { decision: "ask", by: "hook", reason: hooks.reason } as const;
  return withUnitAnswers(answered, answer, (unit) => unit.decision !== "deny");
}
