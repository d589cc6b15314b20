import { asksBySpecifier, strictestOf } from "../decide/precedence.ts";
import { namesPlace } from "../decide/protected/names_place.ts";
import { allPlaces, type ProtectedPlace } from "../decide/protected/protected_places.ts";
import { isRaisingField } from "../decide/raised_rights.ts";
import { foldCase } from "../pattern/unicode.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import type { CompiledRule, ToolRule } from "../policy/compile/compiled_policy.ts";

/** True if a second rule that decides instead of a first one changes neither a verdict nor a decision in any mode. */
export function decidesTheSame(first: CompiledRule, second: CompiledRule): boolean {
  if (first.action !== second.action) return false;
  switch (first.action) {
    case "allow":
      return true;
    case "deny":
      // The reason that the model sees is part of the answer.
      return first.reason === second.reason;
    case "ask":
      return outlastsModes(first) === outlastsModes(second);
  }
}

/** True if the rule is an ordinary question, which a call without a rule is as well. */
export function isSilence(rule: CompiledRule): boolean {
  return rule.action === "ask" && !outlastsModes(rule);
}

function outlastsModes({ source, parsed }: CompiledRule): boolean {
  return source.kind !== "builtin" && parsed.specifier !== undefined;
}

/**
 * True if an allow rule's literal text names a protected file, or a field that raises rights, that the others do not name:
 * only such rules lift its check.
 */
export function liftsMore(toolRule: ToolRule, others: readonly ToolRule[]): boolean {
  if (toolRule.rule.action !== "allow") return false;
  const lifted = fieldsOf(toolRule);
  if (!others.every((other) => lifted.every((key) => fieldsOf(other).includes(key)))) return true;
  const text = foldCase(toolRule.rule.pattern.replaceAll("\\", ""));
  foldedPlaces ??= allPlaces().map((place) => ({ place, names: namesIn(place) }));
  return foldedPlaces.some(({ place, names }) =>
    // A text that lacks a name of the place does not name it.
    names.every((name) => text.includes(name)) && namesPlace(toolRule, place) &&
    !others.every((other) => namesPlace(other, place))
  );
}

interface FoldedPlace {
  readonly place: ProtectedPlace;
  /** Its names as they stand in the text of a rule, folded and without escapes. */
  readonly names: readonly string[];
}

/** All places; found on first use. */
let foldedPlaces: readonly FoldedPlace[] | undefined;

function namesIn({ names }: ProtectedPlace): readonly string[] {
  return names.map((name) => foldCase(name.replace(/^\*/, "")));
}

/** True if the rule decides the call or a part of it. */
export function isDecided({ units }: Verdict, rule: CompiledRule): boolean {
  return units.some((unit) =>
    unit.rule?.index === rule.index && unit.steps.some((step) =>
      step.rule.index === rule.index && step.effect === "decides"
    ) && unit.action === rule.action && unit.by === "rule"
  );
}

/** The part of a verdict that modes, the model and people can observe. */
export function meaning(verdict: Verdict): string {
  const strictest = strictestOf<UnitVerdict>(verdict.units, (unit) => unit);
  // A safety check outlasts the modes, whichever rule asks.
  const asks = verdict.units.some((unit) => unit.by === "rule" && asksBySpecifier(unit));
  const reasons = verdict.units.flatMap(({ action, rule }) =>
    action === "deny" && rule?.reason !== undefined ? [rule.reason] : []
  );
  return JSON.stringify([strictest.action, strictest.by, asks, [...new Set(reasons)]]);
}

/** A text for the pair of rules that decide two verdicts; a rule that makes a call a safety check stands for all its pairs. */
export function pairOf(was: Verdict, now: Verdict): string {
  const [before, after] = [was, now].map(({ by, rule }) =>
    by === "safety" ? rule?.index : undefined
  );
  return [
    was.action,
    after === undefined ? was.rule?.index : "",
    now.action,
    before === undefined ? now.rule?.index : "",
  ].join(" ");
}

/** The fields that a rule names, if it may lift the check of one. */
function fieldsOf({ specifier }: ToolRule): readonly string[] {
  if (specifier?.kind !== "fields") return [];
  return specifier.fields.flatMap(({ key, negated, isArgument }) =>
    !negated && !isArgument && isRaisingField(key) ? [key] : []
  );
}
