import type { Action } from "../../model/call.ts";
import { quoted } from "../../model/problem.ts";
import type { Glob } from "../../pattern/glob.ts";
import { literalGlob } from "../../pattern/glob.ts";
import { type JsonMember, type JsonNode, memberOf } from "../../text/json_node.ts";
import type { Format, ImportResult } from "../convert/format.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import {
  ALL_EDIT_TOOLS,
  bashWhole,
  filePatterns,
  SHARED_NAME,
  sharesNames,
} from "../convert/patterns.ts";
import { globsOfRegex } from "../convert/regex_glob.ts";
import { alternates, requiredText } from "../convert/regex_text.ts";
import { loseUnknownKey, loseUnreadKeys, openJson } from "../convert/unread_keys.ts";
import { LISTS, OTHER_TOOLS, writeZed } from "./zed_export.ts";

/** Zed: `agent.tool_permissions` in `settings.json`. */
export const format: Format = {
  name: "zed",
  title: "Zed settings.json (agent.tool_permissions)",
  caveat: "Zed asks about no reading of files, and has security rules of its own",
  detect: (_path, text) => /"tool_permissions"\s*:/.test(text),
  read: readZed,
  write: writeZed,
};

function readZed(text: string): ImportResult {
  const { root, builder, isOther } = openJson(text, ["agent"]);
  if (isOther) return builder.finish();
  const agent = memberOf(root, "agent")?.value;
  loseUnreadKeys(root, { known: ["agent"], builder });
  if (agent !== undefined) loseUnreadKeys(agent, { known: ["tool_permissions"], builder });
  const block = memberOf(agent, "tool_permissions");
  if (block === undefined) return builder.finish();
  const members = membersOf(block, builder);
  for (const member of members) {
    if (!["default", "tools"].includes(member.name)) loseUnknownKey(member, builder);
  }
  const tools = members.filter(({ name }) => name === "tools")
    .flatMap((member) => membersOf(member, builder));
  const entries = tools.flatMap((tool) => entriesOf(tool, builder));
  for (const [, action] of LISTS) {
    for (const entry of entries) if (entry.subject.action === action) addEntry(entry, builder);
  }
  for (const tool of tools) addDefault(tool, builder);
  for (const member of members) if (member.name === "default") addGlobal(member, builder);
  return builder.finish();
}

function membersOf({ name, value }: JsonMember, builder: ImportBuilder): readonly JsonMember[] {
  if (value.type === "object") return value.members;
  builder.problem(value.span, `Cannot read key ${quoted(name)}: expected an object`);
  return [];
}

/** A pattern of a tool. */
interface Entry {
  readonly tool: string;
  readonly source: string;
  readonly subject: Subject;
}

function entriesOf(tool: JsonMember, builder: ImportBuilder): readonly Entry[] {
  return membersOf(tool, builder).flatMap((member): readonly Entry[] => {
    const action = LISTS.find(([name]) => name === member.name)?.[1];
    if (action === undefined) {
      if (member.name !== "default") loseUnknownKey(member, builder);
      return [];
    }
    const { value } = member;
    if (value.type === "array") {
      return value.elements.flatMap((item) => entryOf(item, { tool: tool.name, action, builder }));
    }
    builder.problem(value.span, `Cannot read key ${quoted(member.name)}: expected a list`);
    return [];
  });
}

function entryOf(
  item: JsonNode,
  { tool, action, builder }: {
    readonly tool: string;
    readonly action: Action;
    readonly builder: ImportBuilder;
  },
): readonly Entry[] {
  const pattern = memberOf(item, "pattern")?.value;
  const other = item.type === "object"
    ? item.members.find(({ name }) => name !== "pattern" && name !== "case_sensitive")
    : undefined;
  const isSensitive = memberOf(item, "case_sensitive")?.value;
  if (pattern?.type !== "string" || other || isSensitive && isSensitive.type !== "boolean") {
    builder.problem((other?.value ?? item).span, `Cannot read a pattern of ${quoted(tool)}`);
    return [];
  }
  const source = pattern.value;
  const subject = { text: `${tool}: ${source}`, action, span: item.span };
  const isFolded = isSensitive?.type !== "boolean" || !isSensitive.value;
  if (isFolded && action !== "allow" && /[A-Za-z]/.test(source)) {
    builder.lose("widened", subject, "there it holds for capital and small letters alike");
  }
  return [{ tool, source, subject }];
}

const NO_PATTERN = "no pattern can express its regular expression";

