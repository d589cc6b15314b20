import type { Problem } from "../model/problem.ts";
import type { FileSettings } from "../model/settings.ts";
import type { TomlMember, TomlTable } from "./toml_node.ts";
import { MODES, SHELL_MODES } from "./keys.ts";
import { errorAt } from "./problems.ts";
import { readBoolean, readChoice } from "./read_value.ts";

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
export function decodeSettings(table: TomlTable, problems: Problem[]): FileSettings {
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
