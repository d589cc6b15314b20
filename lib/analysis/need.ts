import type { ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import { evaluate } from "../decide/evaluate.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { Precision, Reachability, Redundancy } from "./analysis.ts";
import type { State } from "./automata/state.ts";
import {
  comparesTexts,
  coversAlways,
  guardsOperands,
  isAlike,
  narrowest,
  precisionOf,
  speaksPlainly,
} from "./extent.ts";
import { type Budget, findWord } from "./automata/find_words.ts";
import { instances } from "./languages/instances.ts";
import { decidesTheSame, isSilence, liftsMore } from "./outcome.ts";
import { IN_TWO_WAYS, notAsked, TOO_LONG } from "./reach.ts";
import { meaning } from "./replay.ts";
import type { RuleSpace } from "./rule_space.ts";
import { type CallSearch, findCall, findCover } from "./automata/search.ts";
import { openOperands, spellings } from "./languages/spellings.ts";
import { endsBefore } from "./smallest_cover.ts";
import type { ToolCalls, ToolEntry } from "./languages/tool_calls.ts";

/** Whether some verdict depends on the rule. */
export function needOf(
  rule: CompiledRule,
  { space, reach }: { space: RuleSpace; reach: () => Reachability },
): Redundancy {
  const blocked = notAsked(rule, space);
  if (blocked !== undefined) {
    const gone = space.isExpired(rule) && space.options.now !== undefined;
    return gone
      ? { kind: "redundant", by: [], precision: "every call" }
      : { kind: "unknown", why: blocked };
  }
  const always = space.alikeOrBare(rule).find((earlier) => coversAlways(earlier, { rule, space }));
  if (always) return redundant(rule, { by: [always], extent: "every call", space });
  // Mostly the call that shows that a rule is reached shows that it is needed.
  const reached = reach();
  if (reached.kind === "reached" && differs(reached.witness, { rule, space })) {
    return { kind: "needed", witness: reached.witness };
  }
  const budget = space.budget();
  const all = space.toolsOf(rule).map((tool) => needOfTool(rule, { tool, space, budget }));
  const needed = all.find(({ kind }) => kind === "needed");
  if (needed?.kind === "needed") return needed;
  const tried = written(rule, space).find((call) => differs(call, { rule, space }));
  if (tried) return { kind: "needed", witness: tried };
  const unknown = all.find(({ kind }) => kind === "unknown");
  if (unknown?.kind === "unknown") return unknown;
  if (!space.complete) return { kind: "unknown", why: "its tools are too many to name" };
  const same = all.filter((each) => each.kind === "same");
  const own = ({ index }: Rule) => space.policy.rules[index]!;
  const later = [...new Set(same.flatMap(({ by }) => by))].sort((a, b) => a.index - b.index);
  return redundant(rule, {
    by: later.length > 0 || reached.kind !== "shadowed" ? later : reached.by.map(own),
    extent: extentFor(rule, { space, extents: same.map(({ extent }) => extent) }),
    space,
  });
}

/**
 * Commands that the rule is written for, and where commands are taken apart their other spellings; for a rule about files
 * and URLs commands whose operands are not fixed.
 */
function written(rule: CompiledRule, space: RuleSpace): readonly ToolCall[] {
  const plain = instances(rule, space);
  if (guardsOperands(rule, space)) return [...plain, ...openOperands(space)];
  if (plain.length === 0 || space.shellOf(plain[0]!.tool) !== "parsed") return plain;
  return [...plain, ...plain.slice(0, 2).flatMap(spellings)];
}

type ToolNeed = Extract<Redundancy, { kind: "needed" | "unknown" }> | {
  readonly kind: "same";
  readonly by: readonly CompiledRule[];
  readonly extent: Precision;
};

interface About {
  readonly tool: string;
  readonly space: RuleSpace;
  readonly budget: Budget;
}

function needOfTool(rule: CompiledRule, { tool, space, budget }: About): ToolNeed {
  const calls = space.calls(tool);
  if (!calls) {
    return { kind: "unknown", why: `an argument of ${tool} is compared in two ways` };
  }
  const entry = calls.of(rule);
  if (!entry) return { kind: "same", by: [], extent: "every call" };
  const about: Asked = { rule, entry, calls, space, budget };
  let odd: CallSearch | undefined;
  for (const query of queries(about)) {
    const found = findCall(query, {
      calls,
      budget,
      proves: (call) => differs(call, { rule, space }),
    });
    if (found.kind === "call") return { kind: "needed", witness: found.call };
    if (found.kind === "spent") return { kind: "unknown", why: TOO_LONG };
    if (found.kind === "odd") odd = found;
  }
  if (odd?.kind === "odd") {
    return {
      kind: "unknown",
      why: `calls as ${JSON.stringify(odd.call.input)} are more than they show`,
    };
  }
  if (space.shellOf(tool) === "parsed" && !speaksPlainly(entry, calls)) {
    return { kind: "unknown", why: "what it names runs or opens more than one command" };
  }
  if (comparesTexts(entry, calls)) return { kind: "unknown", why: IN_TWO_WAYS };
  const ending = endingBefore(about);
  return ending ? { kind: "unknown", why: untilItEnds(ending) } : madeUpFor(about);
}

/** An earlier rule that takes some of the rule's calls, but only until it expires. */
function endingBefore({ rule, entry, calls, space, budget }: Asked): CompiledRule | undefined {
  return calls.near(entry).find((each) =>
    each.place < entry.place && endsBefore(each.rule, { rule, space }) &&
    findWord({ all: [calls.domain, entry.yes, each.yes], none: [] }, budget) !== undefined
  )?.rule;
}

function untilItEnds({ pattern }: CompiledRule): string {
  return `\`${pattern}\` decides the same only until it expires`;
}

interface Asked {
  readonly rule: CompiledRule;
  readonly entry: ToolEntry;
  readonly calls: ToolCalls;
  readonly space: RuleSpace;
  readonly budget: Budget;
}

interface Query {
  readonly all: readonly State[];
  readonly none: readonly State[];
}

/** Where a call must be for its verdict to change with the rule. */
function* queries(about: Asked): Generator<Query> {
  const { rule, entry, calls } = about;
  const near = calls.near(entry);
  const earlier = near.filter(({ place }) => place < entry.place).map(({ yes }) => yes);
  const later = near.filter(({ place }) => place > entry.place);
  const unknown = calls.unknownsBetween(0, entry.place);
  const all = [calls.domain, entry.yes];
  // A deny decides also where something before it could not be evaluated.
  const clear = rule.action === "deny" ? earlier : [...earlier, ...unknown];
  const same = later.filter((each) => decidesTheSame(rule, each.rule));
  if (!isSilence(rule)) yield { all, none: [...clear, ...same.map(({ yes }) => yes)] };
  let passed = 0;
  for (const other of later) {
    if (other === same[passed]) passed++;
    else if (passed < same.length || isSilence(rule)) {
      const between = same.slice(0, passed).map(({ yes }) => yes);
      yield { all: [...all, other.yes], none: [...clear, ...between] };
    } // With none of the same behind it, the first query has found it.
    else break;
  }
  if (rule.action !== "deny") {
    // A question that could not be evaluated becomes one that a deny decides, or one that is a safety check.
    const last = calls.entries.length;
    for (const state of calls.unknownsBetween(entry.place + 1, last)) {
      yield { all: [...all, state], none: clear };
    }
    for (const state of unknown) {
      for (const deny of later) {
        if (deny.rule.action === "deny") yield { all: [...all, state, deny.yes], none: earlier };
      }
    }
  }
  yield* raisedQueries(about);
}

/** Where the rule cannot be evaluated, and is the only one of which that is said before something decides. */
function* raisedQueries({ entry, calls }: Asked): Generator<Query> {
  if (entry.unknown === calls.nothing) return;
  const unknownBefore = calls.unknownsBetween(0, entry.place);
  if (unknownBefore.includes(entry.unknown)) return;
  const all = [calls.domain, entry.unknown];
  const met = calls.meeting(entry.unknown);
  const earlier = met.filter(({ place }) => place < entry.place).map(({ yes }) => yes);
  const before = [...earlier, ...unknownBefore];
  const later = met.filter(({ place }) => place > entry.place);
  for (const [at, other] of later.entries()) {
    if (other.rule.action === "deny") continue;
    const denies = later.slice(0, at).flatMap(({ rule, yes }) =>
      rule.action === "deny" ? [yes] : []
    );
    const unknown = calls.unknownsBetween(entry.place + 1, other.place);
    yield { all: [...all, other.yes], none: [...before, ...denies, ...unknown] };
  }
  const rest = [
    ...later.map(({ yes }) => yes),
    ...calls.unknownsBetween(entry.place + 1, Infinity),
  ];
  yield { all, none: [...before, ...rest] };
}

/** The rules that decide the same where the rule did. */
function madeUpFor({ rule, entry, calls, space, budget }: Asked): ToolNeed {
  const near = calls.near(entry);
  const later = near.filter((each) => each.place > entry.place && decidesTheSame(rule, each.rule));
  const before = near.filter(({ place }) => place < entry.place);
  const unknown = rule.action === "deny" ? [] : calls.unknownsBetween(0, entry.place);
  const rest = space.automata.either(later.map(({ yes }) => yes));
  const cover = findCover({
    all: [calls.domain, entry.yes, rest],
    none: [...before.map(({ yes }) => yes), ...unknown],
  }, { calls, entries: later, budget, stateOf: ({ yes }) => yes });
  if (cover.kind !== "covered") return { kind: "unknown", why: TOO_LONG };
  return {
    kind: "same",
    by: cover.by.map((each) => each.rule),
    extent: precisionOf(calls.arguments),
  };
}

/** Whether the call's verdict is another without the rule. */
function differs(
  call: ToolCall,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): boolean {
  const { view, options } = space;
  const now = evaluate(view, call, options);
  if (!guardsOperands(rule, space) && rule.parsed.specifier !== undefined && isIdle(rule, now)) {
    return false;
  }
  return meaning(now) !== meaning(evaluate(space.without(rule), call, options));
}

/** Whether the rule neither decided nor raised anything of a call. */
function isIdle(rule: CompiledRule, { units }: Verdict): boolean {
  return units.every(({ steps }) =>
    steps.every((step) => step.rule !== rule || step.effect === "passes")
  );
}

/** `every call` also where a later rule with the identical pattern follows, and all between say the same. */
function extentFor(
  rule: CompiledRule,
  { space, extents }: { space: RuleSpace; extents: readonly Precision[] },
): Precision {
  const again = space.alikeOrBare(rule).find((other) =>
    other.index > rule.index && other.action === rule.action && isAlike(other, rule) &&
    isWritten(other) === isWritten(rule) && !endsBefore(other, { rule, space })
  );
  if (!again) return narrowest(extents);
  const between = space.rules.filter(({ index }) => rule.index < index && index < again.index);
  return between.every((each) => decidesTheSame(rule, each)) ? "every call" : narrowest(extents);
}

function isWritten({ source }: CompiledRule): boolean {
  return source.kind !== "builtin";
}

/** The answer, where nothing but verdicts hangs on the rule. */
function redundant(
  rule: CompiledRule,
  { by, extent, space }: { by: readonly CompiledRule[]; extent: Precision; space: RuleSpace },
): Redundancy {
  const until = by.find((each) => endsBefore(each, { rule, space }));
  if (until) return { kind: "unknown", why: untilItEnds(until) };
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const toolRule = calls?.of(rule)?.entry;
    const others = by.flatMap((each) => calls?.of(each)?.entry ?? []);
    if (toolRule && liftsMore(toolRule, others.length === 0 ? [] : others)) {
      if (others.length === by.length && by.length > 0 || by.length === 0) {
        return { kind: "unknown", why: "it names a protected file, whose check it may lift" };
      }
    }
  }
  return { kind: "redundant", by, precision: extent };
}
