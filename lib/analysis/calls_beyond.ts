import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { Policy } from "../policy/compile/policy.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import { findWords } from "./automata/find_words.ts";
import { RuleSpace } from "./rule_space.ts";

/** What is asked about a pattern. */
export interface BeyondOptions {
  /** Calls that are known; they are left out. */
  readonly given: readonly ToolCall[];
  /** How many calls are wanted at most. */
  readonly count: number;
}

/**
 * What else an allow rule of that pattern would allow: the shortest calls that it fits besides the given ones, each going
 * another way through the pattern, so that they show how wide it is. Read by the policy's own settings and tools. Empty when
 * it fits nothing else that is looked at. Throws RangeError for a pattern that cannot be read.
 *
 * @example
 * ```ts
 * import { policyFromToml } from "../core.ts";
 * const given = [{ tool: "Bash", input: { command: "npm run build" } }];
 * const more = callsBeyond("Bash:npm run *", policyFromToml(""), { given, count: 3 });
 * console.log(more.map(({ input }) => input["command"])); // ["npm run a", …]
 * ```
 */
export function callsBeyond(
  pattern: string,
  policy: Policy,
  { given, count }: BeyondOptions,
): readonly ToolCall[] {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) {
    throw new RangeError(`Cannot read pattern "${pattern}": ${parsed.error.detail}`);
  }
  const source = { kind: "project", path: "", line: 1, column: 1 } as const;
  const rule: CompiledRule = { pattern, action: "allow", index: 0, source, parsed: parsed.value };
  const alone = withRules(policy, [rule]);
  const space = new RuleSpace(alone);
  const known = new Set(given.map(textOf));
  const found: ToolCall[] = [];
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const entry = calls?.of(rule);
    if (!calls || !entry) continue;
    for (const word of findWords({ all: [calls.domain, entry.yes], none: [] }, space.budget())) {
      if (found.length >= count) return found;
      if (word === "spent") break;
      const call = calls.callOf(word);
      if (known.has(textOf(call)) || evaluate(alone, call).action !== "allow") continue;
      known.add(textOf(call));
      found.push(call);
    }
  }
  return found;
}

function textOf({ tool, input }: ToolCall): string {
  return JSON.stringify([tool, input]);
}

/** A policy of some of the rules of another. */
function withRules(policy: Policy, rules: readonly CompiledRule[]): Policy {
  return new Policy({
    rules,
    merged: policy.sources,
    profiles: policy.profiles,
    context: policy.context,
    cwd: policy.request({ tool: "Read", input: {} }).cwd,
    recompile: () => undefined,
  });
}
