import type { Action } from "../../model/call.ts";
import { type Glob, literalGlob } from "../../pattern/glob.ts";
import { quoted } from "../../model/problem.ts";
import { nearest } from "../../text/did_you_mean.ts";
import type { TomlMember, TomlNode, TomlTable } from "../../text/toml_node.ts";
import { parseToml } from "../../text/toml_tree.ts";
import {
  ALL_EDIT_TOOLS,
  bashPrefix,
  bashWhole,
  SHARED_NAME,
  sharesNames,
  toolPattern,
} from "../convert/patterns.ts";
import { ImportBuilder, type Subject } from "../convert/import_builder.ts";
import type { Format, ImportResult } from "../convert/format.ts";
import { readSettings } from "./read_settings.ts";
import { commandGlob, commandOf } from "./command_json.ts";
import { EXPRESSIONS, isCondition, refuseUnknown } from "./rule_keys.ts";
import { ownTool, READING, sharedTools } from "./tools.ts";
import { globsOfRegex } from "../convert/regex_glob.ts";
import { writeGemini } from "./export.ts";

const SETTINGS_FILE = /\.gemini[\\/]settings\.json$/;

/** Gemini CLI: `[[rule]]` in policy files; written against @google/gemini-cli-core 0.61. */
export const format: Format = {
  name: "gemini",
  title: "Gemini CLI policy.toml",
  caveat:
    "Gemini CLI compares the text of a call, and its own policies allow calls that only read; in caliban commands that only " +
    "pass text on (head, echo, cd, time) need no rule of their own next to an allowed one",
  detect: (path, text) =>
    /\.gemini[\\/]/.test(path) && /\.toml$/.test(path) ||
    /^\s*\[\[rule\]\]/m.test(text) && /^\s*toolName\s*=/m.test(text),
  settings: SETTINGS_FILE,
  read: readGemini,
  write: writeGemini,
};

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

/** Reads `[[rule]]` tables. The match with the highest priority decides, then the first in the file. */
function readGemini(text: string, path: string): ImportResult {
  if (SETTINGS_FILE.test(path)) return readSettings(text);
  const document = parseToml(text);
  const builder = new ImportBuilder(document.problems);
  const rules: GeminiRule[] = [];
  for (const member of document.root.members.values()) {
    if (member.name === "rule") rules.push(...rulesOf(member, { text, builder }));
    else if (member.name === "safety_checker") {
      const detail = "caliban does not run safety checkers";
      builder.loseSetting("safety_checker", { span: member.key, detail, kind: "widened" });
    } else if (nearest(member.name, ["rule"]) !== undefined) {
      const message = `Cannot read key ${quoted(member.name)}: there is no such key`;
      builder.problem(member.key, message, "unknown-key");
    } else {
      const detail = "caliban has no such key";
      builder.loseSetting(member.name, { span: member.key, detail, kind: "widened" });
    }
  }
  for (const rule of rules.toSorted((a, b) => b.priority - a.priority)) {
    builder.entry(rule.subject, () => addRule(rule, builder));
  }
  loseRedirections(rules, builder);
  return builder.finish({ firstMatch: true });
}

/** Adds the loss of redirections: in caliban an allowed shell may write each file that an allowed tool may. */
function loseRedirections(rules: readonly GeminiRule[], builder: ImportBuilder): void {
  const allows = rules.filter(({ subject }) => subject.action === "allow");
  const shell = allows.find(({ tools, table }) =>
    tools.some((tool) => ["run_shell_command", "*"].includes(tool)) && !mayRedirect(table)
  );
  const writes = allows.some(({ tools }) =>
    tools.some((tool) => ["write_file", "replace", "*"].includes(tool))
  );
  if (shell === undefined || !writes) return;
  const detail =
    "caliban allows a redirection into a file that may be written, and Gemini CLI asks";
  builder.loseSetting("allowRedirection", { span: shell.subject.span, detail, kind: "widened" });
}

