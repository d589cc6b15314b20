import type { AskQuestion, AskScope } from "../model/ask.ts";
import type { Decision } from "../model/decision.ts";
import { suggestLiteral, suggestRules } from "../suggest/suggest_rules.ts";
import { askingUnits, isLasting } from "./asks.ts";
import type { Passing, Scene } from "./stages/stage.ts";

/** The question about a call, with what can be kept of its answer. */
export function questionFor(
  { call, decision }: Passing & { readonly decision: Decision },
  scene: Scene,
): AskQuestion {
  const scopes = scopesFor(decision, scene);
  const patterns = scopes.length === 0 ? [] : patternsFor({ call, decision }, scene);
  const [first] = patterns;
  const comment = askingUnits(decision).find(({ rule }) => rule?.comment !== undefined)?.rule
    ?.comment;
  const reason = reasonFor(decision, scene);
  return {
    call,
    decision,
    ...(patterns.length > 1
      ? { suggestions: patterns }
      : first === undefined
      ? {}
      : { suggestion: first }),
    ...(comment === undefined || comment === decision.verdict.rule?.comment ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
    scopes,
  };
}

/** The patterns that a question suggests. */
export function suggestedBy({ suggestion, suggestions }: AskQuestion): readonly string[] {
  return suggestions ?? (suggestion === undefined ? [] : [suggestion]);
}

/** Whether it is about a safety check or a tool's own ask, which no rule answers: then the very call is remembered. */
export function isAboutVeryCall(decision: Decision): boolean {
  return askingUnits(decision).some((unit) => isLasting(unit) || unit.decidedBy === "tool");
}

/** Whether each time must be asked anew: a hook's ask, and that of a tool that needs a person. */
export function isAskedEachTime(decision: Decision, { tool }: Pick<Scene, "tool">): boolean {
  return askingUnits(decision).some(({ decidedBy }) =>
    decidedBy === "hook" || decidedBy === "tool" && tool?.needsPerson === true
  );
}

function scopesFor(decision: Decision, scene: Scene): readonly AskScope[] {
  const { limits, policy, answers } = scene;
  const isLost = limits.keepsNothing || policy.settings.managedOnly;
  if (isLost || isAskedEachTime(decision, scene)) return [];
  return isAboutVeryCall(decision) ? ["session"] : ["session", ...answers.scopes()];
}

function patternsFor(
  { call, decision }: Pick<Passing, "call"> & { readonly decision: Decision },
  { policy }: Scene,
): readonly string[] {
  if (isAboutVeryCall(decision)) {
    const literal = suggestLiteral(policy, call);
    return literal === undefined ? [] : [literal];
  }
  const { verdict } = decision;
  const units = verdict.units.filter((_unit, index) => decision.units[index]?.decision === "ask");
  return suggestRules(policy, call, { ...verdict, units }).map(({ pattern }) => pattern);
}

function reasonFor(decision: Decision, { limits }: Scene): string | undefined {
  const told = [
    ...(limits.asks === undefined ? [] : [`${limits.asks} asks`]),
    ...(decision.decidedBy === "rule" ? [] : [decision.reason]),
  ];
  return told.length === 0 ? undefined : told.join("; ");
}
