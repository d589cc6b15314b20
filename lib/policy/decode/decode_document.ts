import { isVariableName, variableObjection } from "../compile/own_variables.ts";
import type { FileSettings, PolicyFile, WrittenTest } from "../../model/rule.ts";
import { errorAt, type Located, type Problem, quoted } from "../../model/problem.ts";
import type { TomlDocument, TomlMember, TomlTable } from "../../text/toml_node.ts";
import { isKnownProgram, pureWrapper } from "../compile/known_programs.ts";
import { DEFAULT_TOOLS } from "../compile/profiles.ts";
import { decodeHooks } from "./decode_hooks.ts";
import { decodeRules } from "./decode_rules.ts";
import { FIRST_ARG_PATTERN, PLACE_NAMES, unknownKeys, WRAPPER_PATTERN } from "./table_keys.ts";
import {
  readArray,
  readBoolean,
  readChoice,
  readString,
  readTable,
  wrongElement,
} from "./read_value.ts";
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
  "defaultMode" | "shell" | "unmatched" | "wrappers" | "variables"
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
    const table = readTable(tool, problems);
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

/** The settings of a `[shell]` table. A setting with a problem is left out. */
function decodeShell(
  member: TomlMember,
  problems: Problem[],
): Pick<FileSettings, "wrappers" | "variables"> {
  if (member.value.type === "string") {
    const message = `Cannot read key "shell": it belongs ${PLACE_NAMES.permissions}`;
    problems.push(errorAt(member.key, { id: "misplaced-key", message }));
    return {};
  }
  const table = readTable(member, problems);
  if (table === undefined) return {};
  problems.push(...unknownKeys(table, "shell"));
  const names = (key: string, problemOf: NameCheck) => {
    const found = table.members.get(key);
    return found && readNames(found, { problemOf, problems });
  };
  const wrappers = names("wrappers", wrapperProblem);
  const variables = names("variables", variableProblem);
  return { ...(wrappers && { wrappers }), ...(variables && { variables }) };
}

/** The problem of a name of `[shell]`, if it has one. */
type NameCheck = (name: Located<string>) => Problem | undefined;

function readNames(
  member: TomlMember,
  { problemOf, problems }: { problemOf: NameCheck; problems: Problem[] },
): Located<readonly Located<string>[]> | undefined {
  const array = readArray(member, problems);
  if (array === undefined) return undefined;
  const names: Located<string>[] = [];
  for (const element of array.elements) {
    if (element.type !== "string") {
      problems.push(wrongElement(member, { element, expected: "a string" }));
      continue;
    }
    const { value, span } = element;
    const problem = problemOf({ value, span });
    if (problem === undefined) names.push({ value, span });
    else problems.push(problem);
  }
  return { value: names, span: array.span };
}

function variableProblem({ value, span }: Located<string>): Problem | undefined {
  const cannot = `Cannot read variable ${quoted(value)}`;
  if (!isVariableName(value)) {
    const message = `${cannot}: expected one name such as "PORT"`;
    const hint = "A name consists of letters, digits and _";
    return errorAt(span, { id: "unknown-value", message, hint });
  }
  const why = variableObjection(value);
  if (why === undefined) return undefined;
  const hint = `Write it in the text of a rule: "Bash:${value}=… npm test"`;
  return errorAt(span, { id: "unknown-value", message: `${cannot}: ${why}`, hint });
}

function wrapperProblem({ value, span }: Located<string>): Problem | undefined {
  const cannot = `Cannot read wrapper ${quoted(value)}`;
  const known = isKnownProgram(value);
  if (!isPlain(value) && known !== 0) {
    const message = `${cannot}: expected one to four plain words such as "devbox run"`;
    return errorAt(span, { id: "unknown-value", message, hint: plainHint(value) });
  }
  if (known === undefined) return undefined;
  const words = value.trim().split(/\s+/);
  const message = `${cannot}: caliban already knows the program ${quoted(words[known] ?? "")}`;
  return errorAt(span, { id: "unknown-value", message, hint: knownHint(words, known) });
}

function isPlain(wrapper: string): boolean {
  return new RegExp(WRAPPER_PATTERN).test(wrapper);
}

function plainHint(wrapper: string): string {
  const words = wrapper.trim().split(/\s+/);
  if (isPlain(words.join(" "))) return `Write ${quoted(words.join(" "))}`;
  const option = words.findIndex((word) => word.startsWith("-"));
  const before = words.slice(0, Math.max(option, 0)).join(" ");
  if (isPlain(before)) return `End it before the option: ${quoted(before)}`;
  if (/[/\\]/.test(words[0] ?? "")) return "Name the program without its folder";
  if (words.length > 4) return "End it before the command that it runs";
  return "A word consists of letters, digits and . _ + -";
}

function knownHint(words: readonly string[], at: number): string {
  if (at > 0) return `End it before that: ${quoted(words.slice(0, at).join(" "))}`;
  const pure = pureWrapper(words.join(" "));
  return pure === undefined
    ? "Remove it: caliban finds what it runs without this entry"
    : `Did you mean "${pure}"?`;
}
