import type { Problem } from "../model/problem.ts";
import type { PolicyFile } from "../model/settings.ts";
import type { WrittenTest } from "../model/written_test.ts";
import type { TomlDocument, TomlMember } from "./toml_node.ts";
import { decodeHooks } from "./decode_hooks.ts";
import { decodeRules } from "./decode_rules.ts";
import { decodeSettings } from "./decode_settings.ts";
import { decodeShell } from "./decode_shell.ts";
import { decodeTools } from "./decode_tools.ts";
import { readTable } from "./read_value.ts";
import { unknownKeys } from "./unknown_keys.ts";

/** Reads the tests of a file; what is wrong with them is added to the problems. */
export type TestReader = (member: TomlMember, problems: Problem[]) => readonly WrittenTest[];

/**
 * Reads a permissions.toml that is parsed already; as total as `decodePolicy`. Its tests are read by `readTests`, which a
 * decision does not load; without it they are passed over.
 */
export function decodeDocument(document: TomlDocument, readTests?: TestReader): PolicyFile {
  const { root } = document;
  const problems: Problem[] = [...document.problems, ...unknownKeys(root, "file")];
  const member = root.members.get("permissions");
  const permissions = member && readTable(member, problems);
  if (permissions !== undefined) problems.push(...unknownKeys(permissions, "permissions"));
  const shell = root.members.get("shell");
  const settings = {
    ...(permissions && decodeSettings(permissions, problems)),
    ...(shell && decodeShell(shell, problems)),
  };
  const { shape, rules } = decodeRules(root, { permissions, problems });
  const toolsMember = root.members.get("tools");
  const tools = toolsMember === undefined ? new Map() : decodeTools(toolsMember, problems);
  const hooksMember = root.members.get("hooks");
  const hooks = hooksMember && decodeHooks(hooksMember, problems);
  const testsMember = permissions?.members.get("tests");
  const tests = testsMember && readTests?.(testsMember, problems);
  problems.sort((a, b) => a.span.start - b.span.start);
  return {
    shape,
    rules,
    settings,
    tools,
    ...(hooks && { hooks }),
    ...(tests && { tests }),
    problems,
  };
}
