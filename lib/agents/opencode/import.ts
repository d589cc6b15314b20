import { isAction } from "../../model/action.ts";
import type { Span } from "../../model/place.ts";
import { quoted } from "../../text/problems.ts";
import { type Glob, onlyText } from "../../pattern/glob.ts";
import { bashPrefix, bashWhole, beforeSpaceStar, wildGlob } from "../convert/bash_pattern.ts";
import { loseBeside, refuseOther } from "../convert/beside.ts";
import { Draft, type Subject } from "../convert/draft.ts";
import type { FormatReading } from "../convert/format.ts";
import { type JsonMember, type JsonNode, memberOf, parseJsonc } from "../../text/json_tree.ts";
import { knownPermissions, ownTools, SHARED, TOOLS, wideTools } from "./tools.ts";
import { EDIT_TOOLS, filePatterns, toolPattern } from "../convert/tool_pattern.ts";

/** One pattern of one permission; the last one that fits decides. */
interface Entry {
  readonly permission: string;
  /** `*` where it holds for all of the permission. */
  readonly pattern: string;
  readonly subject: Subject;
}

/** Keys that are about no tool. */
const OTHER_KEYS: ReadonlyMap<string, string> = new Map([
  ["external_directory", "what is allowed of files here ends at the workspace"],
  ["doom_loop", "calls are not counted here"],
]);

/** Reads `permission` of opencode.json; of several patterns that fit, the last decides. */
export function readOpencode(text: string): FormatReading {
  const { root, problems } = parseJsonc(text);
  const draft = new Draft(problems);
  const known = ["permission", "tools", "agent", "mode"];
  if (refuseOther(root, { known, draft })) return draft.finish();
  loseBeside(root, { known, draft });
  const entries: Entry[] = [...legacyTools(memberOf(root, "tools"), draft)];
  const permission = memberOf(root, "permission");
  if (permission) entries.push(...entriesOf(permission.value, draft));
  for (const part of ["agent", "mode"]) loseAgents(memberOf(root, part), draft);
  for (const entry of entries.toReversed()) addEntry(entry, { draft });
  if (permission) {
    const detail = "what no pattern fits is allowed there, and asked about here";
    draft.loseSetting("permission", { span: permission.key, detail, kind: "narrowed" });
  }
  return draft.finish({ firstMatch: true });
}

function legacyTools(tools: JsonMember | undefined, draft: Draft): readonly Entry[] {
  if (tools === undefined) return [];
  if (tools.value.type !== "object") {
    draft.problem(tools.value.span, 'Cannot read key "tools": expected an object');
    return [];
  }
  return tools.value.members.flatMap(({ name, key, value }): readonly Entry[] => {
    if (value.type !== "boolean") {
      draft.problem(value.span, `Cannot read tool ${quoted(name)}: expected true or false`);
      return [];
    }
    const action = value.value ? "allow" : "deny";
    const permission = ["write", "patch", "multiedit"].includes(name) ? "edit" : name;
    return [{ permission, pattern: "*", subject: { text: `tools.${name}`, action, span: key } }];
  });
}

function entriesOf(value: JsonNode, draft: Draft): readonly Entry[] {
  if (value.type === "string") {
    return entryOf({ permission: "*", pattern: "*" }, { value, draft, key: value.span });
  }
  if (value.type !== "object") {
    draft.problem(
      value.span,
      'Cannot read key "permission": expected allow, ask, deny or an object',
    );
    return [];
  }
  return inOrder(value.members).flatMap(({ name, key, value: said }) => {
    if (said.type !== "object") {
      return entryOf({ permission: name, pattern: "*" }, { value: said, draft, key });
    }
    return inOrder(said.members).flatMap((member) =>
      entryOf({ permission: name, pattern: member.name }, {
        value: member.value,
        draft,
        key: member.key,
      })
    );
  });
}

/** The members as a JavaScript object has them, which is what decides there: names that are numbers come first. */
function inOrder(members: readonly JsonMember[]): readonly JsonMember[] {
  const numbers = members.filter(({ name }) => /^(?:0|[1-9]\d{0,9})$/.test(name));
  if (numbers.length === 0) return members;
  const sorted = numbers.toSorted((a, b) => Number(a.name) - Number(b.name));
  return [...sorted, ...members.filter((member) => !numbers.includes(member))];
}

function entryOf(
  { permission, pattern }: Pick<Entry, "permission" | "pattern">,
  { value, draft, key }: { value: JsonNode; draft: Draft; key: Span },
): readonly Entry[] {
  if (value.type === "string" && isAction(value.value)) {
    const text = pattern === "*" ? permission : `${permission}: ${pattern}`;
    return [{ permission, pattern, subject: { text, action: value.value, span: key } }];
  }
  draft.problem(
    value.span,
    `Cannot read permission ${quoted(permission)}: expected allow, ask or deny`,
    "unknown-value",
  );
  return [];
}

function loseAgents(agents: JsonMember | undefined, draft: Draft): void {
  if (agents === undefined) return;
  if (agents.value.type !== "object") {
    const detail = `Cannot read key ${quoted(agents.name)}: expected an object`;
    return draft.problem(agents.value.span, detail);
  }
  for (const { name, key, value } of agents.value.members) {
    if (!memberOf(value, "permission") && !memberOf(value, "tools")) continue;
    const detail = "the permissions of one agent cannot be told from those of all here";
    draft.loseSetting(`${agents.name}.${name}`, { span: key, detail, kind: "widened" });
  }
}

