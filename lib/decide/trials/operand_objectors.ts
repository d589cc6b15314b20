import type { ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { CommandTest } from "../../policy/compile/command_matcher.ts";
import { commandHead } from "../../policy/compile/rule_keys.ts";
import { foldCase } from "../../pattern/unicode.ts";
import { expired } from "../first_match.ts";
import type { EvalContext } from "../unit_result.ts";
import { representatives } from "./rules_behind_bound.ts";
import { isCounted } from "./trial_budget.ts";

/** The written deny and ask rules that speak of commands by how they begin. */
export interface OperandObjectors {
  readonly toolRules: readonly ToolRule[];
  /** Those that stand for all behind the bound of trials. */
  readonly representing: readonly ToolRule[];
  /** The folded first words of their commands. */
  readonly words: ReadonlySet<string>;
  /** The folded beginnings of first words that a wildcard ends. */
  readonly beginnings: readonly string[];
}

const known = new WeakMap<readonly ToolRule[], OperandObjectors>();

/** The rules that object to operands, among the written rules of a tool. */
export function objectorsOf(written: readonly ToolRule[]): OperandObjectors {
  let objectors = known.get(written);
  if (!objectors) known.set(written, objectors = objectorsAmong(written));
  return objectors;
}

function objectorsAmong(written: readonly ToolRule[]): OperandObjectors {
  const toolRules: ToolRule[] = [];
  const words = new Set<string>();
  const beginnings: string[] = [];
  for (const toolRule of written) {
    const head = operandHead(toolRule);
    if (head === undefined) continue;
    toolRules.push(toolRule);
    const [word = ""] = head.split(" ");
    if (word === head) beginnings.push(head);
    else words.add(word);
  }
  return { toolRules, representing: representatives(toolRules), words, beginnings };
}

/** The folded beginning of the commands that a deny or ask rule speaks of; undefined for a rule that operands are not tried on. */
export function operandHead(toolRule: ToolRule): string | undefined {
  const { rule, readAs } = toolRule;
  if (rule.action === "allow" || readAs?.shell !== "parsed") return undefined;
  const [test] = commandTests(toolRule);
  return test && foldCase(commandHead(test)?.trimStart() ?? "") || undefined;
}

/** The tests that a call's command must pass. */
export function commandTests({ specifier }: ToolRule): readonly CommandTest[] {
  const tests = specifier?.kind === "argument"
    ? [specifier.test]
    : specifier?.kind === "fields"
    ? specifier.fields.flatMap(({ isArgument, negated, test }) =>
      isArgument && !negated ? [test] : []
    )
    : [];
  return tests.filter((test) => test.kind === "command");
}

/** True for an allow of every command: no deny or ask rule behind it decides one. */
export function allowsEverything(toolRule: ToolRule): boolean {
  const { rule, head } = toolRule;
  // A specifier with a known head is parsed on first use, and is about some commands.
  if (rule.action !== "allow" || head !== undefined) return false;
  const isAnswer = rule.source.kind === "session" || rule.source.kind === "command";
  return toolRule.specifier?.kind === "any" && !isAnswer;
}

const allowing = new WeakMap<readonly ToolRule[], readonly ToolRule[]>();

/** The allows of every command among the rules of a tool. */
function allowsOfEverything(toolRules: readonly ToolRule[]): readonly ToolRule[] {
  let allows = allowing.get(toolRules);
  if (!allows) allowing.set(toolRules, allows = toolRules.filter(allowsEverything));
  return allows;
}

/** The rules that count for a call; behind the bound of trials those that represent them. */
export function countingObjectors(
  objectors: OperandObjectors,
  { request, rules, options }: EvalContext,
): readonly ToolRule[] {
  const counts = ({ rule }: ToolRule) =>
    !expired(rule, { settings: rules.settings, now: options.now });
  const end = allowsOfEverything(rules.toolRules(request.profile.name)).find(counts);
  const isBehind = options.budget?.isSpent === true;
  const overlooks = (each: ToolRule) => {
    const step = { rule: each.rule, match: "indeterminate", request } as const;
    return options.overlooks?.({ ...step, isSpent: isBehind && isCounted(each) }) !== undefined;
  };
  return (isBehind ? objectors.representing : objectors.toolRules).filter((each) =>
    each.rule.index < (end?.rule.index ?? Infinity) && counts(each) && !overlooks(each)
  );
}