function addEntry({ tool, source, subject }: Entry, builder: ImportBuilder): void {
  if (tool === "terminal") return addCommand(subject, { source, builder });
  if (tool === "edit_file") return addEdit(subject, { source, builder });
  const ours = OTHER_TOOLS.get(tool);
  if (ours === undefined) return builder.lose("dropped", subject, "caliban has no such tool");
  builder.approximate(subject, { pattern: ours, detail: NO_PATTERN });
}

/** The loss of an expression such as `^$`. */
const NO_COMMAND = "it matches the empty command alone, which runs nothing";

interface Reading {
  readonly source: string;
  readonly builder: ImportBuilder;
}

function addCommand(subject: Subject, { source, builder }: Reading): void {
  const isAllow = subject.action === "allow";
  // A blank for any white space: an allow then matches less.
  const isSpaced = isAllow && /\\s/.test(source) && !source.includes("\\\\");
  const text = isSpaced ? source.replaceAll(/\\s\+?/g, " ") : source;
  const isAnchored = text.startsWith("^") && !alternates(text);
  const exact = isAnchored ? globsOfRegex(text.slice(1)).exact : undefined;
  if (exact?.every(isPlain)) {
    const globs = exact.filter((glob) => glob.length > 0);
    if (globs.length === 0) return builder.lose("dropped", subject, NO_COMMAND);
    builder.add(subject, ...globs.map(bashWhole));
    if (isSpaced) builder.lose("narrowed", subject, "in caliban its white space is one blank");
    return;
  }
  const required = isAllow ? undefined : requiredText(source);
  const pattern = required === undefined
    ? "Bash"
    : bashWhole([{ kind: "star" }, ...literalGlob(required), { kind: "star" }]);
  builder.approximate(subject, { pattern, detail: NO_PATTERN });
}

/** In an expression "." matches no line end, and "?" in caliban one character, which an expression may count in another way. */
function isPlain(glob: Glob): boolean {
  return glob.every(({ kind }, index) => kind !== "anyChar" || glob[index + 1]?.kind === "star");
}

function addEdit(subject: Subject, { source, builder }: Reading): void {
  const required = requiredText(source) ?? "";
  const pattern = /^[\w.-]+$/.test(required) ? [`Edit:**/*${required}*`] : ALL_EDIT_TOOLS;
  builder.approximate(subject, { pattern, detail: NO_PATTERN });
}

const DEFAULTS: ReadonlyMap<string, Action> = new Map([
  ["allow", "allow"],
  ["confirm", "ask"],
  ["deny", "deny"],
]);

function defaultOf({ name, value, key }: JsonMember, builder: ImportBuilder): Subject | undefined {
  const action = value.type === "string" ? DEFAULTS.get(value.value) : undefined;
  if (action === undefined) {
    builder.problem(value.span, `Cannot read ${quoted(name)}: expected allow, confirm or deny`);
    return undefined;
  }
  return { text: `default: ${action === "ask" ? "confirm" : action}`, action, span: key };
}

function addDefault(tool: JsonMember, builder: ImportBuilder): void {
  const member = memberOf(tool.value, "default");
  const read = member && defaultOf(member, builder);
  if (read === undefined) return;
  const subject = { ...read, text: `${tool.name}: ${read.text}` };
  if (tool.name === "terminal") return builder.add(subject, "Bash");
  if (tool.name === "edit_file") {
    const isAllow = subject.action === "allow";
    const path = isAllow ? "./**" : undefined;
    builder.add(subject, ...filePatterns("edit", { path, action: subject.action }));
    if (!isAllow) return;
    return builder.lose(
      "narrowed",
      subject,
      "in caliban it does not hold outside of the workspace",
    );
  }
  const ours = OTHER_TOOLS.get(tool.name);
  if (ours !== undefined) return builder.add(subject, ours);
  const [, server, name] = /^mcp:([\w.-]+):([\w.-]+)$/.exec(tool.name) ?? [];
  if (server === undefined) return builder.lose("dropped", subject, "caliban has no such tool");
  const pattern = `mcp__${server}__${name}`;
  if (!sharesNames(server)) return builder.add(subject, pattern);
  builder.approximate(subject, { pattern, detail: SHARED_NAME });
}

function addGlobal(member: JsonMember, builder: ImportBuilder): void {
  const subject = defaultOf(member, builder);
  if (subject?.action === "deny") return builder.add(subject, "*");
  if (subject?.action !== "allow") return;
  const detail = "it approves everything, which no file may do in caliban";
  builder.lose("dropped", subject, detail);
}
