import { type Action, ACTIONS, isAction, strictness } from "../../model/call.ts";
import { type Loss, quoted } from "../../model/problem.ts";
import { onlyText } from "../../pattern/glob.ts";
import { type JsonNode, memberOf } from "../../text/json_node.ts";
import { renderClaude } from "../claude/export.ts";
import { bashWhole, EDIT_TOOLS, toolPattern, wildGlob } from "../convert/patterns.ts";
import { distinctLosses, startExport } from "../convert/rule_export.ts";
import { lossOf, type Part } from "../convert/parts.ts";
import { openJson } from "../convert/unread_keys.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import type {
  ExportContext,
  ExportResult,
  Format,
  FormatRule,
  ImportResult,
} from "../convert/format.ts";

/** rulesync: `permission` in `permissions.jsonc`, which it writes for many agents. */
export const format: Format = {
  name: "rulesync",
  title: "rulesync permissions.jsonc",
  caveat:
    "the meaning of an entry depends on the agent that rulesync writes it for; caliban takes the strictest reading",
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

function readRulesync(text: string): ImportResult {
  const { root, builder, isOther } = openJson(text, ["permission"]);
  if (isOther) return builder.finish();
  const entries = entriesOf(root, builder);
  for (const action of ACTIONS) {
    for (const entry of entries) if (entry.subject.action === action) addEntry(entry, builder);
  }
  for (const { category, subject } of entries) {
    const whole = entries.find((each) => each.category === category && each.pattern === "*");
    if (!whole || strictness(whole.subject.action) <= strictness(subject.action)) continue;
    const detail = `the entry "*" is ${whole.subject.action}, and in caliban the strictest counts`;
    builder.lose("narrowed", subject, detail);
  }
  if (root.type === "object") {
    for (const { name, key } of root.members) {
      if (name === "permission" || name === "$schema") continue;
      const detail = "caliban cannot tell rules for one agent from rules for all";
      builder.loseSetting(name, { span: key, detail, kind: "widened" });
    }
  }
  return builder.finish();
}

function entriesOf(root: JsonNode, builder: ImportBuilder): readonly Entry[] {
  const permission = memberOf(root, "permission");
  if (permission === undefined) return [];
  const { value } = permission;
  if (value.type !== "object") {
    builder.problem(value.span, 'Cannot read key "permission": expected an object');
    return [];
  }
  return value.members.flatMap(({ name: category, key, value: rules }): readonly Entry[] => {
    if (rules.type === "string" && isAction(rules.value)) {
      const subject: Subject = { text: `${category}: *`, action: rules.value, span: key };
      return [{ category, pattern: "*", subject }];
    }
    if (rules.type !== "object") {
      builder.problem(
        rules.span,
        `Cannot read ${quoted(category)}: expected patterns with their actions`,
      );
      return [];
    }
    return rules.members.flatMap(
      ({ name: pattern, key: span, value: action }): readonly Entry[] => {
        if (action.type === "string" && isAction(action.value)) {
          return [{
            category,
            pattern,
            subject: { text: `${category}: ${pattern}`, action: action.value, span },
          }];
        }
        builder.problem(
          action.span,
          `Cannot read ${quoted(pattern)}: expected allow, ask or deny`,
          "unknown-value",
        );
        return [];
      },
    );
  });
}

function addEntry({ category, pattern, subject }: Entry, builder: ImportBuilder): void {
  const { action } = subject;
  const whole = pattern === "*" || pattern === "**";
  const tool = TOOLS.get(category) ?? category;
  const shared = SHARED.get(category);
  if (shared && action !== "allow") {
    const detail = "the tools of the category depend on the agent";
    return builder.broaden(subject, { pattern: shared, detail });
  }
  if (shared) {
    return builder.lose("dropped", subject, "it stands for more than one tool in caliban");
  }
  if (!TOOLS.has(category) && action !== "allow" && !category.startsWith("mcp__")) {
    builder.lose(
      "widened",
      subject,
      "caliban does not know the tool, nor its name in other agents",
    );
  }
  if (!whole && FILES.includes(tool)) return addFile(subject, { tool, pattern, builder });
  if (whole) return builder.add(subject, tool.includes("*") ? tool : toolPattern(tool));
  if (category === "bash") return addCommand(subject, { pattern, builder });
  if (category === "webfetch" && /^(domain:)?[\w.-]+$/.test(pattern)) {
    const host = pattern.replace(/^domain:/, "");
    return builder.addHost(subject, { host });
  }
  builder.approximate(subject, {
    pattern: tool,
    detail: "caliban does not compare its pattern, so it is the whole tool",
  });
}

function addCommand(
  subject: Subject,
  { pattern, builder }: { pattern: string; builder: ImportBuilder },
): void {
  if (onlyText(wildGlob(pattern)) !== undefined && /[?[\]{}\\]/.test(pattern)) {
    const detail = "the meaning of its special characters is not certain";
    return builder.approximate(subject, { pattern: "Bash", detail });
  }
  const text = pattern.endsWith(":*") ? `${pattern.slice(0, -2)} *` : pattern;
  builder.add(subject, bashWhole(wildGlob(text)));
}

function addFile(
  subject: Subject,
  { tool, pattern, builder }: { tool: string; pattern: string; builder: ImportBuilder },
): void {
  const path = /^(\/|~\/|\.\/)/.test(pattern) ? pattern : `./${pattern}`;
  if (subject.action === "allow") return builder.add(subject, `${tool}:${path}`);
  builder.broaden(subject, {
    pattern: `${tool}:${path.replace(/^\.\//, "")}`,
    detail: "in caliban it holds in every folder, and for every tool that does the same to a file",
  });
}

const FILES = ["Read", "Edit", "Write", "NotebookEdit"];

/** Categories that stand for several tools here. */
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

/** Writes `permission`, with the patterns that rulesync reads for Claude Code. */
function writeRulesync(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const { parts, losses } = startExport(rules, context, {
    strictestIn: "the strictest of its agents",
  });
  const lists = new Map<string, Map<string, Action>>();
  for (const part of parts) {
    const rendered = renderClaude(part, { parts, profiles: context.profiles });
    losses.push(...rendered.losses);
    for (const text of rendered.texts) {
      const [, tool = "", content = "*"] = /^([^(]+)(?:\((.*)\))?$/s.exec(text) ?? [];
      // With a path, Edit is every tool that edits.
      const tools = tool === "Edit" && text !== tool ? EDIT_TOOLS : [tool];
      for (const each of tools) {
        losses.push(...put(lists, { part, category: categoryOf(each), content }));
      }
    }
  }
  return { text: textOf(lists), losses: distinctLosses(losses) };
}

/** Adds a pattern to a category. Of two rules with one pattern the stricter stays. */
function put(
  lists: Map<string, Map<string, Action>>,
  { part, category, content }: { part: Part; category: string; content: string },
): readonly Loss[] {
  const patterns = lists.get(category) ?? new Map<string, Action>();
  lists.set(category, patterns);
  const pattern = patternOf(category, content);
  const { action } = part.rule;
  const stands = patterns.get(pattern);
  if (stands !== undefined && stands !== action) {
    // Claude Code's lists would hold both, and the stricter would decide.
    if (strictness(stands) < strictness(action)) patterns.set(pattern, action);
    return [];
  }
  patterns.set(pattern, action);
  if (!content.endsWith(":*") || action !== "allow") return [];
  return [
    lossOf(part, "narrowed", "whether it matches the command alone depends on the agent"),
  ];
}

function categoryOf(tool: string): string {
  return tool.startsWith("mcp__") ? tool : tool.toLowerCase();
}

const FILE_CATEGORIES = ["read", "edit", "write", "notebookedit"];

/** The pattern of an entry. A path begins at the root or in the project; a command's prefix has no form of its own. */
function patternOf(category: string, content: string): string {
  if (category === "bash") return content.replace(/:\*$/, " *");
  if (!FILE_CATEGORIES.includes(category)) return content;
  return content.startsWith("//") ? content.slice(1) : content.replace(/^\//, "./");
}

function textOf(lists: ReadonlyMap<string, ReadonlyMap<string, Action>>): string {
  const blocks = [...lists].map(([category, patterns]) => {
    const lines = [...patterns].map(([pattern, action]) =>
      `      ${JSON.stringify(pattern)}: "${action}"`
    );
    return `    ${JSON.stringify(category)}: {\n${lines.join(",\n")}\n    }`;
  });
  return `{\n  "permission": {\n${blocks.join(",\n")}\n  }\n}\n`;
}
