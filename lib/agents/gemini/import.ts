import type { Action } from "../../model/action.ts";
import { type Glob, literalGlob } from "../../pattern/glob.ts";
import { quoted } from "../../text/problems.ts";
import type { TomlMember, TomlNode, TomlTable } from "../../text/toml_node.ts";
import { parseToml } from "../../text/toml_tree.ts";
import { bashPrefix, bashWhole } from "../convert/bash_pattern.ts";
import { Draft, type Subject } from "../convert/draft.ts";
import type { FormatReading } from "../convert/format.ts";
import { CONDITIONS, EXPRESSIONS, refuseUnknown } from "./keys.ts";
import { ownTool, READING, sharedTools } from "./tools.ts";
import { globsOfRegex } from "../convert/regex_glob.ts";
import { ALL_EDIT_TOOLS, toolPattern } from "../convert/tool_pattern.ts";

const DECISIONS: ReadonlyMap<string, Action> = new Map([
  ["allow", "allow"],
  ["deny", "deny"],
  ["ask_user", "ask"],
]);

/** A `[[rule]]` of Gemini CLI. */
interface GeminiRule {
  readonly table: TomlTable;
  readonly subject: Subject;
  readonly priority: number;
  readonly tools: readonly string[];
}

/** Reads `[[rule]]` tables; the highest priority that fits decides, then the first in the file. */
export function readGemini(text: string): FormatReading {
  const document = parseToml(text);
  const draft = new Draft(document.problems);
  const rules: GeminiRule[] = [];
  for (const member of document.root.members.values()) {
    if (member.name === "rule") rules.push(...rulesOf(member, { text, draft }));
    else if (member.name === "safety_checker") {
      const detail = "safety checkers are not run here";
      draft.loseSetting("safety_checker", { span: member.key, detail, kind: "widened" });
    } else {draft.problem(
        member.key,
        `Cannot read key ${quoted(member.name)}: there is no such key`,
        "unknown-key",
      );}
  }
  for (const rule of rules.toSorted((a, b) => b.priority - a.priority)) addRule(rule, draft);
  loseRedirections(rules, draft);
  return draft.finish({ firstMatch: true });
}

/** A shell that may write no file there may here, where the tool that writes it may. */
function loseRedirections(rules: readonly GeminiRule[], draft: Draft): void {
  const allows = rules.filter(({ subject }) => subject.action === "allow");
  const shell = allows.find(({ tools, table }) =>
    tools.some((tool) => ["run_shell_command", "*"].includes(tool)) && !mayRedirect(table)
  );
  const writes = allows.some(({ tools }) =>
    tools.some((tool) => ["write_file", "replace", "*"].includes(tool))
  );
  if (shell === undefined || !writes) return;
  const detail = "a redirection into a file that may be written is allowed here, and asks there";
  draft.loseSetting("allowRedirection", { span: shell.subject.span, detail, kind: "widened" });
}

function mayRedirect(table: TomlTable): boolean {
  const redirects = table.members.get("allowRedirection") ?? table.members.get("allow_redirection");
  return redirects?.value.type === "boolean" && redirects.value.value;
}

interface Reading {
  readonly text: string;
  readonly draft: Draft;
}

function rulesOf(member: TomlMember, { text, draft }: Reading): readonly GeminiRule[] {
  const items = member.value.type === "array" ? member.value.items : [];
  if (items.length === 0 && member.value.type !== "array") {
    draft.problem(member.key, 'Cannot read key "rule": expected [[rule]] tables');
  }
  return items.flatMap((item) => item.type === "table" ? ruleOf(item, { text, draft }) : []);
}

function ruleOf(table: TomlTable, { text, draft }: Reading): readonly GeminiRule[] {
  const span = table.span;
  refuseUnknown(table, draft);
  const decision = textAt(table, "decision");
  const action = DECISIONS.get(decision ?? "");
  if (action === undefined) {
    draft.problem(
      spanAt(table, "decision"),
      "Cannot read decision: expected allow, deny or ask_user",
      "unknown-value",
    );
  }
  const priority = table.members.get("priority")?.value;
  if (
    priority?.type !== "number" || !Number.isInteger(priority.value) || priority.value < 0 ||
    priority.value > 999
  ) {
    draft.problem(
      spanAt(table, "priority"),
      "Cannot read priority: expected a whole number from 0 to 999",
    );
    return [];
  }
  // A rule on a server alone is one on all its tools.
  const isServer = table.members.has("mcpName") && !table.members.has("toolName");
  const tools = isServer ? ["*"] : textsAt(table, "toolName") ?? [];
  if (tools.length === 0 || tools.includes("")) {
    draft.problem(
      spanAt(table, "toolName"),
      "Cannot read toolName: expected the name of a tool, or a list of them",
    );
  }
  if (action === undefined || tools.length === 0 || tools.includes("")) return [];
  const reason = textAt(table, "denyMessage") ?? textAt(table, "deny_message");
  const written = text.slice(table.span.end, table.end).trim().replace(/\s*\n\s*/g, ", ");
  const said = action === "deny" && reason ? { reason } : {};
  return [{
    table,
    subject: { text: written, action, span, ...said },
    priority: priority.value,
    tools,
  }];
}

