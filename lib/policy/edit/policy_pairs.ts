import type { Action, Json, ToolOverride } from "../../model/call.ts";
import type { FileSettings, WrittenCall, WrittenRule, WrittenTest } from "../../model/rule.ts";
import type { Located } from "../../model/problem.ts";
import { formatInstant } from "../../text/instant.ts";
import { tomlKey, tomlPair, tomlString } from "../../text/toml_text.ts";

/** A key of a permissions.toml and its value. */
export type Pair<T extends string | boolean | readonly string[]> = readonly [key: string, value: T];

type PermissionsSetting = Exclude<
  keyof FileSettings,
  "wrappers" | "variables" | "classes" | "repositories"
>;

/** The keys of `[permissions]` in the order in which they are written. */
const SETTING_KEYS: readonly (readonly [key: string, name: PermissionsSetting])[] = [
  ["default_mode", "defaultMode"],
  ["enforce", "enforce"],
  ["shell", "shell"],
  ["enforce_expiry", "enforceExpiry"],
  ["audit_log", "auditLog"],
  ["require_trust", "requireTrust"],
  ["managed_only", "managedOnly"],
  ["unmatched", "unmatched"],
];

/** The keys of `[permissions]` for a file's settings. */
export function settingPairs(settings: FileSettings): readonly Pair<string | boolean>[] {
  return SETTING_KEYS.flatMap(([key, name]) => {
    const setting = settings[name];
    return setting === undefined ? [] : [[key, setting.value] as const];
  });
}

/** The keys of `[shell]` for a file's settings. */
export function shellPairs(
  { wrappers, variables, repositories }: FileSettings,
): readonly Pair<readonly string[]>[] {
  return [
    ...listPair("wrappers", wrappers?.value),
    ...listPair("variables", variables?.value),
    ...listPair("repositories", repositories?.value),
  ];
}

/** The keys of `[shell.classes]` for a file's settings. */
export function classPairs({ classes }: FileSettings): readonly Pair<readonly string[]>[] {
  const names = [...new Set(classes?.value.map(({ name }) => name))];
  return names.map((key) => {
    const own = classes!.value.filter(({ name }) => name === key);
    return [key, own.map(({ command }) => command.value)];
  });
}

/** The keys of a rule. Throws RangeError for one that expires outside of the years 0 to 9999. */
export function writtenPairs(rule: WrittenRule): readonly Pair<string | readonly string[]>[] {
  const { pattern, action, comment, reason, expiresAt, match, notMatch } = rule;
  const pairs = rulePairs({
    pattern: pattern.value,
    action,
    ...(comment !== undefined && { comment }),
    ...(reason !== undefined && { reason }),
    ...(expiresAt !== undefined && { expiresAt: formatInstant(expiresAt) }),
  });
  return [...pairs, ...listPair("match", match), ...listPair("not_match", notMatch)];
}

function listPair(
  key: string,
  list: readonly Located<string>[] | undefined,
): readonly Pair<readonly string[]>[] {
  return list === undefined ? [] : [[key, list.map(({ value }) => value)]];
}

/** The keys of a `[tools.NAME]` table. */
export function toolPairs(tool: ToolOverride): readonly Pair<string>[] {
  const pairs = [
    ["alias_of", tool.aliasOf],
    ["first_arg", tool.firstArg],
    ["kind", tool.kind],
    ["class", tool.class],
    ["shell", tool.shell],
  ] as const;
  return pairs.flatMap(([key, value]) => value === undefined ? [] : [[key, value] as const]);
}

/** The keys of a policy test. */
export function testPairs(test: WrittenTest): readonly (readonly [key: string, value: Json])[] {
  const { call, expect, mode, rule, why } = test;
  return [
    ["call", callValue(call)],
    ["expect", expect.value],
    ...(mode === undefined ? [] : [["mode", mode] as const]),
    ...(rule === undefined ? [] : [["rule", rule.value] as const]),
    ...(why === undefined ? [] : [["why", why] as const]),
  ];
}

function callValue(call: WrittenCall): Json {
  if (call.form === "text") {
    return call.text === undefined ? call.tool : `${call.tool}:${call.text}`;
  }
  const { tool, input, cwd } = call;
  return { tool, input, ...(cwd === undefined ? {} : { cwd }) };
}

/** A policy test as a `[[permissions.tests]]` table, one key a line, each line ended by a line feed. */
export function testBlock(test: WrittenTest): string {
  const lines = testPairs(test).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return ["[[permissions.tests]]", ...lines, ""].join("\n");
}

/** A JSON value as TOML, on one line. Throws RangeError for null, which TOML does not have. */
function tomlValue(value: Json): string {
  switch (typeof value) {
    case "string":
      return tomlString(value);
    case "number":
    case "boolean":
      return `${value}`;
    case "object":
      if (value === null) throw new RangeError("Cannot write null as TOML");
      if (Array.isArray(value)) return `[${value.map(tomlValue).join(", ")}]`;
      return tableText(Object.entries(value));
  }
}

function tableText(members: readonly (readonly [string, Json])[]): string {
  if (members.length === 0) return "{}";
  return `{ ${members.map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}`).join(", ")} }`;
}

/** A rule to write into a file. */
export interface NewRule {
  readonly pattern: string;
  readonly action: Action;
  /** For people. */
  readonly comment?: string;
  /** For the model; deny rules only. */
  readonly reason?: string;
  /** The time when it ends, RFC 3339, as it will be written. */
  readonly expiresAt?: string;
}

/** A rule as a `[[permissions.rules]]` table, one key a line, each line ended by a line feed. */
export function ruleBlock(rule: NewRule): string {
  return ["[[permissions.rules]]", ...rulePairs(rule).map(tomlPair), ""].join("\n");
}

/** A rule as an inline table on one line. */
export function inlineRule(rule: NewRule): string {
  return `{ ${rulePairs(rule).map(tomlPair).join(", ")} }`;
}

/** The keys of a rule, in the order in which they are written. */
function rulePairs(rule: NewRule): readonly (readonly [key: string, value: string])[] {
  const keys = [
    ["pattern", rule.pattern],
    ["action", rule.action],
    ["comment", rule.comment],
    ["reason", rule.reason],
    ["expires_at", rule.expiresAt],
  ] as const;
  return keys.flatMap(([key, value]) => value === undefined ? [] : [[key, value] as const]);
}
