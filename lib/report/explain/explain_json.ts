import { printedJson } from "../../text/printed_json.ts";
import { type Explanation, rulesOf } from "./explanation.ts";
import { decisionJson, ruleJson } from "../decision_json.ts";

/** An explanation as one JSON object, ending in a newline: the decision with sources, steps, remedy and notices. */
export function explainJson(explanation: Explanation): string {
  const { decision, sources } = explanation;
  const whole = {
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
  return printedJson(whole, { indent: 2 }) + "\n";
}
