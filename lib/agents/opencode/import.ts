import { isAction } from "../../model/call.ts";
import { quoted, type Span } from "../../model/problem.ts";
import { type Glob, onlyText } from "../../pattern/glob.ts";
import {
  bashPrefix,
  bashWhole,
  beforeSpaceStar,
  EDIT_TOOLS,
  filePatterns,
  toolPattern,
  wildGlob,
} from "../convert/patterns.ts";
import { loseUnreadKeys, openJson } from "../convert/unread_keys.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import type { Format, ImportResult } from "../convert/format.ts";
import { type JsonMember, type JsonNode, memberOf, shown } from "../../text/json_node.ts";
import { knownPermissions, ownTools, SHARED, TOOLS, wideTools } from "./tools.ts";
import { writeOpencode } from "./export.ts";

const SETTINGS_FILE = /opencode\.jsonc?$/;

/** opencode: `permission` in `opencode.json`; written against 1.1. */
export const format: Format = {
  name: "opencode",
  title: "opencode.json",
  caveat:
    "opencode compares commands as they are written, and itself asks about files outside of the project",
  detect: (path, text) =>
    SETTINGS_FILE.test(path) || /"permission"\s*:/.test(text) && !/rulesync/.test(path),
  read: readOpencode,
  write: writeOpencode,
};

/** One pattern of one permission; the last match decides. */
interface Entry {
  readonly permission: string;
  /** `*` where it holds for all of the permission. */
  readonly pattern: string;
  readonly subject: Subject;
}

/** Keys for things other than tools. */
const OTHER_KEYS: ReadonlyMap<string, string> = new Map([
  ["external_directory", "in caliban an allow of files ends at the workspace"],
  ["doom_loop", "caliban does not count calls"],
]);

/** Reads `permission` of opencode.json. Of several patterns that match, the last decides. */
function readOpencode(text: string, path: string): ImportResult {
  const known = ["permission", "tools", "agent", "mode"];
  const isSettings = SETTINGS_FILE.test(path);
  const { root, builder, isOther } = openJson(text, known, { isSettings });
  if (isOther) return builder.finish();
  loseUnreadKeys(root, { known, builder });
  const entries: Entry[] = [...legacyTools(memberOf(root, "tools"), builder)];
  const permission = memberOf(root, "permission");
  if (permission) entries.push(...entriesOf(permission.value, builder));
  for (const part of ["agent", "mode"]) loseAgents(memberOf(root, part), builder);
  for (const entry of entries.toReversed()) {
    builder.entry(entry.subject, () => addEntry(entry, builder));
  }
  if (permission) {
    const detail = "opencode allows calls without a rule, and caliban asks about them";
    builder.loseSetting("permission", { span: permission.key, detail, kind: "narrowed" });
  }
  return builder.finish({ firstMatch: true });
}

function legacyTools(tools: JsonMember | undefined, builder: ImportBuilder): readonly Entry[] {
  if (tools === undefined) return [];
  if (tools.value.type !== "object") {
    builder.problem(tools.value.span, 'Cannot read key "tools": expected an object');
    return [];
  }
  return tools.value.members.flatMap(({ name, key, value }): readonly Entry[] => {
    if (value.type !== "boolean") {
      builder.problem(value.span, `Cannot read tool ${quoted(name)}: expected true or false`);
      return [];
    }
    const action = value.value ? "allow" : "deny";
    const permission = ["write", "patch", "multiedit"].includes(name) ? "edit" : name;
    return [{ permission, pattern: "*", subject: { text: `tools.${name}`, action, span: key } }];
  });
}

function entriesOf(value: JsonNode, builder: ImportBuilder): readonly Entry[] {
  if (value.type === "string") {
    return entryOf({ permission: "*", pattern: "*" }, { value, builder, key: value.span });
  }
  if (value.type !== "object") {
    builder.problem(
      value.span,
      'Cannot read key "permission": expected allow, ask, deny or an object',
    );
    return [];
  }
  return inOrder(value.members).flatMap(({ name, key, value: rule }) => {
    if (rule.type !== "object") {
      return entryOf({ permission: name, pattern: "*" }, { value: rule, builder, key });
    }
    return inOrder(rule.members).flatMap((member) =>
      entryOf({ permission: name, pattern: member.name }, {
        value: member.value,
        builder,
        key: member.key,
      })
    );
  });
}

