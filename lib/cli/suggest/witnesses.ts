import { instances } from "../../analysis/languages/instances.ts";
import { findWords } from "../../analysis/automata/find_words.ts";
import { RuleSpace } from "../../analysis/rule_space.ts";
import { evaluate } from "../../decide/evaluate.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import type { CompiledRule } from "../../policy/compile/rule_table.ts";
import { sampleCalls } from "../../suggest/sample_calls.ts";
import { callKey } from "../../suggest/verify_set.ts";

/** Witnesses looked for of each rule; some may turn out to be recorded. */
const MOST = 12;

/** Words of the analysis that are tried for each tool. */
const TRIES = 60;

/**
 * Short calls that the policy allows with a rule and not before: what the analysis finds, then the pattern with its
 * wildcards filled in. The shortest first; `evaluate()` says so of each.
 */
export function newlyAllowed(
  rule: CompiledRule,
  { before, after, now }: { readonly before: Policy; readonly after: Policy; readonly now: number },
): readonly ToolCall[] {
  const space = new RuleSpace(after, { now });
  const found = new Map<string, ToolCall>();
  const offer = (call: ToolCall) => {
    // Blanks at the end make no other call for people.
    const key = callKey(after, call).replace(/\s+"/g, '"');
    if (
      found.has(key) || found.size >= MOST || evaluate(before, call, { now }).action === "allow"
    ) {
      return;
    }
    const { action, units } = evaluate(after, call, { now });
    if (action !== "allow" || !units.some((unit) => unit.rule?.index === rule.index)) return;
    found.set(key, call);
  };
  for (const call of searched(rule, space)) offer(call);
  for (const call of [...instances(rule, space), ...sampleCalls(rule.pattern, after.profiles)]) {
    offer(call);
  }
  return [...found.values()].sort((a, b) => sizeOf(a) - sizeOf(b));
}

/** Calls that the rule is the first to fit. */
function* searched(rule: CompiledRule, space: RuleSpace): Generator<ToolCall> {
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const own = calls?.of(rule);
    if (calls === undefined || own === undefined) continue;
    const others = calls.near(own)
      .filter((each) => each.place < own.place || each.rule.action === "allow")
      .map(({ yes }) => yes);
    let tries = 0;
    for (const word of findWords({ all: [calls.domain, own.yes], none: others }, space.budget())) {
      if (word === "spent" || ++tries > TRIES) break;
      yield calls.callOf(word);
    }
  }
}

function sizeOf({ input }: ToolCall): number {
  return JSON.stringify(input).length;
}
