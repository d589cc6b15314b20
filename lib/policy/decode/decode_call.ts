import type { Json, JsonObject } from "../../model/call.ts";
import type { WrittenCall } from "../../model/rule.ts";
import { errorAt, type Located, type Problem, quoted } from "../../model/problem.ts";
import { nearest } from "../../text/did_you_mean.ts";
import { MAX_DEPTH } from "../../text/json_value.ts";
import type { TomlMember, TomlNode, TomlTable } from "../../text/toml_node.ts";
import { tomlString } from "../../text/toml_text.ts";
import { readString, readTable } from "./read_value.ts";

/**
 * The call of a policy test; undefined if anything in it is wrong, which is added to `problems`.
 */
export function decodeCall(member: TomlMember, problems: Problem[]): WrittenCall | undefined {
  const { value } = member;
  if (value.type === "table") return decodeTable(value, problems);
  if (value.type === "string") return decodeText(value, problems);
  problems.push(errorAt(value.span, {
    id: "wrong-type",
    message: 'Cannot read key "call": expected a string such as "Bash:git push", or a table',
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

/** The reason why a text is no tool name; `call` is the text that it is part of. */
function nameFault(tool: string, call: string): Fault | undefined {
  if (new RegExp(TOOL_NAME_PATTERN).test(tool)) return undefined;
  if (tool === "") {
    return { detail: "the tool's name is missing", hint: 'Write a call as "Bash:git push"' };
  }
  if (/[*?]/.test(tool)) return { detail: "a call names one tool, without wildcards" };
  const [, name = "", rest = ""] = /^([^\s:(]*)[\s(:]+(.*?)\)?$/s.exec(call) ?? [];
  const meant = name === "" || rest === "" ? undefined : `Write ${tomlString(`${name}:${rest}`)}`;
  return { detail: "a call is the tool, a colon and its first argument", hint: meant };
}

function blankFault(tool: string, text: string): Fault | undefined {
  if (!/^\s/.test(text)) return undefined;
  const rest = text.trimStart();
  return {
    detail: "the space after the colon would be part of the argument",
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
    const message = `Cannot read tool ${quoted(name.value)}: expected a tool's name such as "Bash"`;
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

interface Converting {
  readonly problems: Problem[];
  /** The number of tables and arrays around it. */
  readonly depth: number;
}

/**
 * The table as JSON. A value that JSON does not have is added to `problems`. Only own keys, so that `__proto__` stays a
 * key.
 */
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
      return node.elements.map((item) => jsonOf(item, { problems, depth: depth + 1 }));
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
    message: "Cannot read the input: TOML dates and nan/inf have no JSON equivalent",
    hint: "Write it as a string",
  }));
  return null;
}

/** The keys of one policy test. */
export const TEST_KEYS: readonly string[] = ["call", "expect", "mode", "rule", "why"];

/** The keys of a call that is written as a table. */
const CALL_KEYS: readonly string[] = ["tool", "input", "cwd"];

/** A tool's name: no colon, paren, white space or wildcard; the source of a regular expression, anchored. */
export const TOOL_NAME_PATTERN = "^[^\\s:(*?]+$";

/**
 * A call as text: a tool's name, alone or with a colon and its argument; the source of a regular expression, anchored.
 */
export const CALL_PATTERN = "^[^\\s:(*?]+(?::(?:[^\\s][\\s\\S]*)?)?$";

/** The right place for keys that people often write in a test. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ["action", 'The expected decision is "expect"'],
  ["pattern", 'The call is "call", the expected rule "rule"'],
  ["tool", 'It belongs in the call: call = { tool = "Write", input = { path = "x" } }'],
  ["input", 'It belongs in the call: call = { tool = "Write", input = { path = "x" } }'],
  ["cwd", 'It belongs in the call: call = { tool = "Bash", input = {…}, cwd = "sub" }'],
  ["name", 'Use "why" for the purpose of a test'],
  ["comment", 'Use "why" for the purpose of a test'],
  ["reason", 'Use "why" for the purpose of a test'],
]);

/** The problem of a key that a table of tests does not have. */
export function unknownTestKey({ name, key }: TomlMember, keys: readonly string[]): Problem {
  const near = nearest(name, keys);
  const hint = near !== undefined
    ? `Did you mean "${near}"?`
    : (keys === TEST_KEYS ? ELSEWHERE.get(name) : undefined) ??
      `The keys here are ${keys.join(", ")}`;
  return errorAt(key, {
    id: "unknown-key",
    message: `Cannot read key ${quoted(name)}: there is no such key here`,
    hint,
  });
}