function mayRedirect(table: TomlTable): boolean {
  const redirects = table.members.get("allowRedirection") ?? table.members.get("allow_redirection");
  return redirects?.value.type === "boolean" && redirects.value.value;
}

interface GeminiFile {
  readonly text: string;
  readonly builder: ImportBuilder;
}

function rulesOf(member: TomlMember, { text, builder }: GeminiFile): readonly GeminiRule[] {
  const items = member.value.type === "array" ? member.value.elements : [];
  if (items.length === 0 && member.value.type !== "array") {
    builder.problem(member.key, 'Cannot read key "rule": expected [[rule]] tables');
  }
  return items.flatMap((item): readonly GeminiRule[] => {
    if (item.type !== "table") return [];
    const subject = subjectOf(item, { text, builder });
    let rules: readonly GeminiRule[] = [];
    const isKept = builder.entry(subject, () => rules = ruleOf(item, { subject, builder }));
    return isKept ? rules : [];
  });
}

/** The subject of a rule; one without a decision is taken for a deny, which must not vanish. */
function subjectOf(table: TomlTable, { text, builder }: GeminiFile): Subject {
  const action = DECISIONS.get(textAt(table, "decision") ?? "");
  if (action === undefined) {
    builder.problem(
      spanAt(table, "decision"),
      "Cannot read decision: expected allow, deny or ask_user",
      "unknown-value",
    );
  }
  const reason = textAt(table, "denyMessage") ?? textAt(table, "deny_message");
  const written = text.slice(table.span.end, table.end).trim().replace(/\s*\n\s*/g, ", ");
  const note = action === "deny" && reason ? { reason } : {};
  return { text: written, action: action ?? "deny", span: table.span, ...note };
}

function ruleOf(
  table: TomlTable,
  { subject, builder }: { readonly subject: Subject; readonly builder: ImportBuilder },
): readonly GeminiRule[] {
  refuseUnknown(table, { subject, builder });
  const priority = priorityOf(table, builder);
  if (priority === undefined) return [];
  // A rule without a tool is for all tools of the server.
  const isServer = table.members.has("mcpName") && !table.members.has("toolName");
  const tools = isServer ? ["*"] : textsAt(table, "toolName") ?? [];
  if (tools.length === 0 || tools.includes("")) {
    builder.problem(
      spanAt(table, "toolName"),
      "Cannot read toolName: expected the name of a tool, or a list of names",
    );
  }
  return tools.length === 0 || tools.includes("") ? [] : [{ table, subject, priority, tools }];
}

function priorityOf(table: TomlTable, builder: ImportBuilder): number | undefined {
  const priority = table.members.get("priority")?.value;
  const value = priority?.type === "number" ? priority.value : undefined;
  if (value !== undefined && Number.isInteger(value) && value >= 0 && value <= 999) return value;
  builder.problem(
    spanAt(table, "priority"),
    "Cannot read priority: expected a whole number from 0 to 999",
  );
  return undefined;
}

