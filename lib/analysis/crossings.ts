import type { ToolCall } from "../model/call.ts";
import type { CompiledRule } from "../policy/rule_table.ts";
import type { Crossing } from "./analysis.ts";
import { before, notAsked } from "./reach.ts";
import { isDecided } from "./replay.ts";
import type { RuleSpace } from "./rule_space.ts";
import { findCall } from "./search.ts";
import type { ToolCalls, ToolEntry } from "./tool_calls.ts";

/** What is asked about a rule. */
interface About {
  readonly space: RuleSpace;
  readonly isAsked: (earlier: CompiledRule) => boolean;
}

/**
 * The earlier rules that decide some of the rule's calls and fit others besides, each with a call that it decides; one after
 * the other, as they are found.
 */
export function* crossingsOf(rule: CompiledRule, { space, isAsked }: About): Generator<Crossing> {
  if (notAsked(rule, space) !== undefined) return;
  const looked = new Set<CompiledRule>();
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const entry = calls?.of(rule);
    if (!calls || !entry) continue;
    for (const earlier of calls.near(entry)) {
      if (earlier.place > entry.place) break;
      if (looked.has(earlier.rule) || !isAsked(earlier.rule)) continue;
      const witness = shared(entry, { earlier, calls, space });
      if (!witness) continue;
      looked.add(earlier.rule);
      const beyond = callBeyond(earlier.rule, { rule, space });
      if (beyond) yield { rule: earlier.rule, witness, beyond };
    }
  }
}

/** A call that the entry fits, and that an earlier one decides. */
function shared(
  { entry, yes }: ToolEntry,
  { earlier, calls, space }: { earlier: ToolEntry; calls: ToolCalls; space: RuleSpace },
): ToolCall | undefined {
  const { policy, view, options } = space;
  const proves = (call: ToolCall) =>
    entry.matches(policy.facts(call)) === "yes" &&
    isDecided(call, { policy: view, rule: earlier.rule, options });
  const query = { all: [calls.domain, earlier.yes, yes], none: before(earlier, calls) };
  const search = findCall(query, { calls, budget: space.budget(), proves });
  return search.kind === "call" ? search.call : undefined;
}

/** A call, of any tool, that the earlier rule fits and the rule does not. */
function callBeyond(
  earlier: CompiledRule,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): ToolCall | undefined {
  for (const tool of space.toolsOf(earlier)) {
    const calls = space.calls(tool);
    const wide = calls?.of(earlier);
    if (!calls || !wide) continue;
    const own = calls.of(rule);
    const proves = (call: ToolCall) => {
      const facts = space.policy.facts(call);
      return wide.entry.matches(facts) === "yes" && own?.entry.matches(facts) !== "yes";
    };
    const query = { all: [calls.domain, wide.yes], none: own ? [own.yes] : [] };
    const search = findCall(query, { calls, budget: space.budget(), proves });
    if (search.kind === "call") return search.call;
  }
  return undefined;
}