/** The members in the order of a JavaScript object, which decides there: names that are numbers come first. */
function inOrder(members: readonly JsonMember[]): readonly JsonMember[] {
  const numbers = members.filter(({ name }) => /^(?:0|[1-9]\d{0,9})$/.test(name));
  if (numbers.length === 0) return members;
  const sorted = numbers.toSorted((a, b) => Number(a.name) - Number(b.name));
  return [...sorted, ...members.filter((member) => !numbers.includes(member))];
}

function entryOf(
  { permission, pattern }: Pick<Entry, "permission" | "pattern">,
  { value, builder, key }: { value: JsonNode; builder: ImportBuilder; key: Span },
): readonly Entry[] {
  if (value.type === "string" && isAction(value.value)) {
    const text = pattern === "*" ? permission : `${permission}: ${pattern}`;
    return [{ permission, pattern, subject: { text, action: value.value, span: key } }];
  }
  builder.problem(
    value.span,
    `Cannot read permission ${quoted(permission)}: expected allow, ask or deny`,
    "unknown-value",
  );
  return [];
}

function loseAgents(agents: JsonMember | undefined, builder: ImportBuilder): void {
  if (agents === undefined) return;
  if (agents.value.type !== "object") {
    const detail = "it has no agents with permissions of their own";
    return builder.loseSetting(shown(agents), { span: agents.key, detail, kind: "widened" });
  }
  for (const { name, key, value } of agents.value.members) {
    if (!memberOf(value, "permission") && !memberOf(value, "tools")) continue;
    const detail = "caliban cannot tell the permissions of one agent from those of all";
    builder.loseSetting(`${agents.name}.${name}`, { span: key, detail, kind: "widened" });
  }
}

function addEntry({ permission, pattern, subject }: Entry, builder: ImportBuilder): void {
  const { action, span } = subject;
  const other = OTHER_KEYS.get(permission);
  if (other !== undefined) {
    const kind = action === "allow" ? "narrowed" : "widened";
    if (action === "ask") return;
    return builder.loseSetting(subject.text, { span, detail: other, kind });
  }
  if (permission === "*" && pattern === "*") return addEverything(subject, builder);
  if (permission === "bash") return addBash(subject, { pattern, builder });
  if (permission === "edit") return addFiles(subject, { kind: "edit", pattern, builder });
  if (permission === "read") return addFiles(subject, { kind: "read", pattern, builder });
  if (permission === "webfetch") return addFetch(subject, { pattern, builder });
  if (permission !== "*" && /[*?]/.test(permission)) {
    return addWild({ permission, pattern, subject }, builder);
  }
  const shared = SHARED.get(permission);
  if (shared) {
    const detail = `in caliban it is ${shared.join(", ")}, which is more`;
    return builder.approximate(subject, { pattern: shared, detail });
  }
  const tools = TOOLS.get(permission)?.map(toolPattern) ?? ownTools(permission) ?? ["*"];
  if (pattern === "*" && permission !== "*") return builder.add(subject, ...tools);
  const detail = "caliban does not compare its pattern, so it is the whole tool";
  builder.approximate(subject, { pattern: tools, detail });
}

/** Adds every permission that a wildcard matches: the known ones, and tools of other names. */
function addWild(entry: Entry, builder: ImportBuilder): void {
  const { permission, pattern, subject } = entry;
  for (const name of knownPermissions(permission)) {
    addEntry({ permission: name, pattern, subject }, builder);
  }
  const exact = pattern === "*" ? ownTools(permission) : undefined;
  if (exact) return builder.add(subject, ...exact);
  const detail = "it is not certain which tools of other names it matches";
  builder.approximate(subject, { pattern: wideTools(permission), detail });
}

