import { type Action, isAction } from "../../model/action.ts";
import type { Loss } from "../../model/loss.ts";
import { quoted } from "../../text/problems.ts";
import { tomlString } from "../../text/toml_text.ts";
import type { TomlTable } from "../../text/toml_node.ts";
import { parseToml } from "../../text/toml_tree.ts";
import { bashWhole, wildGlob } from "../convert/bash_pattern.ts";
import { matchGlob } from "../../pattern/match_glob.ts";
import { kindWithout, steers } from "../convert/beside.ts";
import { Draft, type Subject } from "../convert/draft.ts";
import type {
  Format,
  FormatReading,
  FormatRule,
  FormatWriting,
  WriteContext,
} from "../convert/format.ts";
import { sayKimi } from "./say.ts";
import { partsOf } from "../convert/parts.ts";
import { distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";
import { ALL_EDIT_TOOLS, filePatterns, toolPattern } from "../convert/tool_pattern.ts";

/** Kimi Code: `[[permission.rules]]` in `config.toml`; the first that fits decides. */
export const KIMI: Format = {
  name: "kimi",
  title: "Kimi Code config.toml",
  caveat: "Kimi Code compares a command line as one text",
  detect: (path, text) =>
    /\.kimi[\w-]*[\\/]/.test(path) || /^\s*\[\[permission\.rules\]\]/m.test(text),
  read: readKimi,
  write: writeKimi,
};

const KEYS = ["decision", "pattern", "tool", "scope", "reason"];

function readKimi(text: string): FormatReading {
  const { root, problems } = parseToml(text);
  const draft = new Draft(problems);
  const permission = root.members.get("permission")?.value;
  const member = permission?.type === "table" ? permission.members.get("rules") : undefined;
  refuseAround(root, draft);
  if (member && member.value.type !== "array") {
    draft.problem(
      member.value.span,
      'Cannot read key "rules": expected [[permission.rules]] tables',
    );
  }
  for (const item of member?.value.type === "array" ? member.value.items : []) {
    if (item.type === "table") readTable(item, draft);
    else draft.problem(item.span, "Cannot read an element of permission.rules: expected a table");
  }
  const mode = root.members.get("default_permission_mode");
  if (mode && mode.value.type !== "string") {
    draft.problem(mode.value.span, "Cannot read default_permission_mode: expected a string");
  } else if (mode?.value.type === "string" && mode.value.value !== "manual") {
    const detail = "no file may start a mode here that asks nobody";
    draft.loseSetting(`default_permission_mode = "${mode.value.value}"`, {
      span: mode.key,
      detail,
      kind: "narrowed",
    });
  }
  return draft.finish({ firstMatch: true });
}

/** What stands around the rules, and what is no rule where one could be meant. */
function refuseAround({ members }: TomlTable, draft: Draft): void {
  const permission = members.get("permission");
  for (const { name, key, value } of members.values()) {
    if (name === "permission" && value.type !== "table") {
      draft.problem(key, 'Cannot read key "permission": expected a table');
    }
    if (!steers(name) || ["permission", "default_permission_mode"].includes(name)) continue;
    const detail = "it is about what may be done, and is not read here";
    draft.loseSetting(name, { span: key, detail, kind: kindWithout(name) });
  }
  const inner = permission?.value.type === "table" ? [...permission.value.members.values()] : [];
  for (const { name, key } of inner) {
    if (name === "rules") continue;
    const message = `Cannot read key ${quoted(`permission.${name}`)}: there is no such key`;
    draft.problem(key, message, "unknown-key");
  }
  if (members.size > 0 && !permission && !members.has("default_permission_mode")) {
    const message = "Cannot read the file: there is no [[permission.rules]] in it";
    draft.problem([...members.values()][0]!.key, message, "missing-key");
  }
}

function readTable(table: TomlTable, draft: Draft): void {
  const text = (name: string) => {
    const value = table.members.get(name)?.value;
    return value?.type === "string" ? value.value : undefined;
  };
  for (const { name, key } of table.members.values()) {
    if (!KEYS.includes(name)) {
      draft.problem(key, `Cannot read key ${quoted(name)}: there is no such key`, "unknown-key");
    }
  }
  const decision = text("decision") ?? "";
  const pattern = text("pattern") ?? text("tool");
  if (!isAction(decision) || pattern === undefined) {
    return draft.problem(
      table.span,
      "Cannot read rule: expected a decision of allow, ask or deny, and a pattern",
    );
  }
  const [both] = ["tool", "pattern"].filter((name) => table.members.has(name)).slice(1);
  if (both !== undefined) {
    const span = table.members.get(both)!.key;
    return draft.problem(
      span,
      'Cannot read rule: only one of "tool" and "pattern" may stand in it',
    );
  }
  const reason = text("reason");
  const said = reason === undefined ? {} : decision === "deny" ? { reason } : { comment: reason };
  readPattern({ text: pattern, action: decision, span: table.span, ...said }, draft);
}

function readPattern(subject: Subject, draft: Draft): void {
  const [, written, content] = /^([^()\s]+)(?:\((.*)\))?$/s.exec(subject.text.trim()) ?? [];
  if (written === undefined || content?.trim() === "") {
    return draft.unreadable(subject, "expected Tool or Tool(…)");
  }
  const name = NAMES.get(written) ?? written;
  if (content?.startsWith("!")) {
    const pattern = filePatternsOf(name);
    return draft.approximate(subject, { pattern, detail: "what ! means there is not certain" });
  }
  if (written.includes("*") && subject.action !== "allow") addNames(written, { subject, draft });
  if (content === undefined || content === "*" || content === "**") {
    return draft.add(subject, name.includes("*") ? name : toolPattern(name));
  }
  if (name === "Bash") {
    if (/[?[\]{}\\]/.test(content)) {
      const pattern = bashWhole([...wildGlob(content.replace(/[?[\]{}\\].*/s, "*")), {
        kind: "star",
      }]);
      return draft.approximate(subject, {
        pattern,
        detail: "what ? [ { and \\ mean there is not certain",
      });
    }
    return draft.add(subject, bashWhole(wildGlob(content)));
  }
  if (name === "Read" || name === "Write" || name === "Edit") {
    return readFiles(subject, { name, content, draft });
  }
  const detail = `what ${name} takes is not compared here, so it is the whole tool`;
  return draft.approximate(subject, { pattern: toolPattern(name), detail });
}

/** The names of an older Kimi CLI. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["Shell", "Bash"],
  ["ReadFile", "Read"],
  ["WriteFile", "Write"],
  ["StrReplaceFile", "Edit"],
  ["FetchURL", "WebFetch"],
  ["SearchWeb", "WebSearch"],
]);

/** The tools here that a wildcard over the older names fits. */
function addNames(written: string, { subject, draft }: { subject: Subject; draft: Draft }): void {
  const glob = wildGlob(written);
  const tools = [...NAMES].filter(([name]) => matchGlob(glob, name)).map(([, own]) => own);
  draft.add(subject, ...tools);
}

function filePatternsOf(name: string): readonly string[] {
  return (ALL_EDIT_TOOLS as readonly string[]).includes(name)
    ? ALL_EDIT_TOOLS
    : [toolPattern(name)];
}

function readFiles(
  subject: Subject,
  { name, content, draft }: { name: "Read" | "Write" | "Edit"; content: string; draft: Draft },
): void {
  const { action } = subject;
  const path = /^(\/|~\/|\.\/|\*\*)/.test(content) ? content : `./${content}`;
  if (action === "allow") {
    return draft.add(subject, `${name}:${path.startsWith("**") ? `./${path}` : path}`);
  }
  const kind = name === "Read" ? "read" : "edit";
  const pattern = filePatterns(kind, { path: path.replace(/^\.\//, ""), action });
  draft.broaden(subject, {
    pattern,
    detail: "it holds in every folder, and for every tool that does the same to a file here",
  });
}

function writeKimi(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const { parts, losses } = partsOf(rules, context.profiles);
  const all: Loss[] = [...losses, ...settingsLosses(context.settings)];
  const lastDeny = rules.findLastIndex(({ action }) => action === "deny");
  const tables: string[] = [];
  for (const part of parts) {
    const said = sayKimi(part, context.profiles);
    all.push(...said.losses);
    const broad = said.losses.some(({ kind }) => kind === "narrowed");
    const { rule: { action: asked, reason, comment }, index } = part;
    const action: Action = broad && asked === "ask" && index < lastDeny ? "deny" : asked;
    const why = reason ?? comment;
    for (const text of said.texts) {
      tables.push(
        `[[permission.rules]]\ndecision = "${action}"\npattern = ${tomlString(text)}\n` +
          (why === undefined ? "" : `reason = ${tomlString(why)}\n`),
      );
    }
  }
  const text = tables.length === 0
    ? "# No rule of the policy can be said here.\n"
    : tables.join("\n");
  return { text, losses: distinctLosses(all) };
}
