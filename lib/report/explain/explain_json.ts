import { type Explanation, rulesOf } from "../explanation.ts";
import { decisionJson, ruleJson } from "../decision_json.ts";

/** An explanation as `explain --json` prints it: the decision with sources, steps, remedy and notices. */
export function explainJson(explanation: Explanation): Record<string, unknown> {
  const { decision, sources } = explanation;
  return {
    ...decisionJson(explanation.call, decision),
    sources: sources.entries.map((entry) => ({
      kind: entry.kind,
      path: entry.path,
      state: entry.state,
      ...(entry.note === undefined ? {} : { note: entry.note }),
      rules: rulesOf(entry, sources).length,
    })),
    steps: decision.units.flatMap((unit, index) =>
      unit.steps.map(({ rule, match, effect, why }) => ({
        unit: index,
        rule: ruleJson(rule),
        match: match === "indeterminate" ? "unknown" : match,
        effect,
        why,
      }))
    ),
    remedy: explanation.remedy,
    notices: sources.notices.map(({ message }) => message),
  };
}
