import { literalHead } from "../pattern/glob.ts";
import type { CommandLine } from "../shell/effect.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { Precision } from "./analysis.ts";
import { type Argument, specifiersOf } from "./languages/argument.ts";
import { OPERAND_TOOLS } from "./rule_store.ts";
import { patternKey, type RuleSpace } from "./rule_space.ts";
import { expiresBefore } from "./smallest_cover.ts";
import type { AnalysedRule } from "./languages/analysed_rule.ts";
import type { ToolCalls } from "./languages/tool_calls.ts";

/** The calls that an answer about these arguments holds for. */
export function precisionOf(looked: readonly Argument[]): Precision {
  const kinds = new Set(looked.map(({ kind }) => kind));
  if (kinds.has("commands")) return "plain commands";
  if (kinds.has("paths")) return "plain paths";
  return kinds.has("URLs") ? "plain URLs" : "every call";
}

/** The least precise of them; `every call` for none. */
export function leastPrecise(precisions: readonly Precision[]): Precision {
  const order: readonly Precision[] = ["plain commands", "plain paths", "plain URLs"];
  return order.find((precision) => precisions.includes(precision)) ?? "every call";
}

/**
 * True if an earlier rule decides every call that the rule would, in each spelling, and for as long: one with the identical
 * pattern and action (or a deny instead of an ask), since it is compiled to the same matcher; or an allow or deny without a
 * specifier, which matches every call and every part of one. Not so
 *
 * - a built-in rule for operands of commands, about which only written ones are asked;
 * - any but the identical rule for one that checks operands, whose presence alone has an effect;
 * - a built-in rule, or a deny without a specifier, for one whose commands are looked for in operands;
 * - a deny of commands for an allow of them, which also applies to the files that a redirection writes;
 * - an ask of commands without a specifier, which does not see a harmless command beside another one.
 */
export function alwaysDecidesFirst(
  earlier: CompiledRule,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): boolean {
  if (earlier.index >= rule.index || expiresBefore(earlier, { rule, space })) return false;
  const isOverlooked = earlier.source.kind === "builtin" && rule.source.kind !== "builtin";
  const isGuard = guardsOperands(rule, space);
  if (isOverlooked && (isGuard || appliesToOperands(rule, space))) return false;
  if (isIdentical(earlier, rule)) return true;
  if (
    isGuard || checksOperands(rule, space) || earlier.parsed.specifier !== undefined ||
    !space.complete
  ) {
    return false;
  }
  const tools = space.toolsOf(rule);
  const isCommand = tools.some((tool) =>
    space.shellOf(tool) === "parsed" && space.policy.profiles.get(tool).kind === "command"
  );
  const isOther = earlier.action === "ask" || earlier.action === "deny" && rule.action === "allow";
  if (isCommand && isOther) return false;
  return tools.every((tool) => space.calls(tool)?.of(earlier)?.toolRule.specifier?.kind === "any");
}

/**
 * True if the mere presence of the rule makes commands questions: a written deny or ask for some files or URLs makes every
 * operand that a line does not fix (`rm "$f"`) a question, under any rules before it.
 */
export function checksOperands(rule: CompiledRule, space: RuleSpace): boolean {
  return rule.action !== "allow" && appliesToOperands(rule, space);
}

function appliesToOperands(rule: CompiledRule, space: RuleSpace): boolean {
  if (space.policy.settings.shell === "literal") return false;
  return space.toolsOf(rule).some((tool) => OPERAND_TOOLS.has(tool));
}

/** True if the rule makes commands questions whose operands read as its own command, under any rules before it. */
function guardsOperands(rule: CompiledRule, space: RuleSpace): boolean {
  return space.toolsOf(rule).some((tool) =>
    space.calls(tool)?.operands.guards.some((guard) => guard.rule === rule)
  );
}

/** True if two rules have the same pattern, and the first matches at least what the second does. */
export function isIdentical(first: CompiledRule, second: CompiledRule): boolean {
  if (first.action !== second.action && !(first.action === "deny" && second.action === "ask")) {
    return false;
  }
  return patternKey(first.parsed) === patternKey(second.parsed);
}

/**
 * True if a rule on commands names plain ones: its literal beginning runs and opens nothing else. Otherwise it is meant for
 * other spellings.
 */
export function namesPlainCommands(
  { toolRule }: AnalysedRule,
  { calls, space }: { readonly calls: ToolCalls; readonly space: RuleSpace },
): boolean {
  if (!calls.arguments.some(({ kind }) => kind === "commands")) return true;
  if (toolRule.readAs?.shell === "other") return true;
  const tests = [toolRule.specifier].flatMap((specifier) =>
    specifier?.kind === "argument"
      ? [specifier.test]
      : specifier?.kind === "fields"
      ? specifier.fields.flatMap(({ isArgument, test }) => isArgument ? [test] : [])
      : []
  );
  return tests.every((test) => {
    if (test.kind !== "command" || test.anchor === "contains") return true;
    const head = literalHead(test.glob);
    const text = /\s$|^$/.test(head) ? `${head}a` : head;
    const line = space.lineOf(calls.tool, text);
    return line !== undefined && isPlain(line);
  });
}

/** True if a rule compares a field as text that others compare as a file or URL, where only plain ones are analysed. */
export function comparesTexts({ toolRule }: AnalysedRule, calls: ToolCalls): boolean {
  const narrow = calls.arguments.filter(({ role, kind }) =>
    role !== "first" && kind !== "every text"
  );
  return specifiersOf(toolRule).some((specifier) =>
    specifier.kind === "fields" &&
    specifier.fields.some(({ isArgument, key, test }) =>
      !isArgument && test.kind === "text" && narrow.some((argument) => argument.key === key)
    )
  );
}

/** True if a line is one command with no other spelling, and nothing else but files and URLs that it names. */
export function isPlain({ text: line, effects: units }: CommandLine): boolean {
  const [first, ...rest] = units;
  return first?.kind === "command" && first.denyTexts.length === 1 &&
    first.denyTexts[0]!.text === line &&
    rest.every(({ checkedAgainst }) => checkedAgainst === "userDenies");
}
