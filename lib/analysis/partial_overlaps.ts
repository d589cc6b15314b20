import type { ToolCall } from "../model/call.ts";
import type { PartialOverlap } from "./analysis.ts";
import type { CompiledPolicy, CompiledRule } from "../policy/compile/compiled_policy.ts";
import { type Budget, findWord } from "./automata/find_words.ts";
import { decidedBefore, whyNotAnalysed } from "./reachability.ts";
import { isDecided } from "./outcome.ts";
import type { RuleSpace } from "./rule_space.ts";
import { findCall, findCallOutside } from "./find_call.ts";
import type { AnalysedRule } from "./languages/analysed_rule.ts";
import type { ToolCalls } from "./languages/tool_calls.ts";

interface About {
  readonly space: RuleSpace;
  readonly isAsked: (earlier: CompiledRule) => boolean;
}

/** The budget of all searches for one rule, in full searches. */
const SEARCHES = 8;

/**
 * Yields the earlier rules that decide some of the rule's calls and also fit others, each with a call that it decides, as they
 * are found.
 */
export function* partialOverlapsOf(
  rule: CompiledRule,
  { space, isAsked }: About,
): Generator<PartialOverlap> {
  if (whyNotAnalysed(rule, space) !== undefined) return;
  const budget = { left: SEARCHES * space.budget().left };
  const looked = new Set<CompiledRule>();
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const analysed = calls?.of(rule);
    if (!calls || !analysed) continue;
    for (const earlier of calls.earlier(analysed)) {
      if (looked.has(earlier.rule) || !isAsked(earlier.rule)) continue;
      const witness = shared(analysed, { earlier, calls, space, budget });
      if (!witness) continue;
      looked.add(earlier.rule);
      const beyond = callBeyond(earlier.rule, { rule, space, budget });
      if (beyond) yield { rule: earlier.rule, witness, beyond };
    }
  }
}

interface Searching {
  readonly space: RuleSpace;
  readonly budget: Budget;
}

/** A call that the rule fits and an earlier rule decides. */
function shared(
  { toolRule, yes }: AnalysedRule,
  { earlier, calls, space, budget }: Searching & { earlier: AnalysedRule; calls: ToolCalls },
): ToolCall | undefined {
  const proves = (call: ToolCall) => {
    const { rule, by } = space.evaluate(call);
    return rule?.index === earlier.rule.index && by === "rule" &&
      toolRule.matches(space.requestOf(call)) === "yes";
  };
  const all = [calls.domain, earlier.yes, yes];
  // Most pairs have nothing in common, or a shortest word that proves it, which shows sooner without the rules before them.
  const word = findWord({ all, none: [] }, budget);
  if (word === undefined) return undefined;
  const shortest = word === "spent" ? undefined : calls.callOf(word);
  if (shortest && proves(shortest)) return shortest;
  const search = findCallOutside({ all, none: decidedBefore(earlier, calls) }, {
    calls,
    budget,
    proves,
    hidden: [calls.operands.raised(earlier)],
  });
  if (search.kind === "call") return search.call;
  // An option may need a value first.
  return search.kind === "unconfirmed"
    ? withOperand(search.call, space.policy).find(proves)
    : undefined;
}

/** The same command with one or two more operands. */
function withOperand({ tool, input }: ToolCall, { profiles }: CompiledPolicy): readonly ToolCall[] {
  const { kind, firstArg } = profiles.get(tool);
  const name = kind === "command" ? firstArg?.[0] : undefined;
  const command = name === undefined ? undefined : input[name];
  if (name === undefined || typeof command !== "string") return [];
  return ["a", "a a"].map((more) => ({ tool, input: { ...input, [name]: `${command} ${more}` } }));
}

/** A call of any tool that the earlier rule fits and the rule does not. */
function callBeyond(
  earlier: CompiledRule,
  { rule, space, budget }: Searching & { rule: CompiledRule },
): ToolCall | undefined {
  const { policy } = space;
  for (const tool of space.toolsOf(earlier)) {
    const calls = space.calls(tool);
    const broad = calls?.of(earlier);
    if (!calls || !broad) continue;
    const own = calls.of(rule);
    const isOwn = (call: ToolCall) => own?.toolRule.matches(policy.request(call)) === "yes";
    const proves = (call: ToolCall) =>
      !isOwn(call) &&
      (broad.toolRule.matches(policy.request(call)) === "yes" ||
        isDecided(space.evaluate(call), earlier));
    const query = { all: [calls.domain, broad.yes], none: own ? [own.yes] : [] };
    const search = findCall(query, { calls, budget, proves });
    if (search.kind === "call") return search.call;
  }
  return undefined;
}