/** Adds everything. Of files only those in the workspace: opencode asks about the others by itself. */
function addEverything(subject: Subject, builder: ImportBuilder): void {
  if (subject.action !== "allow") {
    builder.add(subject, "*");
    return builder.lose(
      "narrowed",
      subject,
      "in caliban it holds for files that a command names too",
    );
  }
  const rest = [
    "Bash",
    "WebFetch",
    "WebSearch",
    "Grep",
    "Glob",
    "TodoWrite",
    "Task",
    "Skill",
    "mcp__*",
  ];
  builder.add(subject, "Read:./**", ...EDIT_TOOLS.map((tool) => `${tool}:./**`), ...rest);
  builder.lose(
    "narrowed",
    subject,
    "in caliban it holds only for known tools, and for files of the workspace",
  );
  builder.lose(
    "widened",
    subject,
    "opencode asks about folders outside of the workspace for some commands",
  );
}

interface WithPattern {
  readonly pattern: string;
  readonly builder: ImportBuilder;
}

function addBash(subject: Subject, { pattern, builder }: WithPattern): void {
  if (pattern === "*") {
    builder.add(subject, "Bash");
    if (subject.action === "allow") {
      builder.lose(
        "widened",
        subject,
        "opencode asks about folders outside of the workspace for some commands",
      );
    }
    return;
  }
  const glob = wildGlob(pattern, { one: true });
  const head = beforeSpaceStar(glob);
  builder.add(subject, head ? bashPrefix(head) : bashWhole(glob));
}

function addFiles(
  subject: Subject,
  { kind, pattern, builder }: WithPattern & { kind: "read" | "edit" },
): void {
  const { action } = subject;
  if (pattern === "*") {
    const path = action === "allow" ? "./**" : undefined;
    return builder.add(subject, ...filePatterns(kind, { path, action }));
  }
  const { path: found, crosses } = pathOf(pattern);
  // In opencode a path outside begins with ../, which a leading * matches.
  const path = action === "allow" ? found : found.replace(/^\.\/(?=\*\*\/)/, "");
  if (action === "allow" && !path.startsWith("./")) {
    return builder.lose(
      "dropped",
      subject,
      "opencode asks about files outside of the project by itself",
    );
  }
  builder.add(subject, ...filePatterns(kind, { path, action }));
  if (crosses && action === "allow") {
    builder.lose(
      "narrowed",
      subject,
      "its * crosses folders in opencode, and in caliban it does not",
    );
  } else if (!path.startsWith("./") && action !== "allow") {
    builder.lose("narrowed", subject, "in caliban it holds in every folder");
  }
}

/** A glob whose `*` crosses folders, as a path pattern, where `*` stays in one. */
function pathOf(pattern: string): { readonly path: string; readonly crosses: boolean } {
  const escaped = pattern.replace(/[[\]{}\\]/g, "\\$&").replace(/\*+/g, "*");
  const open = escaped.replace(/\/\*$/, "/**").replace(/^\*\//, "**/").replace(
    /^\*(?=[^/])/,
    "**/*",
  );
  const isBased = /^(\/|~\/|\.\/|\*\*\/)/.test(open);
  const path = isBased ? open : `./${open}`;
  const rest = open.replace(/^\*\*\/\*?|\/\*\*$/g, "");
  return { path: path.startsWith("**/") ? `./${path}` : path, crosses: rest.includes("*") };
}

function addFetch(subject: Subject, { pattern, builder }: WithPattern): void {
  const glob: Glob = wildGlob(pattern, { one: true });
  const text = onlyText(glob) ?? pattern;
  const host = /^https?:\/\/[\w.-]+(?:\/|$)/.test(text);
  if (pattern === "*") return builder.add(subject, "WebFetch");
  if (subject.action === "allow" && host && !pattern.includes("?")) {
    return builder.add(subject, `WebFetch:${pattern}`);
  }
  const detail = "caliban compares only a URL with its whole host";
  builder.approximate(subject, { pattern: "WebFetch", detail });
}
