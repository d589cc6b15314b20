import { literalHead } from "../pattern/glob.ts";
import { patternKey } from "./pattern_key.ts";
import { readLine } from "../shell/read_line.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { Precision } from "./analysis.ts";
import { type Argument, specsOf } from "./languages/argument.ts";
import type { RuleSpace } from "./rule_space.ts";
import { endsBefore } from "./smallest_cover.ts";
import type { ToolCalls, ToolEntry } from "./languages/tool_calls.ts";

/** Of which calls an answer about these arguments speaks. */
export function precisionOf(looked: readonly Argument[]): Precision {
  const kinds = new Set(looked.map(({ kind }) => kind));
  if (kinds.has("commands")) return "plain commands";
  if (kinds.has("paths")) return "plain paths";
  return kinds.has("URLs") ? "plain URLs" : "every call";
}

/** The narrowest extent; `every call` for none. */
export function narrowest(extents: readonly Precision[]): Precision {
  const order: readonly Precision[] = ["plain commands", "plain paths", "plain URLs"];
  return order.find((extent) => extents.includes(extent)) ?? "every call";
}

/**
 * An earlier rule that decides whatever the rule would, however a call is spelled, and for as long: one with the identical
 * pattern and action (or a deny instead of an ask), since it is compiled to the same matcher; or an allow or deny without a
 * spec, which fits every call and every part of one. Not so
 *
 * - a built-in rule for operands of commands, about which only written ones are asked;
 * - any but the identical rule for one that guards operands, which says something by being there;
 * - a deny of commands for an allow of them, which also speaks of the files that a redirection writes;
 * - an ask of commands without a spec, which does not see what is a companion of another command.
 */
export function coversAlways(
  earlier: CompiledRule,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): boolean {
  if (earlier.index >= rule.index || endsBefore(earlier, { rule, space })) return false;
  const isOverlooked = earlier.source.kind === "builtin" && rule.source.kind !== "builtin";
  if (isOverlooked && speaksOfOperands(rule, space)) return false;
  if (isAlike(earlier, rule)) return true;
  if (guardsOperands(rule, space) || earlier.parsed.specifier !== undefined || !space.complete) {
    return false;
  }
  const tools = space.toolsOf(rule);
  const isCommand = tools.some((tool) =>
    space.shellOf(tool) === "parsed" && space.policy.profiles.get(tool).kind === "command"
  );
  const isOther = earlier.action === "ask" || earlier.action === "deny" && rule.action === "allow";
  if (isCommand && isOther) return false;
  return tools.every((tool) => space.calls(tool)?.of(earlier)?.entry.specifier?.kind === "any");
}

/**
 * Whether commands are asked about because there is such a rule at all: a written deny or ask about some files or URLs makes
 * a question of every operand that a line does not fix (`rm "$f"`), whatever stands before it.
 */
export function guardsOperands(rule: CompiledRule, space: RuleSpace): boolean {
  return rule.action !== "allow" && speaksOfOperands(rule, space);
}

function speaksOfOperands(rule: CompiledRule, space: RuleSpace): boolean {
  if (space.policy.settings.shell === "literal") return false;
  return space.toolsOf(rule).some((tool) => OPERAND_TOOLS.has(tool));
}

/** The tools whose rules are asked about the operands of commands. */
export const OPERAND_TOOLS: ReadonlySet<string> = new Set(["Read", "Write", "WebFetch"]);

/** Whether two rules have the same pattern, and the first is as wide as the second. */
export function isAlike(first: CompiledRule, second: CompiledRule): boolean {
  if (first.action !== second.action && !(first.action === "deny" && second.action === "ask")) {
    return false;
  }
  return patternKey(first.parsed) === patternKey(second.parsed);
}

/**
 * Whether a rule on commands speaks of plain ones: its literal beginning runs and opens nothing besides. Else what it covers
 * in other spellings is the point of it.
 */
export function speaksPlainly({ entry: toolRule }: ToolEntry, calls: ToolCalls): boolean {
  if (!calls.arguments.some(({ kind }) => kind === "commands")) return true;
  if (toolRule.readAs?.shell === "other") return true;
  const tests = [toolRule.specifier].flatMap((spec) =>
    spec?.kind === "argument"
      ? [spec.test]
      : spec?.kind === "fields"
      ? spec.fields.flatMap(({ first, test }) => first ? [test] : [])
      : []
  );
  return tests.every((test) => {
    if (test.kind !== "command" || test.anchor === "contains") return true;
    const head = literalHead(test.glob);
    return isPlain(/\s$|^$/.test(head) ? `${head}a` : head);
  });
}

/** Whether a rule compares a field as a text of which others, as a file or URL, have only the plain ones looked at. */
export function comparesTexts({ entry: toolRule }: ToolEntry, calls: ToolCalls): boolean {
  const narrow = calls.arguments.filter(({ role, kind }) =>
    role !== "first" && kind !== "every text"
  );
  return specsOf(toolRule).some((specifier) =>
    specifier.kind === "fields" &&
    specifier.fields.some(({ first, key, test }) =>
      !first && test.kind === "text" && narrow.some((argument) => argument.key === key)
    )
  );
}

/** Whether a line is one command, of whose spellings there is only this, and nothing besides but files and URLs of its trade. */
export function isPlain(line: string): boolean {
  const [first, ...rest] = readLine(line).units;
  return first?.kind === "command" && first.denyTexts.length === 1 &&
    first.denyTexts[0]!.text === line &&
    rest.every(({ checkedAgainst }) => checkedAgainst === "guarded");
}
