import { ACTIONS, isAction, strictness } from "../../model/action.ts";
import { quoted } from "../../text/problems.ts";
import { onlyText } from "../../pattern/glob.ts";
import { bashWhole, wildGlob } from "../convert/bash_pattern.ts";
import { Draft, type Subject } from "../convert/draft.ts";
import type { Format, FormatReading } from "../convert/format.ts";
import { refuseOther } from "../convert/beside.ts";
import { type JsonNode, memberOf, parseJsonc } from "../../text/json_tree.ts";
import { toolPattern } from "../convert/tool_pattern.ts";
import { writeRulesync } from "./export.ts";

/** rulesync: `permission` in `permissions.jsonc`, which it writes for many agents. */
export const RULESYNC: Format = {
  name: "rulesync",
  title: "rulesync permissions.jsonc",
  caveat:
    "what an entry means depends on the agent that rulesync writes it for, so the strictest reading is taken",
  detect: (path, text) =>
    /\.rulesync[\\/]|permissions\.jsonc$/.test(path) && /"permission"\s*:/.test(text),
  read: readRulesync,
  write: writeRulesync,
};

interface Entry {
  readonly category: string;
  readonly pattern: string;
  readonly subject: Subject;
}

function readRulesync(text: string): FormatReading {
  const { root, problems } = parseJsonc(text);
  const draft = new Draft(problems);
  if (refuseOther(root, { known: ["permission"], draft })) return draft.finish();
  const entries = entriesOf(root, draft);
  for (const action of ACTIONS) {
    for (const entry of entries) if (entry.subject.action === action) addEntry(entry, draft);
  }
  for (const { category, subject } of entries) {
    const whole = entries.find((each) => each.category === category && each.pattern === "*");
    if (!whole || strictness(whole.subject.action) <= strictness(subject.action)) continue;
    const detail = `"*" says ${whole.subject.action} beside it, and the strictest counts here`;
    draft.lose("narrowed", subject, detail);
  }
  if (root.type === "object") {
    for (const { name, key } of root.members) {
      if (name === "permission" || name === "$schema") continue;
      const detail = "what is said for one agent alone cannot be told from what holds for all here";
      draft.loseSetting(name, { span: key, detail, kind: "widened" });
    }
  }
  return draft.finish();
}

function entriesOf(root: JsonNode, draft: Draft): readonly Entry[] {
  const permission = memberOf(root, "permission");
  if (permission === undefined) return [];
  const { value } = permission;
  if (value.type !== "object") {
    draft.problem(value.span, 'Cannot read key "permission": expected an object');
    return [];
  }
  return value.members.flatMap(({ name: category, value: rules }): readonly Entry[] => {
    if (rules.type !== "object") {
      draft.problem(
        rules.span,
        `Cannot read ${quoted(category)}: expected patterns with their actions`,
      );
      return [];
    }
    return rules.members.flatMap(({ name: pattern, key: span, value: said }): readonly Entry[] => {
      if (said.type === "string" && isAction(said.value)) {
        return [{
          category,
          pattern,
          subject: { text: `${category}: ${pattern}`, action: said.value, span },
        }];
      }
      draft.problem(
        said.span,
        `Cannot read ${quoted(pattern)}: expected allow, ask or deny`,
        "unknown-value",
      );
      return [];
    });
  });
}

function addEntry({ category, pattern, subject }: Entry, draft: Draft): void {
  const { action } = subject;
  const whole = pattern === "*" || pattern === "**";
  const tool = TOOLS.get(category) ?? category;
  const shared = SHARED.get(category);
  if (shared && action !== "allow") {
    const detail = "what the category stands for depends on the agent";
    return draft.broaden(subject, { pattern: shared, detail });
  }
  if (shared) return draft.lose("dropped", subject, "it stands for more than one tool here");
  if (!TOOLS.has(category) && action !== "allow" && !category.startsWith("mcp__")) {
    draft.lose("widened", subject, "no tool of that name is known here, nor what it is called");
  }
  if (!whole && FILES.includes(tool)) return addFile(subject, { tool, pattern, draft });
  if (whole) return draft.add(subject, tool.includes("*") ? tool : toolPattern(tool));
  if (category === "bash") {
    const glob = wildGlob(pattern);
    if (onlyText(glob) === undefined || !/[?[\]{}\\]/.test(pattern)) {
      return draft.add(
        subject,
        bashWhole(wildGlob(pattern.endsWith(":*") ? `${pattern.slice(0, -2)} *` : pattern)),
      );
    }
    return draft.approximate(subject, {
      pattern: "Bash",
      detail: "what its characters mean is not certain",
    });
  }
  if (category === "webfetch" && /^(domain:)?[\w.-]+$/.test(pattern)) {
    const host = pattern.replace(/^domain:/, "");
    if (action === "allow") {
      return draft.add(subject, `WebFetch:https://${host}`, `WebFetch:http://${host}`);
    }
    return draft.broaden(subject, {
      pattern: `WebFetch:domain:${host}`,
      detail: "it holds for subdomains too here",
    });
  }
  draft.approximate(subject, {
    pattern: tool,
    detail: "its pattern is not compared here, so it is the whole tool",
  });
}

function addFile(
  subject: Subject,
  { tool, pattern, draft }: { tool: string; pattern: string; draft: Draft },
): void {
  const path = /^(\/|~\/|\.\/)/.test(pattern) ? pattern : `./${pattern}`;
  if (subject.action === "allow") return draft.add(subject, `${tool}:${path}`);
  draft.broaden(subject, {
    pattern: `${tool}:${path.replace(/^\.\//, "")}`,
    detail: "it holds in every folder, and for every tool that does the same to a file here",
  });
}

const FILES = ["Read", "Edit", "Write", "NotebookEdit"];

/** Categories of more than one tool here. */
const SHARED: ReadonlyMap<string, readonly string[]> = new Map([
  ["task", ["Task", "Agent"]],
  ["list", ["Glob", "LS"]],
  ["ls", ["Glob", "LS"]],
  ["mcp", ["mcp__*"]],
]);

const TOOLS: ReadonlyMap<string, string> = new Map([
  ["bash", "Bash"],
  ["read", "Read"],
  ["edit", "Edit"],
  ["write", "Write"],
  ["multiedit", "MultiEdit"],
  ["todowrite", "TodoWrite"],
  ["webfetch", "WebFetch"],
  ["websearch", "WebSearch"],
  ["grep", "Grep"],
  ["glob", "Glob"],
  ["notebookedit", "NotebookEdit"],
  ["agent", "Agent"],
  ["skill", "Skill"],
]);
