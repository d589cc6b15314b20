import type { ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { Precision, Reachability, Redundancy } from "./analysis.ts";
import type { State } from "./automata/state.ts";
import {
  alwaysDecidesFirst,
  checksOperands,
  comparesTexts,
  isIdentical,
  leastPrecise,
  namesPlainCommands,
  precisionOf,
} from "./precision.ts";
import { type Budget, findWord } from "./automata/find_words.ts";
import { differs } from "./needed_by.ts";
import { filledPatterns, openOperands, otherSpellings } from "./trial_calls.ts";
import { decidesTheSame, isSilence, liftsMore } from "./outcome.ts";
import { IN_TWO_WAYS, TOO_LONG, TOO_MANY, whyNotAnalysed, whyUnconfirmed } from "./reachability.ts";
import { operandQueries, type OperandQuery } from "./queries/operand_queries.ts";
import type { RuleSpace } from "./rule_space.ts";
import { type CallSearch, findCallOutside, findCover } from "./find_call.ts";
import { expiresBefore } from "./smallest_cover.ts";
import type { AnalysedRule } from "./languages/analysed_rule.ts";
import type { ToolCalls } from "./languages/tool_calls.ts";

/** The answers about a rule that come before this one. */
interface Known {
  readonly reached: Reachability;
  /** The answer of the call that proves it reachable, if that is one. */
  readonly needed: Redundancy | undefined;
}

/** Finds a call whose verdict depends on the rule, or the rules that decide the same without it. */
export function redundancyOf(
  rule: CompiledRule,
  { space, known }: { space: RuleSpace; known: (rule: CompiledRule) => Known },
): Redundancy {
  const blocked = whyNotAnalysed(rule, space);
  if (blocked !== undefined) {
    const gone = space.isExpired(rule) && space.options.now !== undefined;
    return gone
      ? { kind: "redundant", by: [], precision: "every call" }
      : { kind: "unknown", why: blocked };
  }
  const always = space.alikeOrBare(rule).find((earlier) =>
    alwaysDecidesFirst(earlier, { rule, space })
  );
  if (always) return redundant(rule, { by: [always], precision: "every call", space });
  const { reached, needed: shown } = known(rule);
  if (shown !== undefined) return shown;
  const budget = space.budget();
  const all = space.toolsOf(rule).map((tool) => redundancyForTool(rule, { tool, space, budget }));
  const needed = all.find(({ kind }) => kind === "needed");
  if (needed?.kind === "needed") return needed;
  const tried = trialsOf(rule, space).find((call) => differs(call, { rule, space }));
  if (tried) return { kind: "needed", witness: tried };
  const unknown = all.find(({ kind }) => kind === "unknown");
  if (unknown?.kind === "unknown") return unknown;
  if (!space.complete) return { kind: "unknown", why: TOO_MANY };
  const same = all.filter((each) => each.kind === "same");
  const own = ({ index }: Rule) => space.policy.rules[index]!;
  const later = [...new Set(same.flatMap(({ by }) => by))].sort((a, b) => a.index - b.index);
  return redundant(rule, {
    by: later.length > 0 || reached.kind !== "shadowed" ? later : reached.by.map(own),
    precision: precisionFor(rule, { space, precisions: same.map(({ precision }) => precision) }),
    space,
  });
}

/**
 * Commands that the rule is written for and, if commands are parsed, other spellings of them; for a rule about files
 * and URLs also commands whose operands are not fixed.
 */
function trialsOf(rule: CompiledRule, space: RuleSpace): readonly ToolCall[] {
  const plain = filledPatterns(rule, space);
  if (checksOperands(rule, space)) return [...plain, ...openOperands(space)];
  if (plain.length === 0 || space.shellOf(plain[0]!.tool) !== "parsed") return plain;
  return [...plain, ...plain.slice(0, 2).flatMap(otherSpellings)];
}

type ToolRedundancy = Extract<Redundancy, { kind: "needed" | "unknown" }> | {
  readonly kind: "same";
  readonly by: readonly CompiledRule[];
  readonly precision: Precision;
};

interface About {
  readonly tool: string;
  readonly space: RuleSpace;
  readonly budget: Budget;
}

function redundancyForTool(rule: CompiledRule, { tool, space, budget }: About): ToolRedundancy {
  const calls = space.calls(tool);
  if (!calls) {
    return { kind: "unknown", why: `an argument of ${tool} is compared in two ways` };
  }
  const analysed = calls.of(rule);
  if (!analysed) return { kind: "same", by: [], precision: "every call" };
  const about: ToolQuestion = { rule, analysed, calls, space, budget };
  let unconfirmed: CallSearch | undefined;
  const others = calls.operands.guards.filter((guard) => guard !== analysed);
  const hidden = [calls.operands.raised(analysed, others)];
  for (const query of queries(about)) {
    const found = findCallOutside(query, {
      hidden,
      ...query,
      calls,
      budget,
      proves: (call) => differs(call, { rule, space }),
    });
    if (found.kind === "call") return { kind: "needed", witness: found.call };
    if (found.kind === "spent") return { kind: "unknown", why: TOO_LONG };
    if (found.kind === "unconfirmed") unconfirmed = found;
  }
  if (unconfirmed?.kind === "unconfirmed") {
    return { kind: "unknown", why: whyUnconfirmed(analysed, unconfirmed.call) };
  }
  if (space.shellOf(tool) === "parsed" && !namesPlainCommands(analysed, { calls, space })) {
    return { kind: "unknown", why: "its command also runs or opens something else" };
  }
  if (comparesTexts(analysed, calls)) return { kind: "unknown", why: IN_TWO_WAYS };
  const ending = endingBefore(about);
  return ending ? { kind: "unknown", why: untilItEnds(ending) } : replacementsOf(about);
}

/** An earlier rule that decides some of the rule's calls, but only until it expires. */
function endingBefore(
  { rule, analysed, calls, space, budget }: ToolQuestion,
): CompiledRule | undefined {
  return calls.near(analysed).find((each) =>
    each.place < analysed.place && expiresBefore(each.rule, { rule, space }) &&
    findWord({ all: [calls.domain, analysed.yes, each.yes], none: [] }, budget) !== undefined
  )?.rule;
}

function untilItEnds({ pattern }: CompiledRule): string {
  return `\`${pattern}\` decides the same only until it expires`;
}

interface ToolQuestion {
  readonly rule: CompiledRule;
  readonly analysed: AnalysedRule;
  readonly calls: ToolCalls;
  readonly space: RuleSpace;
  readonly budget: Budget;
}

interface Query {
  readonly all: readonly State[];
  readonly none: readonly State[];
}

/** The languages in which a call's verdict may depend on the rule. */
function* queries(about: ToolQuestion): Generator<Query & Partial<OperandQuery>> {
  const { rule, analysed, calls } = about;
  const near = calls.near(analysed);
  const earlier = near.filter(({ place }) => place < analysed.place).map(({ yes }) => yes);
  const later = near.filter(({ place }) => place > analysed.place);
  const unknown = calls.indeterminateBetween(0, analysed.place);
  const all = [calls.domain, analysed.yes];
  // A deny decides even if an earlier rule is indeterminate.
  const clear = rule.action === "deny" ? earlier : [...earlier, ...unknown];
  const same = later.filter((each) => decidesTheSame(rule, each.rule));
  if (!isSilence(rule)) yield { all, none: [...clear, ...same.map(({ yes }) => yes)] };
  let passed = 0;
  for (const other of later) {
    if (other === same[passed]) passed++;
    else if (passed < same.length || isSilence(rule)) {
      const between = same.slice(0, passed).map(({ yes }) => yes);
      yield { all: [...all, other.yes], none: [...clear, ...between] };
    } // Without a later rule that decides the same, the first query has found it.
    else break;
  }
  if (rule.action !== "deny") {
    // Without the rule an indeterminate question becomes one that a deny decides, or a safety check.
    const last = calls.rules.length;
    for (const state of calls.indeterminateBetween(analysed.place + 1, last)) {
      yield { all: [...all, state], none: clear };
    }
    for (const state of unknown) {
      for (const deny of later) {
        if (deny.rule.action === "deny") yield { all: [...all, state, deny.yes], none: earlier };
      }
    }
  }
  yield* raisedQueries(about);
  yield* operandQueries(analysed, about);
}

/** The calls for which this rule is the only indeterminate one before the deciding rule. */
function* raisedQueries({ analysed, calls }: ToolQuestion): Generator<Query> {
  if (analysed.indeterminate === calls.nothing) return;
  const unknownBefore = calls.indeterminateBetween(0, analysed.place);
  if (unknownBefore.includes(analysed.indeterminate)) return;
  const all = [calls.domain, analysed.indeterminate];
  const met = calls.meeting(analysed.indeterminate);
  const earlier = met.filter(({ place }) => place < analysed.place).map(({ yes }) => yes);
  const before = [...earlier, ...unknownBefore];
  const later = met.filter(({ place }) => place > analysed.place);
  for (const [at, other] of later.entries()) {
    if (other.rule.action === "deny") continue;
    const denies = later.slice(0, at).flatMap((each) =>
      each.rule.action === "deny" ? [each.yes] : []
    );
    const unknown = calls.indeterminateBetween(analysed.place + 1, other.place);
    yield { all: [...all, other.yes], none: [...before, ...denies, ...unknown] };
  }
  const rest = [
    ...later.map(({ yes }) => yes),
    ...calls.indeterminateBetween(analysed.place + 1, Infinity),
  ];
  yield { all, none: [...before, ...rest] };
}

/** The rules that decide the same calls in the rule's place. */
function replacementsOf({ rule, analysed, calls, space, budget }: ToolQuestion): ToolRedundancy {
  const near = calls.near(analysed);
  const later = near.filter((each) =>
    each.place > analysed.place && decidesTheSame(rule, each.rule)
  );
  const before = near.filter(({ place }) => place < analysed.place);
  const unknown = rule.action === "deny" ? [] : calls.indeterminateBetween(0, analysed.place);
  const rest = space.automata.either(later.map(({ yes }) => yes));
  const cover = findCover({
    all: [calls.domain, analysed.yes, rest],
    none: [...before.map(({ yes }) => yes), ...unknown],
  }, { entries: later, budget, stateOf: ({ yes }) => yes });
  if (cover.kind !== "covered") return { kind: "unknown", why: TOO_LONG };
  return {
    kind: "same",
    by: cover.by.map((each) => each.rule),
    precision: precisionOf(calls.arguments),
  };
}

/** `every call` also if a later rule has the identical pattern and all rules between decide the same. */
function precisionFor(
  rule: CompiledRule,
  { space, precisions }: { space: RuleSpace; precisions: readonly Precision[] },
): Precision {
  const again = space.alikeOrBare(rule).find((other) =>
    other.index > rule.index && other.action === rule.action && isIdentical(other, rule) &&
    isWritten(other) === isWritten(rule) && !expiresBefore(other, { rule, space })
  );
  if (!again) return leastPrecise(precisions);
  const between = space.rules.filter(({ index }) => rule.index < index && index < again.index);
  return between.every((each) => decidesTheSame(rule, each))
    ? "every call"
    : leastPrecise(precisions);
}

function isWritten({ source }: CompiledRule): boolean {
  return source.kind !== "builtin";
}

/** The answer if no verdict depends on the rule; an allow may still lift the check of a protected file. */
function redundant(
  rule: CompiledRule,
  { by, precision, space }: {
    by: readonly CompiledRule[];
    precision: Precision;
    space: RuleSpace;
  },
): Redundancy {
  const until = by.find((each) => expiresBefore(each, { rule, space }));
  if (until) return { kind: "unknown", why: untilItEnds(until) };
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const toolRule = calls?.of(rule)?.toolRule;
    const others = by.flatMap((each) => calls?.of(each)?.toolRule ?? []);
    if (toolRule && liftsMore(toolRule, others.length === 0 ? [] : others)) {
      if (others.length === by.length && by.length > 0 || by.length === 0) {
        return {
          kind: "unknown",
          why: "it names a protected file and may lift the check of that file",
        };
      }
    }
  }
  return { kind: "redundant", by, precision };
}
