import type { ToolCall } from "../model/call.ts";
import { hasEnd } from "../decide/first_match.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { Precision, Reachability } from "./analysis.ts";
import type { State } from "./automata/state.ts";
import { type Budget, findWord } from "./automata/find_words.ts";
import type { RuleSpace } from "./rule_space.ts";
import { findCover } from "./find_call.ts";
import type { AnalysedRule } from "./languages/analysed_rule.ts";
import type { ToolCalls } from "./languages/tool_calls.ts";

/** The calls of one tool that earlier rules decide. */
export interface CoveredPart {
  /** The tool's calls. */
  readonly calls: ToolCalls;
  /** The shadowed rule, as this tool reads it. */
  readonly analysed: AnalysedRule;
}

/** The answer for a shadowed rule, with a smallest set of the rules that shadow it. */
export function smallestCover(
  rule: CompiledRule,
  { space, precision, witness, parts }: {
    space: RuleSpace;
    precision: Precision;
    witness: ToolCall;
    parts: readonly CoveredPart[];
  },
): Reachability {
  const budget = space.budget();
  const found = new Set<CompiledRule>();
  for (const { calls, analysed } of parts) {
    const rules = calls.earlier(analysed);
    const cover = findCover({ all: [calls.domain, analysed.yes], none: [] }, {
      entries: [...rules, ...indeterminateBefore(analysed, { calls, entries: rules })]
        .sort((a, b) => a.place - b.place),
      budget,
      stateOf: (each) => deciding(each, { analysed, calls, space }),
    });
    if (cover.kind !== "covered") {
      return { kind: "unknown", why: "the rules that shadow it cannot be separated" };
    }
    for (const each of cover.by) found.add(each.rule);
  }
  const by = withoutSpare(found, { parts, space, budget });
  const until = by.find((each) => expiresBefore(each, { rule, space }));
  if (until) {
    return {
      kind: "unknown",
      why: `\`${until.pattern}\` decides it first, but only until it expires`,
    };
  }
  return { kind: "shadowed", by, precision, witness };
}

/** True if `rest` stops counting before `rule` does. */
export function expiresBefore(
  rest: CompiledRule,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): boolean {
  const { settings } = space.policy;
  if (!hasEnd(rest, settings)) return false;
  return !hasEnd(rule, settings) || rest.expiresAt! < rule.expiresAt!;
}

/** Earlier rules that matter only where they are indeterminate, one for each such language. */
function indeterminateBefore(
  analysed: AnalysedRule,
  { calls, entries: rules }: { calls: ToolCalls; entries: readonly AnalysedRule[] },
): readonly AnalysedRule[] {
  if (analysed.rule.action === "deny") return [];
  const near = new Set(rules);
  const states = new Set<State>();
  return calls.rules.slice(0, analysed.place).filter((each) => {
    if (near.has(each) || each.indeterminate === calls.nothing || states.has(each.indeterminate)) {
      return false;
    }
    states.add(each.indeterminate);
    return true;
  });
}

/** The calls that an earlier rule takes from a later one. */
function deciding(
  earlier: AnalysedRule,
  { analysed, space }: { analysed: AnalysedRule; calls: ToolCalls; space: RuleSpace },
): State {
  return analysed.rule.action === "deny"
    ? earlier.yes
    : space.automata.either([earlier.yes, earlier.indeterminate]);
}

interface Spare {
  readonly parts: readonly CoveredPart[];
  readonly space: RuleSpace;
  readonly budget: Budget;
}

/** The rules, in order, without those that the others replace. */
function withoutSpare(found: ReadonlySet<CompiledRule>, options: Spare): readonly CompiledRule[] {
  let kept = [...found].sort((a, b) => a.index - b.index);
  if (kept.length === 1) return kept;
  for (const rule of kept.toReversed()) {
    const fewer = kept.filter((each) => each !== rule);
    if (isCovered(fewer, options)) kept = fewer;
  }
  return kept;
}

function isCovered(rules: readonly CompiledRule[], { parts, space, budget }: Spare): boolean {
  return parts.every(({ calls, analysed }) => {
    const none = rules.flatMap((rule) => {
      const own = calls.of(rule);
      return own ? [deciding(own, { analysed, calls, space })] : [];
    });
    return findWord({ all: [calls.domain, analysed.yes], none }, budget) === undefined;
  });
}
