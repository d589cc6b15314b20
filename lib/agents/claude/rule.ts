import { literalGlob } from "../../pattern/glob.ts";
import { bashPrefix, bashWhole, beforeSpaceStar, wildGlob } from "../convert/bash_pattern.ts";
import type { Draft, Subject } from "../convert/draft.ts";
import { readGitignorePath } from "../convert/gitignore_path.ts";
import { ALL_EDIT_TOOLS, filePatterns, toolPattern } from "../convert/tool_pattern.ts";

/** What a rule text of Claude Code names. */
interface NamedRule {
  readonly tool: string;
  readonly content: string | undefined;
}

/** Reads one entry of `allow`, `ask` or `deny`: `Tool` or `Tool(content)`. */
export function readClaudeRule(subject: Subject, draft: Draft): void {
  const named = nameOf(subject.text);
  if (typeof named === "string") return draft.unreadable(subject, named);
  const { content } = named;
  const tool = TASK.includes(named.tool) ? "Agent" : named.tool;
  if (content === undefined || content === "*") return readBare(subject, { tool, draft });
  switch (tool) {
    case "Bash":
      return readBash(subject, { content, draft });
    case "Read":
      return readFiles(subject, { kind: "read", content, draft });
    case "Edit":
      return readFiles(subject, { kind: "edit", content, draft });
    case "Write":
    case "MultiEdit":
    case "NotebookEdit":
      return readUnconsulted(subject, { kind: "edit", content, draft });
    case "Grep":
    case "Glob":
    case "LS":
      return readUnconsulted(subject, { kind: "read", content, draft });
    case "WebFetch":
      return readFetch(subject, { content, draft });
    default:
      return draft.approximate(subject, {
        pattern: tool === "Agent"
          ? TASK
          : /^mcp__/.test(tool) && !tool.includes("*")
          ? [toolPattern(tool), `${toolPattern(tool)}__*`]
          : toolPattern(tool),
        detail: `what ${tool} takes is not known here, so it is the whole tool`,
      });
  }
}

/** The tool that starts another agent; it had the second name before, and rules may say either. */
const TASK = ["Agent", "Task"];

/** The tool and what stands in its parens; else what is wrong. */
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
  return content.trim() === "" ? "nothing stands in the parens" : { tool, content };
}

interface Named {
  readonly tool: string;
  readonly draft: Draft;
}

/** A rule without content; on an MCP server it holds for all its tools. */
function readBare(subject: Subject, { tool, draft }: Named): void {
  const server = /^mcp__((?:(?!__).)+)$/.exec(tool)?.[1];
  if (server !== undefined && !server.includes("*")) {
    return draft.add(subject, toolPattern(tool), `${toolPattern(tool)}__*`);
  }
  if (tool.startsWith("mcp__") && tool.endsWith("*") && tool.indexOf("*") === tool.length - 1) {
    return draft.add(subject, tool);
  }
  if (tool.includes("*")) {
    return draft.approximate(subject, {
      pattern: tool.replaceAll(/\*+/g, "*"),
      detail: "a * in a tool's name is read in the strictest way",
    });
  }
  if (tool === "Edit" && subject.action !== "allow") {
    return draft.broaden(subject, {
      pattern: ALL_EDIT_TOOLS,
      detail: "it is taken to hold for every tool that edits",
    });
  }
  if (tool === "LS" && subject.action !== "allow") {
    return draft.broaden(subject, {
      pattern: ["LS", "Glob"],
      detail: "what lists a folder is Glob here, as what finds files",
    });
  }
  draft.add(subject, ...(tool === "Agent" ? TASK : [toolPattern(tool)]));
}

interface WithContent {
  readonly content: string;
  readonly draft: Draft;
}

function readBash(subject: Subject, { content, draft }: WithContent): void {
  if (content.endsWith(":*")) {
    const text = content.slice(0, -2);
    if (text.trim() === "") return draft.unreadable(subject, "nothing stands before :*");
    if (!text.includes("*")) return draft.add(subject, bashPrefix(literalGlob(text)));
    const detail = "a * before :* is read in the strictest way";
    return draft.approximate(subject, { pattern: bashPrefix(wildGlob(text)), detail });
  }
  if (/\\/.test(content)) {
    const detail = "what a backslash means there is not certain";
    return draft.approximate(subject, {
      pattern: bashWhole(wildGlob(content.replaceAll("\\", "*"))),
      detail,
    });
  }
  const glob = wildGlob(content);
  const prefix = beforeSpaceStar(glob);
  const stars = glob.filter(({ kind }) => kind === "star").length;
  // A lone " *" at the end is a word boundary: it fits the command alone too.
  if (prefix !== undefined && stars === 1) return draft.add(subject, bashPrefix(prefix));
  draft.add(subject, bashWhole(glob));
}

function readFiles(
  subject: Subject,
  { kind, content, draft }: WithContent & { kind: "read" | "edit" },
): void {
  const reading = readGitignorePath(content);
  if (reading.kind === "unreadable") return draft.unreadable(subject, reading.detail);
  const { action } = subject;
  const patterns = reading.paths.flatMap((path) => filePatterns(kind, { path, action }));
  if (action !== "allow") return draft.add(subject, patterns[0]!);
  if (reading.kind === "unsure") return draft.lose("dropped", subject, reading.detail);
  draft.add(subject, ...patterns);
}

/** A path on a tool whose paths are never asked about: an allow of it does nothing, a deny was meant. */
function readUnconsulted(
  subject: Subject,
  { kind, content, draft }: WithContent & { kind: "read" | "edit" },
): void {
  const reading = readGitignorePath(content);
  if (reading.kind === "unreadable") return draft.unreadable(subject, reading.detail);
  const instead = kind === "edit" ? "Edit" : "Read";
  const detail = `there only ${instead} is asked about paths, so that the rule does nothing`;
  const pattern = filePatterns(kind, { path: reading.paths[0], action: "deny" });
  if (subject.action === "allow") return draft.lose("dropped", subject, detail);
  draft.broaden(subject, { pattern, detail: `${detail}; here it counts` });
}

function readFetch(subject: Subject, { content, draft }: WithContent): void {
  const [, star = "", host] = /^domain:(\*\.)?([\w.-]+)$/.exec(content) ?? [];
  if (host === undefined) {
    const detail = "only domain:HOST is known to be read there";
    return draft.approximate(subject, { pattern: "WebFetch", detail });
  }
  if (subject.action === "allow") {
    return draft.add(subject, `WebFetch:https://${star}${host}`, `WebFetch:http://${star}${host}`);
  }
  const detail = "it holds for the host and its subdomains here";
  draft.broaden(subject, { pattern: `WebFetch:domain:${host}`, detail });
}
