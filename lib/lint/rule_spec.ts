import type { ToolCall } from "../model/call.ts";
import type { ToolProfile } from "../model/tool_profile.ts";
import type { Glob } from "../pattern/glob.ts";
import { namedTool } from "../pattern/parse_pattern.ts";
import { parseSpecifier } from "../pattern/parse_spec.ts";
import type { Specifier } from "../pattern/pattern.ts";
import { patternOf, printPattern } from "../pattern/print_pattern.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";

/** What a rule says about the one tool that it names. */
export interface RuleSpec {
  /** What is known about the tool. */
  readonly profile: ToolProfile;
  /** What the rule says about its input. */
  readonly spec: Specifier;
}

/** What a rule says about the tool that it names; undefined when its tool is a glob. */
export function ruleSpec(
  { parsed }: CompiledRule,
  profiles: ToolProfiles,
): RuleSpec | undefined {
  const name = namedTool(parsed);
  if (name === undefined) return undefined;
  const profile = profiles.get(name);
  const spec = parseSpecifier(parsed, profile);
  return spec.ok ? { profile, spec: spec.value } : undefined;
}

/** A rule about the command of a command tool. */
export interface CommandRule {
  /** What is known about the tool. */
  readonly profile: ToolProfile;
  /** The glob over the command. */
  readonly glob: Glob;
  /** How far it reaches. */
  readonly anchor: "whole" | "prefix" | "contains";
}

/** What a rule says about the command of a tool that it names; undefined when it speaks of anything else. */
export function commandRule(rule: CompiledRule, profiles: ToolProfiles): CommandRule | undefined {
  const found = ruleSpec(rule, profiles);
  if (found?.spec.kind !== "argument" || found.spec.test.kind !== "command") return undefined;
  const { glob, anchor } = found.spec.test;
  return { profile: found.profile, glob, anchor };
}

/** A call of a tool with this first argument; undefined when the tool has none. */
export function callOf({ name, firstArg }: ToolProfile, text: string): ToolCall | undefined {
  const first = firstArg?.[0];
  return first === undefined ? undefined : { tool: name, input: { [first]: text } };
}

/** One text for every spelling of the same pattern: `Bash(git *)` and `Bash:git *` are one. */
export function patternKey({ parsed }: CompiledRule, profiles: ToolProfiles): string {
  const name = namedTool(parsed);
  const spec = name === undefined ? undefined : parseSpecifier(parsed, profiles.get(name));
  if (spec?.ok) return printPattern(patternOf(parsed.tool, spec.value));
  // Where several tools are meant, only the prefix form tells the two forms apart.
  const isPrefix = parsed.form === "paren" && parsed.specifier?.endsWith(":*");
  return printPattern({ ...parsed, form: isPrefix ? "paren" : "colon" });
}
