import { literalGlob } from "../../pattern/glob.ts";
import { type JsonMember, shown } from "../../text/json_node.ts";
import {
  ALL_EDIT_TOOLS,
  bashPrefix,
  bashWhole,
  beforeSpaceStar,
  filePatterns,
  toolPattern,
  wildGlob,
} from "../convert/patterns.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import type { Format } from "../convert/format.ts";
import { readGitignorePath } from "../convert/gitignore_path.ts";
import { readPermissionLists, type SettingEffect } from "../convert/permission_lists.ts";
import { writePermissionLists } from "./export.ts";

/** The settings of a project, a person or an organisation. */
const SETTINGS_FILE = /\.claude[\\/]settings[\w.-]*\.json$|managed-settings[\w.-]*\.json$/;

/** The tools that Claude Code asks about in its default mode. */
const ASKING = ["Bash", ...ALL_EDIT_TOOLS, "WebFetch", "WebSearch", "mcp__*"];

/** Claude Code: `permissions` in `settings.json`; written against 2.1. */
export const format: Format = {
  name: "claude",
  title: "Claude Code settings.json",
  caveat:
    "Claude Code splits a command line by its own rules, and itself allows calls that only read the project",
  detect: (path, text) =>
    !/\.(qwen|factory|cursor|gemini|robota|vscode)[\\/]/.test(path) &&
    /"permissions"\s*:/.test(text) && /"(?:allow|deny|ask|defaultMode)"\s*:/.test(text) &&
    !/"(?:Shell|Mcp)\(/.test(text),
  settings: SETTINGS_FILE,
  read: (text, path) =>
    readPermissionLists(text, {
      isSettings: SETTINGS_FILE.test(path),
      readRule: USER_FILE.test(path) || MANAGED_FILE.test(path) ? readUserRule : readClaudeRule,
      readSetting: readClaudeSetting,
    }),
  write: (rules, context) => writePermissionLists(rules, { context, agent: "Claude Code" }),
};

/** The settings of a person for all projects, where a path that begins with / is not in the project. */
const USER_FILE =
  /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)[\\/]\.claude[\\/]settings/;

/** The settings of an organisation, for all projects too. */
const MANAGED_FILE = /managed-settings[\w.-]*\.json$/;

