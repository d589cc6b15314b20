import type { Located } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import type { ToolKind, ToolOverride } from "../../model/tool_profile.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { FIRST_ARG_PATTERN, TOOL_CLASSES, TOOL_KINDS, TOOL_SHELLS } from "./keys.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { readChoice, readString, readTable } from "./read_value.ts";
import { unknownKeys } from "./unknown_keys.ts";

type ToolShell = NonNullable<ToolOverride["shell"]>;

/** The `[tools.NAME]` tables by name; a key with something wrong is left out, and a problem is added. */
export function decodeTools(
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
  const firstArgMember = table.members.get("first_arg");
  const firstArg = firstArgMember && readFirstArg(firstArgMember, problems);
  const kindMember = table.members.get("kind");
  const kind = kindMember && readChoice(kindMember, { choices: TOOL_KINDS, problems });
  const classMember = table.members.get("class");
  const toolClass = classMember && readChoice(classMember, { choices: TOOL_CLASSES, problems });
  const shell = readShell(table, { kind, problems });
  return {
    ...(firstArg && { firstArg: firstArg.value }),
    ...(kind && { kind: kind.value }),
    ...(toolClass && { class: toolClass.value }),
    ...(shell && { shell: shell.value }),
  };
}

/** `shell`, which stands beside no kind but `command`; elsewhere the kind may come from another source. */
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
    message: `Cannot read first_arg ${quoted(text.value)}: expected a dotted path as "query.sql"`,
  }));
  return undefined;
}
