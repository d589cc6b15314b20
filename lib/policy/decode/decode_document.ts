import type { FileSettings, PolicyFile, WrittenTest } from "../../model/rule.ts";
import { errorAt, type Located, type Problem, quoted } from "../../model/problem.ts";
import type { TomlDocument, TomlMember, TomlTable } from "../../text/toml_node.ts";
import { DEFAULT_TOOLS } from "../compile/profiles.ts";
import { decodeHooks } from "./decode_hooks.ts";
import { decodeRules } from "./decode_rules.ts";
import { decodeShell } from "./decode_shell.ts";
import { FIRST_ARG_PATTERN, unknownKeys } from "./table_keys.ts";
import { readBoolean, readChoice, readString, readTable } from "./read_value.ts";
import {
  MODE_NAMES,
  SHELL_MODES,
  TOOL_CLASSES,
  TOOL_KINDS,
  TOOL_SHELLS,
  type ToolKind,
  type ToolOverride,
  UNMATCHED,
} from "../../model/call.ts";

/** Reads the tests of a file and adds their problems. */
export type TestReader = (member: TomlMember, problems: Problem[]) => readonly WrittenTest[];

/**
 * Decodes a parsed permissions.toml, as total as `decodePolicy`. `readTests` reads its tests; a decision does not load it,
 * and without it tests are skipped.
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

type BooleanSetting = Exclude<
  keyof FileSettings,
  "defaultMode" | "shell" | "unmatched" | "wrappers" | "variables" | "classes" | "repositories"
>;

/** The settings that are true or false, by key. */
const BOOLEANS: ReadonlyMap<string, BooleanSetting> = new Map([
  ["enforce", "enforce"],
  ["enforce_expiry", "enforceExpiry"],
  ["audit_log", "auditLog"],
  ["require_trust", "requireTrust"],
  ["managed_only", "managedOnly"],
]);

/** The settings of a `[permissions]` table. A setting with a problem is left out. */
function decodeSettings(table: TomlTable, problems: Problem[]): FileSettings {
  const settings: Draft = {};
  const mode = modeMember(table, problems);
  const defaultMode = mode && readChoice(mode, { choices: MODE_NAMES, problems });
  if (defaultMode) settings.defaultMode = defaultMode;
  const shellMember = table.members.get("shell");
  const shell = shellMember && readChoice(shellMember, { choices: SHELL_MODES, problems });
  if (shell) settings.shell = shell;
  const unmatchedMember = table.members.get("unmatched");
  const unmatched = unmatchedMember &&
    readChoice(unmatchedMember, { choices: UNMATCHED, problems });
  if (unmatched) settings.unmatched = unmatched;
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

type ToolShell = NonNullable<ToolOverride["shell"]>;

/** The tools that another may be a second name of: those that caliban knows without being told. */
const ALIASED: readonly string[] = [...DEFAULT_TOOLS];

/** The `[tools.NAME]` tables by name. A key with a problem is left out. */
function decodeTools(
  member: TomlMember,
  problems: Problem[],
): ReadonlyMap<string, Located<ToolOverride>> {
  const tools = new Map<string, Located<ToolOverride>>();
  for (const tool of readTable(member, problems)?.members.values() ?? []) {
    const table = readTable(tool, problems, `tools.${tool.name}`);
    if (table === undefined) continue;
    tools.set(tool.name, { value: decodeTool(table, problems), span: table.span });
  }
  return tools;
}

function decodeTool(table: TomlTable, problems: Problem[]): ToolOverride {
  problems.push(...unknownKeys(table, "tool"));
  const aliasMember = table.members.get("alias_of");
  const aliasOf = aliasMember && readChoice(aliasMember, { choices: ALIASED, problems });
  const firstArgMember = table.members.get("first_arg");
  const firstArg = firstArgMember && readFirstArg(firstArgMember, problems);
  const kindMember = table.members.get("kind");
  const kind = kindMember && readChoice(kindMember, { choices: TOOL_KINDS, problems });
  const classMember = table.members.get("class");
  const toolClass = classMember && readChoice(classMember, { choices: TOOL_CLASSES, problems });
  const shell = readShell(table, { kind, problems });
  return {
    ...(aliasOf && { aliasOf: aliasOf.value }),
    ...(firstArg && { firstArg: firstArg.value }),
    ...(kind && { kind: kind.value }),
    ...(toolClass && { class: toolClass.value }),
    ...(shell && { shell: shell.value }),
  };
}

/** `shell`, which only a tool of kind `command` has; the kind may come from another source. */
function readShell(
  table: TomlTable,
  options: { readonly kind: Located<ToolKind> | undefined; readonly problems: Problem[] },
): Located<ToolShell> | undefined {
  const { kind, problems } = options;
  const member = table.members.get("shell");
  if (member === undefined) return undefined;
  if (kind !== undefined && kind.value !== "command") {
    problems.push(errorAt(member.key, {
      id: "misplaced-key",
      message:
        `Cannot read key "shell": it belongs to a tool of kind command, and this is ${kind.value}`,
    }));
  }
  return readChoice(member, { choices: TOOL_SHELLS, problems });
}

function readFirstArg(member: TomlMember, problems: Problem[]): Located<string> | undefined {
  const text = readString(member, problems);
  if (text === undefined || new RegExp(FIRST_ARG_PATTERN).test(text.value)) return text;
  problems.push(errorAt(text.span, {
    id: "unknown-value",
    message: `Cannot read first_arg ${
      quoted(text.value)
    }: expected a dotted path such as "query.sql"`,
  }));
  return undefined;
}
