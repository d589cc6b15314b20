import type { UnitVerdict } from "../model/verdict.ts";
import { isInside } from "../pattern/path/path_facts.ts";
import type { Effect } from "../shell/unit.ts";
import type { Request } from "../policy/compile/facts.ts";
import { evaluateFile, evaluateOperand, evaluateUnknownFile } from "./judge_file.ts";
import { type EvalContext, type UnitResult, unitResult } from "./judged.ts";
import { allToolRules, firstMatch, firstMatchIn, type MatchTrace } from "./walk.ts";

/**
 * Judges a command line: every unit has a walk of its own, and the strictest decides. An allow rule must cover each
 * command that would run; a deny or ask rule needs to fit only one.
 */
export function evaluateLine(context: EvalContext): readonly UnitResult[] {
  const { line } = context;
  const seen = new Map<string, UnitResult>();
  const all: UnitResult[] = [];
  const companions: { readonly at: number; readonly unit: Effect }[] = [];
  let covered = false;
  for (const effect of line.units) {
    // The same command in the same place has the same verdict; hostile lines repeat one a hundred thousand times.
    const key = line.units.length > FEW && effect.depth === 0 && effect !== line.units[0]
      ? keyOf(effect)
      : undefined;
    const known = key === undefined ? undefined : seen.get(key);
    const one = known ?? evaluateUnit(effect, context);
    if (!one) continue;
    if (key !== undefined && !known) seen.set(key, one);
    if (known && all.length > MANY) continue;
    if (effect.isHarmless !== false) companions.push({ at: all.length, unit: effect });
    covered ||= effect.kind === "command" && one.verdict.action === "allow" && one.rule !== null;
    all.push(one);
  }
  if (covered) {
    for (const { at, unit } of companions) {
      all[at] = asHarmless(all[at]!, { unit, judging: context });
    }
  }
  return all;
}

/** With no more units than this, each is judged for itself. */
const FEW = 64;

/** With more units than this, those that repeat an earlier one are not listed again. */
const MANY = 256;

function keyOf({ via: _via, ...unit }: Effect): string {
  return JSON.stringify(unit);
}

function evaluateUnit(effect: Effect, context: EvalContext): UnitResult | undefined {
  const { policy, line, options } = context;
  const request = context.request.of({ effect, line });
  switch (effect.kind) {
    case "command":
      return unitResult(firstMatch(policy, request, options), {
        facts: request,
        unit: shown(effect),
      });
    case "opaque": {
      const trace = effect.unknownFileAccess
        ? evaluateUnknownFile(effect, { ...context, request })
        : firstMatch(policy, request, options);
      if (trace.action !== "ask" || trace.by === "safety") {
        return unitResult(trace, { facts: request, unit: shown(effect) });
      }
      const by = isInterpreter(effect) ? "rule" : "safety";
      const reason = unknownReason(effect, trace);
      return unitResult({ ...trace, by }, { facts: request, unit: shown(effect), reason });
    }
    case "read":
    case "write":
    case "url":
      return effect.checkedAgainst === "own"
        ? evaluateFile(effect, { ...context, request })
        : evaluateOperand(effect, { ...context, request });
  }
}

/**
 * What is not known is no question that a mode or a flag may answer; but a script, and code for a program whose trade it
 * is to run it (`python -c`), are one, as any program is.
 */
function isInterpreter({ isOrdinaryScript, allowTexts }: Effect): boolean {
  return isOrdinaryScript === true ||
    allowTexts.some(({ interpreter }) => interpreter !== undefined);
}

function unknownReason({ text, why }: Effect, { rule }: MatchTrace): string {
  const asks = rule === null ? "" : `; the ${rule.action} rule \`${rule.pattern}\` asks about it`;
  return `what \`${short(text)}\` does cannot be known: ${why}${asks}`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

function shown(
  { kind, text, via, depth }: Effect,
): Pick<UnitVerdict, "kind" | "text" | "via" | "depth"> {
  return { kind, text, via, depth };
}

/**
 * A companion beside a command that has an allow rule needs none: only deny rules and ask rules with a spec see it. One
 * that a rule denied, asked about by its spec or could not be evaluated for stays as it is.
 */
function asHarmless(
  one: UnitResult,
  { unit: effect, judging: context }: { unit: Effect; judging: EvalContext },
): UnitResult {
  const { verdict, request } = one;
  if (verdict.action !== "ask" || verdict.by !== "rule" || !isHarmlessBeside(effect, request)) {
    return one;
  }
  const { policy, options } = context;
  const trace = firstMatchIn(policy, request, {
    ...options,
    path: {
      candidates: policy.candidates(request),
      all: () => allToolRules(policy, request),
      overlooks: (rule) => rule.action === "ask" && rule.parsed.specifier === undefined,
    },
  });
  if (trace.rule !== null) return unitResult(trace, { facts: request, unit: shown(effect) });
  return unitResult({ ...trace, action: "allow" }, {
    facts: request,
    unit: shown(effect),
    reason: "it needs no rule of its own beside a command that has one",
  });
}

/** Whether a companion is one here: `cd` only to a folder of the workspace. */
function isHarmlessBeside({ isHarmless }: Effect, request: Request): boolean {
  if (typeof isHarmless === "boolean") return isHarmless;
  return isHarmless.folders.every((folder) => isInside(request.path(folder)));
}
