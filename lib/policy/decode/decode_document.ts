import type { Problem } from "../../model/problem.ts";
import type { FileSettings, PolicyFile } from "../../model/settings.ts";
import type { WrittenTest } from "../../model/written_test.ts";
import { errorAt } from "../../text/problems.ts";
import type { TomlDocument, TomlMember, TomlTable } from "../../text/toml_node.ts";
import { decodeHooks } from "./decode_hooks.ts";
import { decodeRules } from "./decode_rules.ts";
import { decodeShell } from "./decode_shell.ts";
import { decodeTools } from "./decode_tools.ts";
import { MODES, SHELL_MODES } from "./keys.ts";
import { readBoolean, readChoice, readTable } from "./read_value.ts";
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

type Draft = { -readonly [K in keyof FileSettings]: FileSettings[K] };

type BooleanSetting = Exclude<keyof FileSettings, "defaultMode" | "shell" | "wrappers">;

/** The settings that are true or false, by key. */
const BOOLEANS: ReadonlyMap<string, BooleanSetting> = new Map([
  ["enforce", "enforce"],
  ["enforce_expiry", "enforceExpiry"],
  ["audit_log", "auditLog"],
  ["require_trust", "requireTrust"],
  ["managed_only", "managedOnly"],
]);

/** The settings of a `[permissions]` table; what is wrong with one is added to `problems`, and it is left out. */
function decodeSettings(table: TomlTable, problems: Problem[]): FileSettings {
  const settings: Draft = {};
  const mode = modeMember(table, problems);
  const defaultMode = mode && readChoice(mode, { choices: MODES, problems });
  if (defaultMode) settings.defaultMode = defaultMode;
  const shellMember = table.members.get("shell");
  const shell = shellMember && readChoice(shellMember, { choices: SHELL_MODES, problems });
  if (shell) settings.shell = shell;
  for (const [key, name] of BOOLEANS) {
    const member = table.members.get(key);
    const value = member && readBoolean(member, problems);
    if (value) settings[name] = value;
  }
  return settings;
}

/** `default_mode` under either of its spellings. */
function modeMember(table: TomlTable, problems: Problem[]): TomlMember | undefined {
  const today = table.members.get("default_mode");
  const older = table.members.get("defaultMode");
  if (today !== undefined && older !== undefined) {
    problems.push(errorAt(older.key, {
      id: "misplaced-key",
      message: 'Cannot read key "defaultMode": the file has "default_mode" as well',
      hint: 'Keep "default_mode"',
    }));
  }
  return today ?? older;
}
