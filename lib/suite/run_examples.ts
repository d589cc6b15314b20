import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import { any, type Match } from "../model/match.ts";
import type { Located } from "../model/place.ts";
import type { Rule } from "../model/rule.ts";
import type { PlacedRule } from "../model/source_entry.ts";
import type { Verdict } from "../model/verdict.ts";
import { namedTool, parsePattern } from "../pattern/parse_pattern.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { TOOL_NAME_PATTERN } from "../policy/decode/test_keys.ts";
import type { CallReading } from "./test_call.ts";
import { callInput } from "./call_input.ts";

/** What came of one example of a rule. */
export interface ExampleOutcome {
  /** The rule. */
  readonly rule: Rule;
  /** Which of its lists the example stands in. */
  readonly list: "match" | "not_match";
  /** The example as it is written, and where. */
  readonly example: Located<string>;
  /** The text of the file that it stands in. */
  readonly text: string;
  /** The call that it stands for; absent when it stands for none. */
  readonly call?: ToolCall;
  /** Why it fails, in one sentence without a final full stop; absent when it holds. */
  readonly fault?: string;
}

/**
 * Checks the `match` and `not_match` of every rule: whether its pattern alone, read as its action is, fits the call. For a
 * command line an allow rule fits when it covers everything that the line runs, a deny or ask rule when it fits one of it.
 */
export function runExamples(policy: Policy, reading: CallReading): readonly ExampleOutcome[] {
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

/** The policy with that rule alone, which then never ends. Throws Error when it does not compile, as it did before. */
function aloneIn(policy: Policy, { expiresAt: _, ...placed }: PlacedRule): Policy {
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
    return 'the pattern is for several tools, so that an example is a whole call as "Bash:ls"';
  }
  if (cut < 0) return { tool, input: {}, cwd: workspace };
  const read = callInput(example.slice(cut + 1), profiles.get(tool));
  return read.ok ? { tool, input: read.input, cwd: workspace } : read.detail;
}

type Judged = Pick<ExampleOutcome, "list"> & Pick<Rule, "action">;

function faultOf(verdict: Verdict, { list, action }: Judged): string | undefined {
  const match = matchOf(verdict, action);
  switch (match) {
    case "yes":
      return list === "match" ? undefined : "the pattern fits it";
    case "no":
      return list === "not_match" ? undefined : withWhy("the pattern does not fit it", verdict);
    case "indeterminate":
      return withWhy("it cannot be known whether the pattern fits it", verdict);
  }
}

/** Whether the only rule of a policy fits. What an allow rule cannot be evaluated for, it does not fit. */
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