function addRule({ table, subject: written, tools }: GeminiRule, builder: ImportBuilder): void {
  const conditions = [...table.members.keys()].filter(isCondition);
  const subject: Subject = conditions.length === 0 ? written : { ...written, isBroad: true };
  if (conditions.length > 0) {
    const detail = `${conditions.join(", ")} cannot be evaluated in caliban`;
    if (subject.action === "allow") return builder.lose("dropped", subject, detail);
    builder.lose("narrowed", subject, `${detail}, so it always holds`);
  }
  if (subject.action === "allow" && sharesNames(textAt(table, "mcpName") ?? "")) {
    return builder.lose("dropped", subject, SHARED_NAME);
  }
  const isPart = EXPRESSIONS.some((key) => table.members.has(key));
  if (mayRedirect(table) && isPart) {
    builder.lose("narrowed", subject, "in caliban a redirection needs an allow rule for the file");
  }
  for (const name of tools) {
    const tool = ownName(name, textAt(table, "mcpName"));
    const shared = table.members.has("mcpName") ? undefined : sharedTools(name);
    if (shared) {
      builder.approximate(subject, {
        pattern: shared,
        detail: `${quoted(name)} is ${shared.join(" or ")} in caliban, which may be more`,
      });
    } else if (tool === undefined) {
      // Stricter than every reading of the wildcard.
      builder.approximate(subject, {
        pattern: "*",
        detail: `the tool name ${quoted(name)} is not a wildcard in Gemini CLI`,
      });
    } else addTool(tool, { table, subject, builder });
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
  readonly builder: ImportBuilder;
}

function addTool(tool: string, { table, subject, builder }: OfTool): void {
  const prefixes = textsAt(table, "commandPrefix");
  const regex = textAt(table, "commandRegex");
  const args = textAt(table, "argsPattern");
  const own = tool.includes("*") ? tool : toolPattern(tool);
  if (table.members.has("commandPrefix")) {
    if (prefixes === undefined) {
      return builder.problem(
        spanAt(table, "commandPrefix"),
        "Cannot read commandPrefix: expected a string, or a list of strings",
      );
    }
    if (tool === "Bash") return addPrefixes(prefixes, { subject, builder });
  }
  const command = regex ?? commandOf(args);
  if (command !== undefined && tool === "Bash") return addRegex(command, { subject, builder });
  if (prefixes !== undefined || regex !== undefined || args !== undefined) {
    return builder.approximate(subject, {
      pattern: own,
      detail: "caliban cannot express a regular expression over the input, so it is the whole tool",
    });
  }
  if (subject.action !== "allow" || mayRedirect(table) || !["Bash", "*"].includes(tool)) {
    return builder.add(subject, own);
  }
  // A bare Bash would allow redirections, about which Gemini CLI asks.
  builder.add(subject, "Bash:?*", ...(tool === "*" ? REST : []));
  builder.lose(
    "narrowed",
    subject,
    "caliban asks about redirections and about commands that cannot be analysed",
  );
}

/** Every tool but the shell, as far as they are known. */
const REST = [...ALL_EDIT_TOOLS, ...READING, "mcp__*"];

function addPrefixes(
  prefixes: readonly string[],
  { subject, builder }: Omit<OfTool, "table">,
): void {
  for (const prefix of prefixes) {
    const trimmed = prefix.trim();
    if (trimmed === "") {
      const detail = "an empty commandPrefix matches commands that begin with a space";
      builder.approximate(subject, { pattern: "Bash", detail });
    } else if (trimmed !== prefix) {
      const detail = "with a space at its end it matches almost nothing in Gemini CLI";
      builder.approximate(subject, { pattern: bashPrefix(literalGlob(trimmed)), detail });
    } else builder.add(subject, bashPrefix(literalGlob(prefix)));
  }
}

/** An expression over the command as JSON has it, from its beginning, with anything behind it. */
function addRegex(source: string, { subject, builder }: Omit<OfTool, "table">): void {
  const anchored = source.startsWith("^") ? undefined : globsOfRegex(source);
  const globs = anchored?.exact?.map(commandGlob);
  if (globs && !globs.includes(undefined)) {
    return builder.add(subject, ...(globs as readonly Glob[]).map(bashWhole));
  }
  const head = /["\\]/.test(anchored?.head ?? "") ? "" : anchored?.head ?? "";
  const pattern = bashWhole([...literalGlob(head), { kind: "star" }]);
  builder.approximate(subject, { pattern, detail: "no pattern can express its commandRegex" });
}

function textAt(table: TomlTable, name: string): string | undefined {
  const value = table.members.get(name)?.value;
  return value?.type === "string" ? value.value : undefined;
}

function textsAt(table: TomlTable, name: string): readonly string[] | undefined {
  const value: TomlNode | undefined = table.members.get(name)?.value;
  if (value?.type === "string") return [value.value];
  if (value?.type !== "array") return undefined;
  const texts = value.elements.flatMap((item) => item.type === "string" ? [item.value] : []);
  return texts.length === value.elements.length ? texts : undefined;
}

function spanAt(table: TomlTable, name: string): TomlTable["span"] {
  return table.members.get(name)?.value.span ?? table.span;
}
