import { isAction } from "../../model/call.ts";
import { matchGlob } from "../../pattern/glob.ts";
import { quoted } from "../../model/problem.ts";
import type { TomlTable } from "../../text/toml_node.ts";
import { parseToml } from "../../text/toml_tree.ts";
import {
  ALL_EDIT_TOOLS,
  bashWhole,
  filePatterns,
  toolPattern,
  uncertainStart,
  wildGlob,
} from "../convert/patterns.ts";
import { hasNoRules, isPermissionKey, loseUnreadKey } from "../convert/unread_keys.ts";
import { ImportBuilder, type Subject } from "../convert/import_builder.ts";
import type { Format, ImportResult } from "../convert/format.ts";
import { writeKimi } from "./export.ts";

const SETTINGS_FILE = /\.kimi[\w-]*[\\/]/;

/** Kimi Code: `[[permission.rules]]` in `config.toml`; the first match decides. */
export const format: Format = {
  name: "kimi",
  title: "Kimi Code config.toml",
  caveat: "Kimi Code compares a command line as one text",
  detect: (path, text) => SETTINGS_FILE.test(path) || /^\s*\[\[permission\.rules\]\]/m.test(text),
  read: readKimi,
  write: writeKimi,
};

const KEYS = ["decision", "pattern", "tool", "scope", "reason"];

function readKimi(text: string, path: string): ImportResult {
  const { root, problems } = parseToml(text);
  const builder = new ImportBuilder(problems);
  const permission = root.members.get("permission")?.value;
  const member = permission?.type === "table" ? permission.members.get("rules") : undefined;
  readOtherKeys(root, { builder, isSettings: SETTINGS_FILE.test(path) });
  if (member && member.value.type !== "array") {
    builder.problem(
      member.value.span,
      'Cannot read key "rules": expected [[permission.rules]] tables',
    );
  }
  for (const item of member?.value.type === "array" ? member.value.elements : []) {
    if (item.type === "table") builder.entry(subjectOf(item), () => readTable(item, builder));
    else builder.problem(item.span, "Cannot read an element of permission.rules: expected a table");
  }
  const mode = root.members.get("default_permission_mode");
  if (mode && mode.value.type !== "string") {
    const detail = "it is not a mode";
    builder.loseSetting(mode.name, { span: mode.key, detail, kind: "widened" });
  } else if (mode?.value.type === "string" && mode.value.value !== "manual") {
    const detail = "in caliban no file may start a mode that asks nobody";
    builder.loseSetting(`default_permission_mode = "${mode.value.value}"`, {
      span: mode.key,
      detail,
      kind: "narrowed",
    });
  }
  return builder.finish({ firstMatch: true });
}

/** Adds problems and losses of the keys around the rules. */
function readOtherKeys(
  { members }: TomlTable,
  { builder, isSettings }: { readonly builder: ImportBuilder; readonly isSettings: boolean },
): void {
  const permission = members.get("permission");
  for (const { name, key, value } of members.values()) {
    if (name === "permission" && value.type !== "table") {
      builder.problem(key, 'Cannot read key "permission": expected a table');
    }
    if (!isPermissionKey(name) || ["permission", "default_permission_mode"].includes(name)) {
      continue;
    }
    loseUnreadKey(builder, { name, text: name, span: key });
  }
  const inner = permission?.value.type === "table" ? [...permission.value.members.values()] : [];
  for (const { name, key } of inner) {
    if (name === "rules") continue;
    const message = `Cannot read key ${quoted(`permission.${name}`)}: there is no such key`;
    builder.problem(key, message, "unknown-key");
  }
  const known = ["permission", "default_permission_mode"];
  const mayBeOther = !isSettings && !members.has("hooks") ||
    !hasNoRules([...members.keys()], known);
  if (members.size > 0 && !known.some((name) => members.has(name)) && mayBeOther) {
    const message = "Cannot read the file: it has no [[permission.rules]]";
    builder.problem([...members.values()][0]!.key, message, "missing-key");
  }
}

/** The subject of a rule; one without a decision is taken for a deny, which must not vanish. */
function subjectOf(table: TomlTable): Subject {
  const decision = textAt(table, "decision") ?? "";
  const text = textAt(table, "pattern") ?? textAt(table, "tool") ?? "permission.rules";
  return { text, action: isAction(decision) ? decision : "deny", span: table.span };
}