function readUserRule(subject: Subject, builder: ImportBuilder): void {
  const path = /^(?:Read|Edit)\(\/(?!\/)/.test(subject.text.trim());
  if (!path) return readClaudeRule(subject, builder);
  const detail =
    "the meaning of a leading / in settings for all projects is not certain; write //, ~/ or ./";
  if (subject.action === "allow") return builder.lose("dropped", subject, detail);
  readClaudeRule(subject, builder);
  builder.lose("widened", subject, detail);
}

/** Reads a key of the permission block that is not a list of rules. */
export function readClaudeSetting(member: JsonMember, builder: ImportBuilder): SettingEffect {
  const { name, key: span, value } = member;
  if (name !== "defaultMode") {
    const detail = SETTINGS.get(name);
    builder.loseSetting(shown(member), {
      span,
      detail: detail ?? "caliban has no such key",
      kind: detail === undefined ? "widened" : "dropped",
    });
    return undefined;
  }
  if (value.type !== "string") {
    builder.loseSetting(shown(member), { span, detail: "it is not a mode", kind: "widened" });
    return undefined;
  }
  return readMode(value.value, { member, builder });
}

/** Reads a mode. Some have the same name in caliban and another meaning. */
function readMode(
  mode: string,
  { member, builder }: { member: JsonMember; builder: ImportBuilder },
): SettingEffect {
  const { key: span, value } = member;
  switch (mode) {
    case "default":
      return { mode };
    case "acceptEdits":
    case "plan":
    case "auto": {
      builder.loseSetting(shown(member), { span, detail: MODES[mode], kind: "narrowed" });
      return { mode };
    }
    case "dontAsk": {
      const detail =
        "Claude Code denies instead of asking; rules at the end do the same in caliban, also for commands that only read";
      builder.loseSetting(shown(member), { span, detail, kind: "narrowed" });
      return {
        asksNobody: true,
        tail: ASKING.map((text) => ({ text, action: "deny", span: value.span })),
      };
    }
    case "bypassPermissions": {
      const detail =
        "in caliban no file may start that mode; use --allow-dangerously-skip-permissions";
      builder.loseSetting(shown(member), { span, detail, kind: "narrowed" });
      return undefined;
    }
    default:
      builder.loseSetting(shown(member), {
        span,
        detail: "caliban has no such mode",
        kind: "narrowed",
      });
      return undefined;
  }
}

const MODES = {
  acceptEdits:
    "Claude Code also allows mkdir, touch, mv and the like; caliban only tools that edit",
  plan:
    "Claude Code may ask about commands, and runs those that only read; caliban denies commands without a rule",
  auto: "Claude Code classifies calls in another way than caliban: see auto-mode.toml",
} as const;

const SETTINGS: ReadonlyMap<string, string> = new Map([
  ["additionalDirectories", "in caliban only rules decide about files outside the workspace"],
  ["disableBypassPermissionsMode", "write enforce = true into a managed or user file"],
  ["disableAutoMode", "write disable_auto_mode = true into auto-mode.toml"],
]);

/** The parts of a rule. */
interface NamedRule {
  readonly tool: string;
  readonly content: string | undefined;
}

/** Reads one entry of `allow`, `ask` or `deny`: `Tool` or `Tool(content)`. */
export function readClaudeRule(subject: Subject, builder: ImportBuilder): void {
  const named = nameOf(subject.text);
  if (typeof named === "string") return builder.unreadable(subject, named);
  const { content } = named;
  const tool = TASK.includes(named.tool) ? "Agent" : named.tool;
  if (content === undefined || content === "*") return readBare(subject, { tool, builder });
  switch (tool) {
    case "Bash":
      return readBash(subject, { content, builder });
    case "Read":
      return readFiles(subject, { kind: "read", content, builder });
    case "Edit":
      return readFiles(subject, { kind: "edit", content, builder });
    case "Write":
    case "MultiEdit":
    case "NotebookEdit":
      return readUnconsulted(subject, { kind: "edit", content, builder });
    case "Grep":
    case "Glob":
    case "LS":
      return readUnconsulted(subject, { kind: "read", content, builder });
    case "WebFetch":
      return readFetch(subject, { content, builder });
    default:
      return builder.approximate(subject, {
        pattern: tool === "Agent"
          ? TASK
          : /^mcp__/.test(tool) && !tool.includes("*")
          ? [toolPattern(tool), `${toolPattern(tool)}__*`]
          : toolPattern(tool),
        detail: `caliban does not know the input of ${tool}, so it is the whole tool`,
      });
  }
}

/** The tool that starts another agent, with its older name; rules may have either. */
const TASK = ["Agent", "Task"];

/** The tool and the content of its parentheses; otherwise the fault. */
function nameOf(text: string): NamedRule | string {
  const trimmed = text.trim();
  const open = trimmed.indexOf("(");
  if (open < 0) {
    return /[)\s]/.test(trimmed) || trimmed === ""
      ? "it names no tool"
      : { tool: trimmed, content: undefined };
  }
  if (!trimmed.endsWith(")")) return 'missing ")" at its end';
  const tool = trimmed.slice(0, open);
  if (tool === "" || /\s/.test(tool)) return "it names no tool";
  const content = trimmed.slice(open + 1, -1);
  return content.trim() === "" ? "the parentheses are empty" : { tool, content };
}

interface Named {
  readonly tool: string;
  readonly builder: ImportBuilder;
}

