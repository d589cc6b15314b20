import type { Located } from "../model/place.ts";
import type { Problem } from "../model/problem.ts";
import type { ToolOverride } from "../model/tool_profile.ts";
import type { TomlMember, TomlTable } from "./toml_node.ts";
import { FIRST_ARG_PATTERN, TOOL_CLASSES, TOOL_KINDS } from "./keys.ts";
import { errorAt, quoted } from "./problems.ts";
import { readChoice, readString, readTable } from "./read_value.ts";
import { unknownKeys } from "./unknown_keys.ts";

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
  return {
    ...(firstArg && { firstArg: firstArg.value }),
    ...(kind && { kind: kind.value }),
    ...(toolClass && { class: toolClass.value }),
  };
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
