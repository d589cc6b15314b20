import { applyMode, decisionOf } from "../../decide/decide.ts";
import type { Decision, UnitDecision } from "../../model/decision.ts";
import type { UnitVerdict, Verdict } from "../../model/verdict.ts";
import { asksBySpec } from "../../decide/modes/asks_by_spec.ts";
import type { Mode } from "../../decide/modes/mode.ts";
import { DISABLED, modeNamed } from "../../decide/modes/registry.ts";
import { isLasting, withSaid } from "../asks.ts";
import type { GateModeName } from "../gate_mode.ts";
import type { Passing, Stage } from "./stage.ts";

/**
 * What the mode makes of what the rules and the tool said; then what hooks and the tool said about what is still asked. A
 * hook's or tool's allow answers an ask of a built-in rule or of one without a spec; a hook's ask stands in every mode.
 */
export const askMode: Stage = {
  name: "mode",
  concerns: () => true,
  run(passing, scene) {
    const { policy, limits, tool } = scene;
    const rules = required(passing.verdict);
    const { verdict, raised } = withTool(rules, {
      passing,
      needsPerson: tool?.needsPerson ?? false,
    });
    if (limits.rulesOnly && verdict.action !== "allow") {
      const reason = `${limits.denies ?? "only the rules count"}; ${verdict.reason}`;
      return { kind: "denied", passing, by: "headless", reason };
    }
    const decided = applyMode(policy, verdict, modeOf(scene.mode()));
    const units = decided.units.map((unit, index) =>
      raised.has(index) && unit.decision === "ask" ? { ...unit, decidedBy: "tool" } as const : unit
    );
    const decision = withOpinions(decisionOf(units, { ...decided, verdict: rules }), passing);
    const { decision: result, reason } = decision;
    const warnings = [...passing.warnings, ...decided.warnings];
    return { kind: "goes-on", passing: { ...passing, decision, warnings }, result, reason };
  },
};

function required(verdict: Verdict | undefined): Verdict {
  if (verdict === undefined) throw new TypeError("Cannot ask the mode before the rules");
  return verdict;
}

/** Throws TypeError where there is no such mode. */
function modeOf(name: GateModeName): Mode {
  const mode = name === "disabled" ? DISABLED : modeNamed(name);
  if (mode === undefined) throw new TypeError(`There is no mode "${name}"`);
  return mode;
}

/**
 * The verdict with what the tool says: its ask makes a question of what the rules allow, and the asks of one that needs a
 * person are for a person. `raised` are the indexes of the units that it changed.
 */
function withTool(
  verdict: Verdict,
  { passing: { tool }, needsPerson }: { readonly passing: Passing; readonly needsPerson: boolean },
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
 * Whether a hook's or tool's allow answers a unit's ask: that of a built-in rule, of one without a spec, or of none. Not
 * where a file is open and a written rule guards some.
 */
function isAnswerable(unit: UnitDecision): boolean {
  const { decision, decidedBy, rule, path } = unit;
  if (decision !== "ask" || isLasting(unit) || decidedBy === "tool") return false;
  return rule === null ? path !== "open" : !asksBySpec(unit);
}

function withOpinions(decision: Decision, { hooks, tool }: Passing): Decision {
  const answers = [
    ...(hooks?.decision === "allow" ? [{ by: "hook", reason: hooks.reason } as const] : []),
    ...(tool?.decision === "allow" ? [{ by: "tool", reason: tool.reason } as const] : []),
  ];
  const answered = answers.reduce(
    (before, said) =>
      withSaid(
        before,
        { decision: "allow", ...said },
        isAnswerable,
      ),
    decision,
  );
  if (hooks?.decision !== "ask") return answered;
  const said = { decision: "ask", by: "hook", reason: hooks.reason } as const;
  return withSaid(answered, said, (unit) => unit.decision !== "deny");
}
