import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { CompiledPolicy, type CompiledRule } from "../policy/compile/compiled_policy.ts";
import { findWords } from "./automata/find_words.ts";
import { RuleSpace } from "./rule_space.ts";

/** Options of `callsBeyond`. */
export interface BeyondOptions {
  /** Known calls, which are left out. */
  readonly given: readonly ToolCall[];
  /** The most calls to return. */
  readonly count: number;
}

/**
 * Returns other calls that an allow rule with this pattern would allow: the shortest ones besides the given calls, each by
 * another way through the pattern, so that they show how broad it is. Uses the policy's own settings and tools. Empty if no
 * other analysed call fits. Throws RangeError if the pattern cannot be parsed.
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
  policy: CompiledPolicy,
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
    const analysed = calls?.of(rule);
    if (!calls || !analysed) continue;
    for (const word of findWords({ all: [calls.domain, analysed.yes], none: [] }, space.budget())) {
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
function withRules(policy: CompiledPolicy, rules: readonly CompiledRule[]): CompiledPolicy {
  return new CompiledPolicy({
    rules,
    merged: policy.sources,
    profiles: policy.profiles,
    context: policy.context,
    cwd: policy.cwd,
    recompile: () => undefined,
  });
}
