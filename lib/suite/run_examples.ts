import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Located } from "../model/problem.ts";
import type { PlacedRule, Rule } from "../model/rule.ts";
import { any, type Match, type Verdict } from "../model/verdict.ts";
import { namedTool, parsePattern } from "../pattern/parse_pattern.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { TOOL_NAME_PATTERN } from "../policy/decode/decode_call.ts";
import { callInput, type CallReading } from "./test_call.ts";

/** The result of one example of a rule. */
export interface ExampleOutcome {
  readonly rule: Rule;
  /** The list that the example stands in. */
  readonly list: "match" | "not_match";
  /** The example as it is written, with its place. */
  readonly example: Located<string>;
  /** The text of the file that it stands in. */
  readonly text: string;
  /** The call of the example; absent if it has none. */
  readonly call?: ToolCall;
  /** The reason why it fails, in one sentence without a final full stop; absent if it holds. */
  readonly fault?: string;
}

/**
 * Checks the `match` and `not_match` examples of every rule against its pattern alone. An allow rule matches a command line
 * if it matches everything that the line runs, a deny or ask rule if it matches one part.
 */
export function runExamples(
  policy: CompiledPolicy,
  reading: CallReading,
): readonly ExampleOutcome[] {
  return policy.sources.rules.flatMap((placed, index) => {
    const rule = policy.rules[index];
    const { match = [], notMatch = [] } = placed;
    if (rule === undefined || match.length + notMatch.length === 0) return [];
    const alone = aloneIn(policy, placed);
    const examples = [
      ...match.map((example) => ({ list: "match", example } as const)),
      ...notMatch.map((example) => ({ list: "not_match", example } as const)),
    ];
    return examples.map(({ list, example }): ExampleOutcome => {
      const call = exampleCall(example.value, { placed, reading });
      const about = { rule, list, example, text: placed.text };
      if (typeof call === "string") return { ...about, fault: call };
      const fault = faultOf(evaluate(alone, call, { trace: "full" }), {
        list,
        action: rule.action,
      });
      return { ...about, call, ...(fault !== undefined && { fault }) };
    });
  });
}

/** The policy with that rule alone, which never expires. Throws Error if it does not compile. */
function aloneIn(policy: CompiledPolicy, { expiresAt: _, ...placed }: PlacedRule): CompiledPolicy {
  const alone = policy.with({ ...policy.sources, rules: [placed] });
  if (alone === undefined) throw new Error(`The rule ${placed.pattern.value} does not compile`);
  return alone;
}

/** The call of an example: the first argument of the tool that the pattern names; a whole call where it names none. */
function exampleCall(
  example: string,
  { placed, reading }: { readonly placed: PlacedRule; readonly reading: CallReading },
): ToolCall | string {
  const { profiles, workspace } = reading;
  const pattern = parsePattern(placed.pattern.value);
  const named = pattern.ok ? namedTool(pattern.value) : undefined;
  if (named !== undefined) {
    const read = callInput(example, profiles.get(named));
    return read.ok ? { tool: named, input: read.input, cwd: workspace } : read.detail;
  }
  const cut = example.indexOf(":");
  const tool = cut < 0 ? example : example.slice(0, cut);
  if (!new RegExp(TOOL_NAME_PATTERN).test(tool)) {
    return 'the pattern is for several tools, so an example must be a whole call such as "Bash:ls"';
  }
  if (cut < 0) return { tool, input: {}, cwd: workspace };
  const read = callInput(example.slice(cut + 1), profiles.get(tool));
  return read.ok ? { tool, input: read.input, cwd: workspace } : read.detail;
}

type RunExample = Pick<ExampleOutcome, "list"> & Pick<Rule, "action">;

function faultOf(verdict: Verdict, { list, action }: RunExample): string | undefined {
  const match = matchOf(verdict, action);
  switch (match) {
    case "yes":
      return list === "match" ? undefined : "the pattern matches it";
    case "no":
      return list === "not_match" ? undefined : withWhy("the pattern does not match it", verdict);
    case "indeterminate":
      return withWhy("it is unknown whether the pattern matches it", verdict);
  }
}

/**
 * The match of a policy's only rule. An allow rule that cannot be evaluated does not match.
 */
function matchOf({ action, units }: Verdict, says: Rule["action"]): Match {
  if (says === "allow") return action === "allow" ? "yes" : "no";
  return any(units.flatMap(({ steps }) => steps.map(({ match }) => match)));
}

function withWhy(fault: string, { units }: Verdict): string {
  const unit = units.find(({ steps }) => steps.some(({ match }) => match !== "yes"));
  const why = unit?.steps.find(({ match }) => match !== "yes")?.why ?? "";
  if (unit === undefined || why === "") return fault;
  return units.length === 1 ? `${fault}: ${why}` : `${fault}: of \`${unit.text}\`, ${why}`;
}