function textAt(table: TomlTable, name: string): string | undefined {
  const value = table.members.get(name)?.value;
  return value?.type === "string" ? value.value : undefined;
}

function readTable(table: TomlTable, builder: ImportBuilder): void {
  const text = (name: string) => textAt(table, name);
  for (const { name, key } of table.members.values()) {
    if (!KEYS.includes(name)) {
      builder.problem(key, `Cannot read key ${quoted(name)}: there is no such key`, "unknown-key");
    }
  }
  const decision = text("decision") ?? "";
  const pattern = text("pattern") ?? text("tool");
  if (!isAction(decision) || pattern === undefined) {
    return builder.problem(
      table.span,
      "Cannot read rule: expected a decision of allow, ask or deny, and a pattern",
    );
  }
  const [both] = ["tool", "pattern"].filter((name) => table.members.has(name)).slice(1);
  if (both !== undefined) {
    const span = table.members.get(both)!.key;
    return builder.problem(
      span,
      'Cannot read rule: it can have only one of "tool" and "pattern"',
    );
  }
  const reason = text("reason");
  const note = reason === undefined ? {} : decision === "deny" ? { reason } : { comment: reason };
  readPattern({ text: pattern, action: decision, span: table.span, ...note }, builder);
}

function readPattern(subject: Subject, builder: ImportBuilder): void {
  const [, written, content] = /^([^()\s]+)(?:\((.*)\))?$/s.exec(subject.text.trim()) ?? [];
  if (written === undefined || content?.trim() === "") {
    return builder.unreadable(subject, "expected Tool or Tool(…)");
  }
  const name = NAMES.get(written) ?? written;
  if (content?.startsWith("!")) {
    const pattern = filePatternsOf(name);
    return builder.approximate(subject, {
      pattern,
      detail: "the meaning of ! in Kimi Code is not certain",
    });
  }
  if (written.includes("*") && subject.action !== "allow") addNames(written, { subject, builder });
  if (content === undefined || content === "*" || content === "**") {
    return builder.add(subject, name.includes("*") ? name : toolPattern(name));
  }
  if (name === "Bash") {
    const start = uncertainStart(content);
    if (start !== undefined) {
      const detail = "the meaning of ? [ { and \\ in Kimi Code is not certain";
      const pattern = bashWhole([...start, { kind: "star" }]);
      return builder.approximate(subject, { pattern, detail });
    }
    return builder.add(subject, bashWhole(wildGlob(content)));
  }
  if (name === "Read" || name === "Write" || name === "Edit") {
    return readFiles(subject, { name, content, builder });
  }
  const detail = `caliban does not compare the input of ${name}, so it is the whole tool`;
  return builder.approximate(subject, { pattern: toolPattern(name), detail });
}

/** The names of tools in an older Kimi CLI, with ours. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["Shell", "Bash"],
  ["ReadFile", "Read"],
  ["WriteFile", "Write"],
  ["StrReplaceFile", "Edit"],
  ["FetchURL", "WebFetch"],
  ["SearchWeb", "WebSearch"],
]);

/** Adds our tools whose older name a wildcard matches. */
function addNames(
  written: string,
  { subject, builder }: { subject: Subject; builder: ImportBuilder },
): void {
  const glob = wildGlob(written);
  const tools = [...NAMES].filter(([name]) => matchGlob(glob, name)).map(([, own]) => own);
  builder.add(subject, ...tools);
}

function filePatternsOf(name: string): readonly string[] {
  return (ALL_EDIT_TOOLS as readonly string[]).includes(name)
    ? ALL_EDIT_TOOLS
    : [toolPattern(name)];
}

function readFiles(
  subject: Subject,
  { name, content, builder }: {
    name: "Read" | "Write" | "Edit";
    content: string;
    builder: ImportBuilder;
  },
): void {
  const { action } = subject;
  const path = /^(\/|~\/|\.\/|\*\*)/.test(content) ? content : `./${content}`;
  if (action === "allow") {
    return builder.add(subject, `${name}:${path.startsWith("**") ? `./${path}` : path}`);
  }
  const kind = name === "Read" ? "read" : "edit";
  const pattern = filePatterns(kind, { path: path.replace(/^\.\//, ""), action });
  builder.broaden(subject, {
    pattern,
    detail: "in caliban it holds in every folder, and for every tool that does the same to a file",
  });
}
