import type { Action } from "../../model/action.ts";
import type { Located } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import type { WrittenRule } from "../../model/settings.ts";
import type { InstantResult } from "../../text/instant.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { ACTIONS } from "../../model/action.ts";
import { parseInstant, parseTomlInstant } from "../../text/instant.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { readChoice, readString, readStrings } from "./read_value.ts";
import { unknownKeys } from "./unknown_keys.ts";

/** One rule's table; undefined when anything in it is wrong, and the problems are added. */
export function decodeRule(table: TomlTable, problems: Problem[]): WrittenRule | undefined {
  const before = problems.length;
  problems.push(...unknownKeys(table, "rule"));
  const pattern = readPattern(table, problems);
  const action = readAction(table, problems);
  const comment = readText(table, { key: "comment", problems });
  const reason = readText(table, { key: "reason", problems });
  if (action !== undefined && action.value !== "deny" && reason !== undefined) {
    problems.push(misplacedReason(table, action.value));
  }
  const expiresMember = table.members.get("expires_at");
  const expiresAt = expiresMember && readInstant(expiresMember, problems);
  const match = readExamples(table, { key: "match", problems });
  const notMatch = readExamples(table, { key: "not_match", problems });
  if (problems.length > before || pattern === undefined || action === undefined) return undefined;
  return {
    pattern,
    action: action.value,
    ...(comment !== undefined && { comment }),
    ...(reason !== undefined && { reason }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(match && { match }),
    ...(notMatch && { notMatch }),
    span: table.span,
  };
}

function readPattern(table: TomlTable, problems: Problem[]): Located<string> | undefined {
  const pattern = table.members.get("pattern");
  const tool = table.members.get("tool");
  if (pattern !== undefined && tool !== undefined) {
    problems.push(errorAt(tool.key, {
      id: "misplaced-key",
      message: 'Cannot read key "tool": the rule has "pattern" as well, which means the same',
      hint: 'Keep "pattern"',
    }));
  }
  const member = pattern ?? tool;
  if (member !== undefined) return readString(member, problems);
  problems.push(missingKey(table, "pattern"));
  return undefined;
}

function readAction(table: TomlTable, problems: Problem[]): Located<Action> | undefined {
  const member = table.members.get("action");
  if (member !== undefined) return readChoice(member, { choices: ACTIONS, problems });
  problems.push(missingKey(table, "action"));
  return undefined;
}

function missingKey(table: TomlTable, key: string): Problem {
  const pattern = (table.members.get("pattern") ?? table.members.get("tool"))?.value;
  const name = pattern?.type === "string" ? `the rule ${quoted(pattern.value)}` : "the rule";
  const message = `Cannot read ${name}: its "${key}" is missing`;
  return errorAt(table.span, { id: "missing-key", message });
}

function readText(
  table: TomlTable,
  options: { readonly key: string; readonly problems: Problem[] },
): string | undefined {
  const member = table.members.get(options.key);
  return member && readString(member, options.problems)?.value;
}

function readExamples(
  table: TomlTable,
  options: { readonly key: string; readonly problems: Problem[] },
): readonly Located<string>[] | undefined {
  const member = table.members.get(options.key);
  return member && readStrings(member, options.problems);
}

function misplacedReason(table: TomlTable, action: Action): Problem {
  return errorAt(table.members.get("reason")?.key ?? table.span, {
    id: "misplaced-reason",
    message: `Cannot read key "reason": only a deny rule has one, and this is ${action}`,
    hint: 'What people should know about a rule is its "comment"',
  });
}

function readInstant(member: TomlMember, problems: Problem[]): number | undefined {
  const { value } = member;
  if (value.type !== "date-time") {
    const text = readString(member, problems);
    return text && instantOf(text, { result: parseInstant(text.value), problems });
  }
  return instantOf(value, { result: parseTomlInstant(value.value), problems });
}

function instantOf(
  text: Located<string>,
  options: { readonly result: InstantResult; readonly problems: Problem[] },
): number | undefined {
  const { result, problems } = options;
  if (result.ok) return result.value;
  const message = `Cannot read expires_at ${quoted(text.value)}: ${result.detail}`;
  problems.push(errorAt(text.span, { id: "invalid-date", message }));
  return undefined;
}
