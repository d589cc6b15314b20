import { readClaudeRule, readClaudeSetting } from "../claude/import.ts";
import { readPermissionLists } from "../convert/permission_lists.ts";
import { writePermissionLists } from "../claude/export.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import type { Format } from "../convert/format.ts";

/** Qwen Code's names of tools, with Claude Code's. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["run_shell_command", "Bash"],
  ["Shell", "Bash"],
  ["read_file", "Read"],
  ["ReadFile", "Read"],
  ["write_file", "Edit"],
  ["WriteFile", "Edit"],
  ["edit", "Edit"],
  ["replace", "Edit"],
  ["grep_search", "Grep"],
  ["search_file_content", "Grep"],
  ["glob", "Glob"],
  ["web_fetch", "WebFetch"],
  ["web_search", "WebSearch"],
  ["todo_write", "TodoWrite"],
  ["TodoWrite", "TodoWrite"],
  ["task", "Agent"],
  ["skill", "Skill"],
]);

/** Names that are only a part of our tools, so that an allow would be too broad. */
const SHARED: ReadonlyMap<string, readonly string[]> = new Map([
  ["Read", ["Read", "Grep", "Glob"]],
  ["list_directory", ["Glob"]],
  ["ListFiles", ["Glob"]],
  ["read_many_files", ["Read"]],
  ["ReadManyFiles", ["Read"]],
]);

const SETTINGS_FILE = /\.qwen[\\/]settings[\w.-]*\.json$/;

/** Qwen Code: `permissions` in `.qwen/settings.json`, in Claude Code's form. */
export const format: Format = {
  name: "qwen",
  title: "Qwen Code settings.json",
  caveat: "Qwen Code reads a malformed rule as a rule for every call; caliban refuses it",
  detect: (path, text) => /\.qwen[\\/]/.test(path) && /"permissions"\s*:/.test(text),
  settings: SETTINGS_FILE,
  read: (text, path) =>
    readPermissionLists(text, {
      isSettings: SETTINGS_FILE.test(path),
      readRule: readQwenRule,
      readSetting: readClaudeSetting,
    }),
  write: (rules, context) => writePermissionLists(rules, { context, agent: "Qwen Code" }),
};

function readQwenRule(subject: Subject, builder: ImportBuilder): void {
  const [written = "", content] = subject.text.trim().split("(");
  const name = written.replace(/(?<=[a-z])Tool$/, "");
  const shared = SHARED.get(name);
  if (shared && (content === undefined || name !== "Read")) {
    const detail = `in caliban it is ${shared.join(", ")}, or a part of that`;
    if (subject.action !== "allow") return builder.broaden(subject, { pattern: shared, detail });
    if (name === "Read") builder.add(subject, "Read");
    return builder.lose(name === "Read" ? "narrowed" : "dropped", subject, detail);
  }
  const own = NAMES.get(name) ?? (name === written ? undefined : name);
  readClaudeRule(
    own === undefined
      ? subject
      : { ...subject, text: own + subject.text.trim().slice(written.length) },
    builder,
  );
}
