import type { ToolCall } from "../model/call.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { Precision, Reachability } from "./analysis.ts";
import type { State } from "./automata/state.ts";
import { type Budget, findWord } from "./automata/find_words.ts";
import type { RuleSpace } from "./rule_space.ts";
import { findCover } from "./automata/search.ts";
import type { ToolCalls, ToolEntry } from "./languages/tool_calls.ts";

/** A part of what is covered: one tool's calls. */
export interface CoveredPart {
  /** The tool's calls. */
  readonly calls: ToolCalls;
  /** The entry that is covered. */
  readonly entry: ToolEntry;
}

/** The answer for a rule that earlier ones shadow, with a smallest set of them. */
export function smallestCover(
  rule: CompiledRule,
  { space, extent, witness, parts }: {
    space: RuleSpace;
    extent: Precision;
    witness: ToolCall;
    parts: readonly CoveredPart[];
  },
): Reachability {
  const budget = space.budget();
  const found = new Set<CompiledRule>();
  for (const { calls, entry } of parts) {
    const entries = calls.near(entry).filter(({ place }) => place < entry.place);
    const cover = findCover({ all: [calls.domain, entry.yes], none: [] }, {
      calls,
      entries: [...entries, ...raisers(entry, { calls, entries })]
        .sort((a, b) => a.place - b.place),
      budget,
      stateOf: (each) => deciding(each, { entry, calls, space }),
    });
    if (cover.kind !== "covered") {
      return { kind: "unknown", why: "its shadow could not be split up" };
    }
    for (const each of cover.by) found.add(each.rule);
  }
  const by = withoutSpare(found, { parts, space, budget });
  const until = by.find((each) => endsBefore(each, { rule, space }));
  if (until) {
    return {
      kind: "unknown",
      why: `\`${until.pattern}\` decides it first, but only until it expires`,
    };
  }
  return { kind: "shadowed", by, precision: extent, witness };
}

/** Whether a rule that something rests on ends while the other goes on. */
export function endsBefore(
  rest: CompiledRule,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): boolean {
  return space.policy.settings.enforceExpiry && rest.expiresAt !== undefined &&
    (rule.expiresAt === undefined || rest.expiresAt < rule.expiresAt);
}

/** Earlier rules that may only be in the way by not being evaluated. */
function raisers(
  entry: ToolEntry,
  { calls, entries }: { calls: ToolCalls; entries: readonly ToolEntry[] },
): readonly ToolEntry[] {
  if (entry.rule.action === "deny") return [];
  const near = new Set(entries);
  const states = new Set<State>();
  return calls.entries.slice(0, entry.place).filter((each) => {
    if (near.has(each) || each.unknown === calls.nothing || states.has(each.unknown)) return false;
    states.add(each.unknown);
    return true;
  });
}

/** The calls that an earlier entry keeps from an entry. */
function deciding(
  earlier: ToolEntry,
  { entry, space }: { entry: ToolEntry; calls: ToolCalls; space: RuleSpace },
): State {
  return entry.rule.action === "deny"
    ? earlier.yes
    : space.automata.either([earlier.yes, earlier.unknown]);
}

interface Spare {
  readonly parts: readonly CoveredPart[];
  readonly space: RuleSpace;
  readonly budget: Budget;
}

/** The rules, in order, without those that the others make up for. */
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
  return parts.every(({ calls, entry }) => {
    const none = rules.flatMap((rule) => {
      const own = calls.of(rule);
      return own ? [deciding(own, { entry, calls, space })] : [];
    });
    return findWord({ all: [calls.domain, entry.yes], none }, budget) === undefined;
  });
}