/** Reads a rule without content. On an MCP server it holds for all its tools. */
function readBare(subject: Subject, { tool, builder }: Named): void {
  const server = /^mcp__((?:(?!__).)+)$/.exec(tool)?.[1];
  if (server !== undefined && !server.includes("*")) {
    return builder.add(subject, toolPattern(tool), `${toolPattern(tool)}__*`);
  }
  if (tool.startsWith("mcp__") && tool.endsWith("*") && tool.indexOf("*") === tool.length - 1) {
    return builder.add(subject, tool);
  }
  if (tool.includes("*")) {
    return builder.approximate(subject, {
      pattern: tool.replaceAll(/\*+/g, "*"),
      detail: "caliban takes the strictest reading of a * in a tool's name",
    });
  }
  if (tool === "Edit" && subject.action !== "allow") {
    return builder.broaden(subject, {
      pattern: ALL_EDIT_TOOLS,
      detail: "caliban reads it as every tool that edits",
    });
  }
  if (tool === "LS" && subject.action !== "allow") {
    return builder.broaden(subject, {
      pattern: ["LS", "Glob"],
      detail: "in caliban Glob lists folders and finds files",
    });
  }
  builder.add(subject, ...(tool === "Agent" ? TASK : [toolPattern(tool)]));
}

interface WithContent {
  readonly content: string;
  readonly builder: ImportBuilder;
}

function readBash(subject: Subject, { content, builder }: WithContent): void {
  if (content.endsWith(":*")) {
    const text = content.slice(0, -2);
    if (text.trim() === "") return builder.unreadable(subject, "there is nothing before :*");
    if (!text.includes("*")) return builder.add(subject, bashPrefix(literalGlob(text)));
    const detail = "caliban takes the strictest reading of a * before :*";
    return builder.approximate(subject, { pattern: bashPrefix(wildGlob(text)), detail });
  }
  if (/\\/.test(content)) {
    const detail = "the meaning of a backslash in Claude Code is not certain";
    return builder.approximate(subject, {
      pattern: bashWhole(wildGlob(content.replaceAll("\\", "*"))),
      detail,
    });
  }
  const glob = wildGlob(content);
  const prefix = beforeSpaceStar(glob);
  const stars = glob.filter(({ kind }) => kind === "star").length;
  // A lone " *" at the end is a word boundary: it matches the command alone too.
  if (prefix !== undefined && stars === 1) return builder.add(subject, bashPrefix(prefix));
  builder.add(subject, bashWhole(glob));
}

function readFiles(
  subject: Subject,
  { kind, content, builder }: WithContent & { kind: "read" | "edit" },
): void {
  const reading = readGitignorePath(content);
  if (reading.kind === "unreadable") return builder.unreadable(subject, reading.detail);
  const { action } = subject;
  const patterns = reading.paths.flatMap((path) => filePatterns(kind, { path, action }));
  if (action !== "allow") return builder.add(subject, patterns[0]!);
  if (reading.kind === "unsure") return builder.lose("dropped", subject, reading.detail);
  builder.add(subject, ...patterns);
}

/** Reads a path on a tool whose paths Claude Code never compares: an allow does nothing, a deny was meant. */
function readUnconsulted(
  subject: Subject,
  { kind, content, builder }: WithContent & { kind: "read" | "edit" },
): void {
  const reading = readGitignorePath(content);
  if (reading.kind === "unreadable") return builder.unreadable(subject, reading.detail);
  const instead = kind === "edit" ? "Edit" : "Read";
  const detail = `Claude Code compares paths only for ${instead}, so the rule does nothing`;
  const pattern = filePatterns(kind, { path: reading.paths[0], action: "deny" });
  if (subject.action === "allow") return builder.lose("dropped", subject, detail);
  builder.broaden(subject, { pattern, detail: `${detail}; in caliban it counts` });
}

function readFetch(subject: Subject, { content, builder }: WithContent): void {
  const [, star = "", host] = /^domain:(\*\.)?([\w.-]+)$/.exec(content) ?? [];
  if (host !== undefined) return builder.addHost(subject, { host, star });
  const detail = "Claude Code documents only domain:HOST";
  builder.approximate(subject, { pattern: "WebFetch", detail });
}