function addEntry({ permission, pattern, subject }: Entry, { draft }: { draft: Draft }): void {
  const { action, span } = subject;
  const other = OTHER_KEYS.get(permission);
  if (other !== undefined) {
    const kind = action === "allow" ? "narrowed" : "widened";
    if (action === "ask") return;
    return draft.loseSetting(subject.text, { span, detail: other, kind });
  }
  if (permission === "*" && pattern === "*") return addEverything(subject, draft);
  if (permission === "bash") return addBash(subject, { pattern, draft });
  if (permission === "edit") return addFiles(subject, { kind: "edit", pattern, draft });
  if (permission === "read") return addFiles(subject, { kind: "read", pattern, draft });
  if (permission === "webfetch") return addFetch(subject, { pattern, draft });
  if (permission !== "*" && /[*?]/.test(permission)) {
    return addWild({ permission, pattern, subject }, draft);
  }
  const shared = SHARED.get(permission);
  if (shared) {
    const detail = `it is ${shared.join(", ")} here, which is more`;
    return draft.approximate(subject, { pattern: shared, detail });
  }
  const tools = TOOLS.get(permission)?.map(toolPattern) ?? ownTools(permission) ?? ["*"];
  if (pattern === "*" && permission !== "*") return draft.add(subject, ...tools);
  const detail = "a pattern there is not known here, so it is the whole tool";
  draft.approximate(subject, { pattern: tools, detail });
}

/** Every permission that a wildcard fits: the known ones each in its way, and tools of other names. */
function addWild(entry: Entry, draft: Draft): void {
  const { permission, pattern, subject } = entry;
  for (const name of knownPermissions(permission)) {
    addEntry({ permission: name, pattern, subject }, { draft });
  }
  const exact = pattern === "*" ? ownTools(permission) : undefined;
  if (exact) return draft.add(subject, ...exact);
  const detail = "which tools of other names it fits is not certain";
  draft.approximate(subject, { pattern: wideTools(permission), detail });
}

/** Everything; of files only those of the workspace, since those outside ask there by themselves. */
function addEverything(subject: Subject, draft: Draft): void {
  if (subject.action !== "allow") {
    draft.add(subject, "*");
    return draft.lose("narrowed", subject, "it holds for files that a command names too here");
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
  draft.add(subject, "Read:./**", ...EDIT_TOOLS.map((tool) => `${tool}:./**`), ...rest);
  draft.lose("narrowed", subject, "it holds for known tools, and for files of the workspace");
  draft.lose("widened", subject, "some commands ask there about folders outside of the workspace");
}

interface WithPattern {
  readonly pattern: string;
  readonly draft: Draft;
}

function addBash(subject: Subject, { pattern, draft }: WithPattern): void {
  if (pattern === "*") {
    draft.add(subject, "Bash");
    if (subject.action === "allow") {
      draft.lose(
        "widened",
        subject,
        "some commands ask there about folders outside of the workspace",
      );
    }
    return;
  }
  const glob = wildGlob(pattern, { one: true });
  const head = beforeSpaceStar(glob);
  draft.add(subject, head ? bashPrefix(head) : bashWhole(glob));
}

function addFiles(
  subject: Subject,
  { kind, pattern, draft }: WithPattern & { kind: "read" | "edit" },
): void {
  const { action } = subject;
  if (pattern === "*") {
    const path = action === "allow" ? "./**" : undefined;
    return draft.add(subject, ...filePatterns(kind, { path, action }));
  }
  const { path: found, crosses } = pathOf(pattern);
  // A path outside begins with ../ there, which a * at the beginning fits.
  const path = action === "allow" ? found : found.replace(/^\.\/(?=\*\*\/)/, "");
  if (action === "allow" && !path.startsWith("./")) {
    return draft.lose("dropped", subject, "files outside of the project ask there by themselves");
  }
  draft.add(subject, ...filePatterns(kind, { path, action }));
  if (crosses && action === "allow") {
    draft.lose("narrowed", subject, "a * that crosses folders there stays in one here");
  } else if (!path.startsWith("./") && action !== "allow") {
    draft.lose("narrowed", subject, "it holds in every folder here");
  }
}

/** A glob whose `*` crosses folders, as a path pattern; a deny is read as both, an allow as the narrower. */
function pathOf(pattern: string): { readonly path: string; readonly crosses: boolean } {
  const escaped = pattern.replace(/[[\]{}\\]/g, "\\$&").replace(/\*+/g, "*");
  const wide = escaped.replace(/\/\*$/, "/**").replace(/^\*\//, "**/").replace(
    /^\*(?=[^/])/,
    "**/*",
  );
  const isBased = /^(\/|~\/|\.\/|\*\*\/)/.test(wide);
  const path = isBased ? wide : `./${wide}`;
  const rest = wide.replace(/^\*\*\/\*?|\/\*\*$/g, "");
  return { path: path.startsWith("**/") ? `./${path}` : path, crosses: rest.includes("*") };
}

function addFetch(subject: Subject, { pattern, draft }: WithPattern): void {
  const glob: Glob = wildGlob(pattern, { one: true });
  const text = onlyText(glob) ?? pattern;
  const host = /^https?:\/\/[\w.-]+(?:\/|$)/.test(text);
  if (pattern === "*") return draft.add(subject, "WebFetch");
  if (subject.action === "allow" && host && !pattern.includes("?")) {
    return draft.add(subject, `WebFetch:${pattern}`);
  }
  const detail = "only a URL with its whole host is compared here";
  draft.approximate(subject, { pattern: "WebFetch", detail });
}
