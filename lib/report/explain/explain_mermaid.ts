import type { TraceStep, UnitDecision } from "../../model/verdict.ts";
import type { Explanation } from "./explanation.ts";
import { callText, cut, unitText } from "../../text/call_text.ts";
import { placeText } from "../place_text.ts";
import { visible } from "../../text/visible.ts";

/** Steps of a walk that are drawn; of more, the middle is one box. */
const DRAWN = 12;

/**
 * An explanation as a Mermaid flowchart, ending in a newline: the call, what it does where that is more than one thing, the
 * rules in order, the outcome.
 */
export function explainMermaid(explanation: Explanation): string {
  const { call, decision } = explanation;
  const lines = [
    "flowchart TD",
    `  call([${label(cut(callText(call, decision.units), 120))}])`,
    ...unitBoxes(decision.units),
    ...decision.units.flatMap((unit, index) => unitChart(unit, { index, explanation })),
    `  decision{{${label(`decision: ${decision.decision}`)}}}:::${decision.decision}`,
    "  classDef allow fill:#d3f9d8,stroke:#2b8a3e,color:#1b1b1b",
    "  classDef ask fill:#fff3bf,stroke:#e67700,color:#1b1b1b",
    "  classDef deny fill:#ffe3e3,stroke:#c92a2a,color:#1b1b1b",
    "  classDef passed fill:#f1f3f5,stroke:#adb5bd,color:#495057",
    ...(decision.units.length === 1
      ? []
      : ["  classDef unit fill:#d0ebff,stroke:#1864ab,color:#1b1b1b"]),
  ];
  return lines.join("\n") + "\n";
}

function unitChart(
  unit: UnitDecision,
  { index, explanation }: { index: number; explanation: Explanation },
): readonly string[] {
  const end = unit.steps.findIndex(({ effect }) => effect === "decides");
  const walk = end < 0
    ? unit.steps.filter(({ effect }) => effect !== "after")
    : unit.steps.slice(0, end + 1);
  const drawn = walk.length <= DRAWN
    ? walk
    : [...walk.slice(0, DRAWN / 2), undefined, ...walk.slice(-DRAWN / 2)];
  const lines: string[] = [];
  let from = explanation.decision.units.length === 1 ? "call" : `u${index}`;
  drawn.forEach((step, place) => {
    const id = `u${index}s${place}`;
    const box = step === undefined
      ? `${id}[${label(`… ${walk.length - DRAWN} more rules that do not match`)}]:::passed`
      : `${id}[${stepLabel(step, explanation)}]:::${
        step.effect === "passes" ? "passed" : step.rule.action
      }`;
    lines.push(`  ${from} --> ${box}`);
    from = id;
  });
  lines.push(`  ${from} -- ${label(endText(unit))} --> decision`);
  return lines;
}

/** A box for each of several units, behind what it was reached through. */
function unitBoxes(units: readonly UnitDecision[]): readonly string[] {
  if (units.length === 1) return [];
  const open: number[] = [];
  return units.map((unit, index) => {
    while (open.length > 0 && units[open.at(-1)!]!.depth >= unit.depth) open.pop();
    // A unit that only a safety check found is drawn at the end, not behind the unit that runs it.
    const from = unit.check === undefined || unit.rule !== null ? open.at(-1) : undefined;
    open.push(index);
    const text = `Unit ${index + 1}: ${cut(unitText(unit), 90)}`;
    return `  ${from === undefined ? "call" : `u${from}`} --> u${index}[${label(text)}]:::unit`;
  });
}

/** The end of a trace; a unit without a matching rule may be allowed next to others. */
function endText({ rule, action }: UnitDecision): string {
  if (rule !== null) return action;
  return action === "ask" ? "no rule matches" : `no rule matches: ${action}`;
}

function stepLabel(step: TraceStep, { folders }: Explanation): string {
  const { rule } = step;
  const place = placeText(rule.source, folders);
  const why = step.effect === "passes" || step.effect === "raises"
    ? `<br/>${escaped(cut(visible(whyText(step)), 90))}`
    : "";
  return `"${escaped(`${rule.index}. ${rule.action} ${cut(visible(rule.pattern), 60)}`)}<br/>${
    escaped(place)
  }${why}"`;
}

function whyText({ effect, why }: TraceStep): string {
  return effect === "raises" ? `cannot be evaluated: ${why}` : why;
}

function label(text: string): string {
  return `"${escaped(text)}"`;
}

/** Mermaid reads `#name;` entities in quoted labels; everything that it or HTML could read otherwise becomes one. */
function escaped(text: string): string {
  return text.replace(/["#<>&`\\]/g, (char) => `#${char.codePointAt(0)};`);
}
