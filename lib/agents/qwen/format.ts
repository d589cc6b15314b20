import { readClaudeSetting } from "../claude/format.ts";
import { readClaudeLike } from "../claude/import.ts";
import { readClaudeRule } from "../claude/rule.ts";
import { writeClaudeLike } from "../claude/export.ts";
import type { Draft, Subject } from "../convert/draft.ts";
import type { Format } from "../convert/format.ts";

/** Qwen Code's own names of tools. */
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

/** Names of tools that share one with others here: what one of them may do is not what the others may. */
const SHARED: ReadonlyMap<string, readonly string[]> = new Map([
  ["Read", ["Read", "Grep", "Glob"]],
  ["list_directory", ["Glob"]],
  ["ListFiles", ["Glob"]],
  ["read_many_files", ["Read"]],
  ["ReadManyFiles", ["Read"]],
]);

/** Qwen Code: `permissions` in `.qwen/settings.json`, in Claude Code's words. */
export const QWEN: Format = {
  name: "qwen",
  title: "Qwen Code settings.json",
  caveat: "Qwen Code reads a rule that is malformed as one for every call, which is refused here",
  detect: (path, text) => /\.qwen[\\/]/.test(path) && /"permissions"\s*:/.test(text),
  read: (text) => readClaudeLike(text, { readRule: readQwenRule, readSetting: readClaudeSetting }),
  write: (rules, context) => writeClaudeLike(rules, { context, agent: "Qwen Code" }),
};

function readQwenRule(subject: Subject, draft: Draft): void {
  const [written = "", content] = subject.text.trim().split("(");
  const name = written.replace(/(?<=[a-z])Tool$/, "");
  const shared = SHARED.get(name);
  if (shared && (content === undefined || name !== "Read")) {
    const detail = `it is ${shared.join(", ")} here, or a part of that`;
    if (subject.action !== "allow") return draft.broaden(subject, { pattern: shared, detail });
    if (name === "Read") draft.add(subject, "Read");
    return draft.lose(name === "Read" ? "narrowed" : "dropped", subject, detail);
  }
  const own = NAMES.get(name) ?? (name === written ? undefined : name);
  readClaudeRule(
    own === undefined
      ? subject
      : { ...subject, text: own + subject.text.trim().slice(written.length) },
    draft,
  );
}
