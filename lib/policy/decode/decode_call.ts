import type { Json, JsonObject } from "../../model/call.ts";
import type { Located } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import type { WrittenCall } from "../../model/written_test.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { readString, readTable } from "./read_value.ts";
import { CALL_KEYS, TOOL_NAME_PATTERN } from "./test_keys.ts";
import { tomlString } from "../../text/toml_text.ts";
import type { TomlMember, TomlNode, TomlTable } from "../../text/toml_node.ts";
import { unknownTestKey } from "./unknown_test_key.ts";

/** The call of a policy test; undefined when something in it is wrong, and that is added to `problems`. */
export function decodeCall(member: TomlMember, problems: Problem[]): WrittenCall | undefined {
  const { value } = member;
  if (value.type === "table") return decodeTable(value, problems);
  if (value.type === "string") return decodeText(value, problems);
  problems.push(errorAt(value.span, {
    id: "wrong-type",
    message: 'Cannot read key "call": expected a string as "Bash:git push", or a table',
  }));
  return undefined;
}

function decodeText(
  { value, span }: Located<string>,
  problems: Problem[],
): WrittenCall | undefined {
  const cut = value.indexOf(":");
  const tool = cut < 0 ? value : value.slice(0, cut);
  const text = cut < 0 ? undefined : value.slice(cut + 1);
  const fault = nameFault(tool, value) ?? (text === undefined ? undefined : blankFault(tool, text));
  if (fault === undefined) return { form: "text", tool, ...(text !== undefined && { text }), span };
  problems.push(callFault({ value, span }, fault));
  return undefined;
}

interface Fault {
  readonly detail: string;
  readonly hint?: string | undefined;
}

function callFault({ value, span }: Located<string>, { detail, hint }: Fault): Problem {
  const message = `Cannot read call ${quoted(value)}: ${detail}`;
  return errorAt(span, { id: "unknown-value", message, hint });
}

/** What keeps a text from being a tool's name; `call` is the text that it is of. */
function nameFault(tool: string, call: string): Fault | undefined {
  if (new RegExp(TOOL_NAME_PATTERN).test(tool)) return undefined;
  if (tool === "") return { detail: "the tool's name is missing", hint: 'As "Bash:git push"' };
  if (/[*?]/.test(tool)) return { detail: "a call names one tool, without wildcards" };
  const [, name = "", rest = ""] = /^([^\s:(]*)[\s(:]+(.*?)\)?$/s.exec(call) ?? [];
  const meant = name === "" || rest === "" ? undefined : `Write ${tomlString(`${name}:${rest}`)}`;
  return { detail: "a call is the tool, a colon and its first argument", hint: meant };
}

function blankFault(tool: string, text: string): Fault | undefined {
  if (!/^\s/.test(text)) return undefined;
  const rest = text.trimStart();
  return {
    detail: "the blank behind the colon would be part of the argument",
    hint: rest === "" ? undefined : `Write ${tomlString(`${tool}:${rest}`)}`,
  };
}

function decodeTable(table: TomlTable, problems: Problem[]): WrittenCall | undefined {
  const before = problems.length;
  for (const member of table.members.values()) {
    if (!CALL_KEYS.includes(member.name)) problems.push(unknownTestKey(member, CALL_KEYS));
  }
  const tool = readTool(table, problems);
  const inputMember = table.members.get("input");
  const inputTable = inputMember && readTable(inputMember, problems);
  const input = inputTable ? objectOf(inputTable, { problems, depth: 0 }) : {};
  const cwdMember = table.members.get("cwd");
  const cwd = cwdMember && readFolder(cwdMember, problems);
  if (problems.length > before || tool === undefined) return undefined;
  const { span } = table;
  return { form: "table", tool, input, ...(cwd !== undefined && { cwd }), span };
}

function readTool(table: TomlTable, problems: Problem[]): string | undefined {
  const member = table.members.get("tool");
  if (member === undefined) {
    const message = 'Cannot read the call: its "tool" is missing';
    problems.push(errorAt(table.span, { id: "missing-key", message }));
    return undefined;
  }
  const name = readString(member, problems);
  const fault = name && nameFault(name.value, "");
  if (name && fault) {
    const message = `Cannot read tool ${quoted(name.value)}: expected a tool's name as "Bash"`;
    problems.push(errorAt(name.span, { id: "unknown-value", message }));
  }
  return name?.value;
}

function readFolder(member: TomlMember, problems: Problem[]): string | undefined {
  const folder = readString(member, problems);
  if (folder === undefined || folder.value !== "" && !folder.value.includes("\0")) {
    return folder?.value;
  }
  const message = `Cannot read cwd ${quoted(folder.value)}: expected a folder of the workspace`;
  problems.push(errorAt(folder.span, { id: "unknown-value", message }));
  return undefined;
}

/** Deeper values are refused: no tool takes them, and what walks them would run out of stack. */
const MAX_DEPTH = 200;

interface Converting {
  readonly problems: Problem[];
  /** How many tables and arrays are around. */
  readonly depth: number;
}

/** The table as JSON; what JSON cannot hold is added to `problems`. Own keys only, so that `__proto__` stays a key. */
function objectOf(table: TomlTable, { problems, depth }: Converting): JsonObject {
  const within = { problems, depth: depth + 1 };
  return Object.fromEntries(
    [...table.members.values()].map(({ name, value }) => [name, jsonOf(value, within)]),
  );
}

function jsonOf(node: TomlNode, converting: Converting): Json {
  const { problems, depth } = converting;
  if (depth > MAX_DEPTH) {
    const message = `Cannot read the input: it is nested deeper than ${MAX_DEPTH}`;
    problems.push(errorAt(node.span, { id: "too-large", message }));
    return null;
  }
  switch (node.type) {
    case "table":
      return objectOf(node, converting);
    case "array":
      return node.items.map((item) => jsonOf(item, { problems, depth: depth + 1 }));
    case "string":
    case "boolean":
      return node.value;
    case "number":
      return Number.isFinite(node.value) ? node.value : notJson(node, problems);
    case "date-time":
      return notJson(node, problems);
  }
}

function notJson(node: TomlNode, problems: Problem[]): null {
  problems.push(errorAt(node.span, {
    id: "wrong-type",
    message: "Cannot read the input: JSON, which tools are called with, has no such value",
    hint: "Write it as a string",
  }));
  return null;
}