function addRule({ table, subject: said, tools }: GeminiRule, draft: Draft): void {
  const conditions = CONDITIONS.filter((key) => table.members.has(key));
  const subject: Subject = conditions.length === 0 ? said : { ...said, isBroad: true };
  if (conditions.length > 0) {
    const detail = `${conditions.join(", ")} cannot be told from a call here`;
    if (subject.action === "allow") return draft.lose("dropped", subject, detail);
    draft.lose("narrowed", subject, `${detail}, so it always holds`);
  }
  const isPart = EXPRESSIONS.some((key) => table.members.has(key));
  if (mayRedirect(table) && isPart) {
    draft.lose("narrowed", subject, "a redirection needs an allow rule for the file here");
  }
  for (const name of tools) {
    const tool = ownName(name, textAt(table, "mcpName"));
    const shared = table.members.has("mcpName") ? undefined : sharedTools(name);
    if (shared) {
      draft.approximate(subject, {
        pattern: shared,
        detail: `${quoted(name)} is ${shared.join(" or ")} here, which may be more`,
      });
    } else if (tool === undefined) {
      // Stricter than anything the wildcard could stand for.
      draft.approximate(subject, {
        pattern: "*",
        detail: `the tool name ${quoted(name)} is not read there as a wildcard`,
      });
    } else addTool(tool, { table, subject, draft });
  }
}

function ownName(name: string, server: string | undefined): string | undefined {
  if (server === undefined) return ownTool(name);
  if (server === "*" && name === "*") return "mcp__*";
  if (!/^[^*?:()\s]+$/.test(server) || server.includes("__")) return undefined;
  return name === "*" || !/[*?:()\s]/.test(name) ? `mcp__${server}__${name}` : undefined;
}

interface OfTool {
  readonly table: TomlTable;
  readonly subject: Subject;
  readonly draft: Draft;
}

function addTool(tool: string, { table, subject, draft }: OfTool): void {
  const prefixes = textsAt(table, "commandPrefix");
  const regex = textAt(table, "commandRegex");
  const args = textAt(table, "argsPattern");
  const own = tool.includes("*") ? tool : toolPattern(tool);
  if (table.members.has("commandPrefix")) {
    if (prefixes === undefined) {
      return draft.problem(
        spanAt(table, "commandPrefix"),
        "Cannot read commandPrefix: expected a string, or a list of them",
      );
    }
    if (tool === "Bash") return addPrefixes(prefixes, { subject, draft });
  }
  const command = regex ?? commandOf(args);
  if (command !== undefined && tool === "Bash") return addRegex(command, { subject, draft });
  if (prefixes !== undefined || regex !== undefined || args !== undefined) {
    return draft.approximate(subject, {
      pattern: own,
      detail: "an expression over the input is the whole tool here",
    });
  }
  if (subject.action !== "allow" || mayRedirect(table) || !["Bash", "*"].includes(tool)) {
    return draft.add(subject, own);
  }
  // A bare Bash would allow redirections, which ask there.
  draft.add(subject, "Bash:?*", ...(tool === "*" ? REST : []));
  draft.lose("narrowed", subject, "redirections, and commands that cannot be known, ask here");
}

/** Every tool but the shell, as far as they are known. */
const REST = [...ALL_EDIT_TOOLS, ...READING, "mcp__*"];

function addPrefixes(prefixes: readonly string[], { subject, draft }: Omit<OfTool, "table">): void {
  for (const prefix of prefixes) {
    const trimmed = prefix.trim();
    if (trimmed === "") {
      const detail = "an empty commandPrefix fits what begins with a blank there";
      draft.approximate(subject, { pattern: "Bash", detail });
    } else if (trimmed !== prefix) {
      const detail = "with a blank at its end it fits next to nothing there";
      draft.approximate(subject, { pattern: bashPrefix(literalGlob(trimmed)), detail });
    } else draft.add(subject, bashPrefix(literalGlob(prefix)));
  }
}

/** An expression over the JSON of a call that begins with its command. */
function commandOf(args: string | undefined): string | undefined {
  return /^"command":"(.*)$/s.exec(args ?? "")?.[1];
}

/** An expression over the command as JSON has it, from its beginning, with anything behind it. */
function addRegex(source: string, { subject, draft }: Omit<OfTool, "table">): void {
  const anchored = source.startsWith("^") ? undefined : globsOfRegex(source);
  const globs = anchored?.exact?.map(commandGlob);
  if (globs && !globs.includes(undefined)) {
    return draft.add(subject, ...(globs as readonly Glob[]).map(bashWhole));
  }
  const head = /["\\]/.test(anchored?.head ?? "") ? "" : anchored?.head ?? "";
  const pattern = bashWhole([...literalGlob(head), { kind: "star" }]);
  draft.approximate(subject, { pattern, detail: "its commandRegex cannot be said as a pattern" });
}

/** A glob over JSON as one over the command: a quote ends it; what JSON escapes cannot be said. */
function commandGlob(glob: Glob): Glob | undefined {
  const [text, last] = [glob.at(-2), glob.at(-1)];
  const ends = last?.kind === "star" && text?.kind === "text" && text.text.endsWith('"');
  const rest: Glob = ends ? [...glob.slice(0, -2), ...literalGlob(text.text.slice(0, -1))] : glob;
  const odd = rest.some((token, index) =>
    token.kind === "text" && /["\\]/.test(token.text) ||
    token.kind === "anyChar" && rest[index + 1]?.kind !== "star"
  );
  return odd ? undefined : rest;
}

function textAt(table: TomlTable, name: string): string | undefined {
  const value = table.members.get(name)?.value;
  return value?.type === "string" ? value.value : undefined;
}

function textsAt(table: TomlTable, name: string): readonly string[] | undefined {
  const value: TomlNode | undefined = table.members.get(name)?.value;
  if (value?.type === "string") return [value.value];
  if (value?.type !== "array") return undefined;
  const texts = value.items.flatMap((item) => item.type === "string" ? [item.value] : []);
  return texts.length === value.items.length ? texts : undefined;
}

function spanAt(table: TomlTable, name: string): TomlTable["span"] {
  return table.members.get(name)?.value.span ?? table.span;
}
