import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { PartialOverlap } from "./analysis.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { type Budget, findWord } from "./automata/find_words.ts";
import { before, notAsked } from "./reach.ts";
import { isDecided } from "./replay.ts";
import type { RuleSpace } from "./rule_space.ts";
import { findCall } from "./automata/search.ts";
import type { ToolCalls, ToolEntry } from "./languages/tool_calls.ts";

/** What is asked about a rule. */
interface About {
  readonly space: RuleSpace;
  readonly isAsked: (earlier: CompiledRule) => boolean;
}

/** How many searches of full length the questions about one rule may cost together. */
const SEARCHES = 8;

/**
 * The earlier rules that decide some of the rule's calls and fit others besides, each with a call that it decides; one after
 * the other, as they are found.
 */
export function* partialOverlapsOf(
  rule: CompiledRule,
  { space, isAsked }: About,
): Generator<PartialOverlap> {
  if (notAsked(rule, space) !== undefined) return;
  const budget = { left: SEARCHES * space.budget().left };
  const looked = new Set<CompiledRule>();
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const entry = calls?.of(rule);
    if (!calls || !entry) continue;
    for (const earlier of calls.near(entry)) {
      if (earlier.place > entry.place) break;
      if (looked.has(earlier.rule) || !isAsked(earlier.rule)) continue;
      const witness = shared(entry, { earlier, calls, space, budget });
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

/** A call that the entry fits, and whose verdict is an earlier one's. */
function shared(
  { entry: toolRule, yes }: ToolEntry,
  { earlier, calls, space, budget }: Searching & { earlier: ToolEntry; calls: ToolCalls },
): ToolCall | undefined {
  const all = [calls.domain, earlier.yes, yes];
  // Mostly they have nothing in common, which is found out sooner without the rules before them.
  if (findWord({ all, none: [] }, budget) === undefined) return undefined;
  const { policy, view, options } = space;
  const proves = (call: ToolCall) =>
    toolRule.matches(policy.request(call)) === "yes" &&
    evaluate(view, call, options).rule?.index === earlier.rule.index;
  const search = findCall({ all, none: before(earlier, calls) }, { calls, budget, proves });
  if (search.kind === "call") return search.call;
  // An option may want a value before a command is what it seems.
  return search.kind === "odd" ? withOperand(search.call, policy).find(proves) : undefined;
}

/** The same command with an operand more. */
function withOperand({ tool, input }: ToolCall, { profiles }: Policy): readonly ToolCall[] {
  const { kind, firstArg } = profiles.get(tool);
  const name = kind === "command" ? firstArg?.[0] : undefined;
  const command = name === undefined ? undefined : input[name];
  if (name === undefined || typeof command !== "string") return [];
  return ["a", "a a"].map((more) => ({ tool, input: { ...input, [name]: `${command} ${more}` } }));
}

/** A call, of any tool, that the earlier rule fits and the rule does not. */
function callBeyond(
  earlier: CompiledRule,
  { rule, space, budget }: Searching & { rule: CompiledRule },
): ToolCall | undefined {
  const { policy, view, options } = space;
  for (const tool of space.toolsOf(earlier)) {
    const calls = space.calls(tool);
    const wide = calls?.of(earlier);
    if (!calls || !wide) continue;
    const own = calls.of(rule);
    const isOwn = (call: ToolCall) => own?.entry.matches(policy.request(call)) === "yes";
    const proves = (call: ToolCall) =>
      !isOwn(call) &&
      (wide.entry.matches(policy.request(call)) === "yes" ||
        isDecided(call, { policy: view, rule: earlier, options }));
    const query = { all: [calls.domain, wide.yes], none: own ? [own.yes] : [] };
    const search = findCall(query, { calls, budget, proves });
    if (search.kind === "call") return search.call;
  }
  return undefined;
}
