import { evaluateCall, type Evaluation } from "../decide/evaluate.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { exactPattern } from "./call_pattern.ts";
import {
  isRefused,
  outcome,
  type PlacedSuggestedRule,
  placesFor,
  type RulePlace,
  type SuggestOptions,
} from "./find_suggested_rule.ts";
import { withAdded } from "./policy_with_rules.ts";

/** The most rules in a command that adds them; a longer command would not be read. */
const MOST = 4;

/**
 * Allow rules of one file that together allow a call which no single rule allows: one for the line and one for each file and
 * URL that it reaches, or one for each unit. They are found by trying, as a single rule is. Empty if there are none.
 */
export function findSuggestedSet(
  policy: CompiledPolicy,
  options: SuggestOptions,
): readonly PlacedSuggestedRule[] {
  const { evaluation } = options;
  if (outcome(policy, evaluation, options) === "allow") return [];
  for (const patterns of patternSets(policy, evaluation)) {
    if (patterns.some((pattern) => isRefused(pattern, { action: "allow", policy }))) continue;
    for (const place of placesFor(evaluation.verdict)) {
      const rules = patterns.map((pattern) => ({ pattern, action: "allow", ...place } as const));
      const enough = (some: typeof rules) => isEnough(policy, { rules: some, options, place });
      if (enough(rules)) return rules.reduce(withoutNeedless(enough), rules);
    }
  }
  return [];
}

/** Drops a rule without which the others are enough. */
function withoutNeedless<T>(enough: (some: T[]) => boolean): (kept: T[], rule: T) => T[] {
  return (kept, rule) => {
    const others = kept.filter((each) => each !== rule);
    return enough(others) ? others : kept;
  };
}

/** True if the call is allowed after `add` wrote all of the rules. */
function isEnough(
  policy: CompiledPolicy,
  { rules, options, place: { scope } }: {
    readonly rules: readonly PlacedSuggestedRule[];
    readonly options: SuggestOptions;
    readonly place: RulePlace;
  },
): boolean {
  if (scope === "line") return false;
  const { adding, evaluation, now } = options;
  const changed = rules.reduce<CompiledPolicy | undefined>(
    (before, rule) => before && withAdded(before, { rule, scope, adding }),
    policy,
  );
  if (changed === undefined) return false;
  const { call } = evaluation.verdict;
  const after = evaluateCall(changed, call, now === undefined ? {} : { now });
  return outcome(changed, after, options) === "allow";
}

/** The sets of patterns to try, of at least two each. */
function patternSets(
  policy: CompiledPolicy,
  { request, verdict }: Evaluation,
): readonly (readonly string[])[] {
  const stopped = verdict.units.filter(({ action }) => action !== "allow");
  const ofUnit = (unit: UnitVerdict) => {
    if (unit.kind === "call") return exactPattern(request);
    const first = policy.profiles.get(unit.tool).firstArg?.[0];
    const isFixed = unit.path === undefined || unit.path === "fixed";
    if (first === undefined || !isFixed || unit.kind === "opaque") return undefined;
    return exactPattern(request.withTool(unit.tool, { [first]: unit.text }));
  };
  const isOfLine = ({ kind }: UnitVerdict) => kind === "command" || kind === "opaque";
  const line = stopped.some(isOfLine) ? [exactPattern(request)] : [];
  const sets = [
    [...line, ...stopped.filter((unit) => !isOfLine(unit)).map(ofUnit)],
    stopped.map(ofUnit),
  ];
  return sets.flatMap((set) => {
    const patterns = [...new Set(set.filter((pattern) => pattern !== undefined))];
    const isWhole = !set.includes(undefined);
    return isWhole && patterns.length > 1 && patterns.length <= MOST ? [patterns] : [];
  });
}
