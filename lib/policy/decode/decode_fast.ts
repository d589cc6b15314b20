import { type Action, ACTIONS } from "../../model/call.ts";
import type { Span } from "../../model/problem.ts";
import type { PolicyFile, WrittenRule } from "../../model/rule.ts";
import { parseInstant, parseTomlInstant } from "../../text/instant.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { decodeDocument } from "./decode_document.ts";
import { PlainLines } from "./plain_lines.ts";
import { BUCKETS } from "./table_keys.ts";

/**
 * Reads the text of a permissions.toml, without its byte order mark, that is written in the plain way and has no problem,
 * as `decodeFully` does but without its parser, which is slow to start. Undefined for every other text: only
 * `decodeFully` can say what that means.
 *
 * @example
 * ```ts
 * const file = decodeFast('[[permissions.rules]]\npattern = "Bash:git *"\naction = "allow"\n');
 * file?.rules[0]?.pattern.value; // "Bash:git *"
 * decodeFast('permissions = "no table"'); // undefined
 * ```
 */
export function decodeFast(text: string): PolicyFile | undefined {
  return decodeCounted(text)?.file;
}

/** A file, and the number of its keys, values and tables. */
export interface CountedFile {
  readonly file: PolicyFile;
  /** The number that `countParts` gives for the text. */
  readonly parts: number;
}

/** As `decodeFast`, with the number of the file's parts. */
export function decodeCounted(text: string): CountedFile | undefined {
  const lines = PlainLines.of(text);
  const draft: Draft = { permissions: undefined, tools: new Map(), rules: [] };
  if (lines === undefined || !readLines(lines, draft)) return undefined;
  const file = fileOf(text, draft);
  return file && { file, parts: lines.parts };
}

interface TableDraft extends TomlTable {
  readonly members: Map<string, TomlMember>;
}

interface Draft {
  permissions: TableDraft | undefined;
  readonly tools: Map<string, TableDraft>;
  readonly rules: WrittenRule[];
}

type RuleDraft = { -readonly [K in keyof WrittenRule]?: WrittenRule[K] } & { readonly span: Span };

/** Takes all lines in; false for one that is not plain, and for a table or key that is repeated. One pass, one line at a time. */
function readLines(lines: PlainLines, draft: Draft): boolean {
  let rule: RuleDraft | undefined;
  let table: TableDraft | undefined;
  for (;;) {
    const short = lines.shortRule();
    const line = short === undefined ? lines.next() : "rules";
    switch (line) {
      case "blank":
        continue;
      case "pair":
        if (rule === undefined ? !addPair(table, lines) : !addToRule(rule, lines)) return false;
        continue;
      case undefined:
        return false;
    }
    if (rule !== undefined) {
      const whole = wholeRule(rule);
      if (whole === undefined) return false;
      draft.rules.push(whole);
    }
    if (line === "end") return true;
    if (line === "rules") {
      rule = short === undefined ? { span: lines.span() } : lastShort(short, { lines, draft });
      continue;
    }
    rule = undefined;
    table = tableAt(lines.span());
    if (line === "tool") {
      if (draft.tools.has(lines.name)) return false;
      draft.tools.set(lines.name, table);
    } else {
      if (draft.permissions !== undefined) return false;
      draft.permissions = table;
    }
  }
}

/** Takes in the short rules that follow another. Returns the last of them all, which may have more lines. */
function lastShort(
  first: WrittenRule,
  { lines, draft }: { readonly lines: PlainLines; readonly draft: Draft },
): WrittenRule {
  let last = first;
  for (let next = lines.shortRule(); next !== undefined; next = lines.shortRule()) {
    draft.rules.push(last);
    last = next;
  }
  return last;
}

function tableAt(span: Span): TableDraft {
  return { type: "table", form: "header", span, end: span.end, members: new Map() };
}

/** Adds a pair to a table; false above the first header, and for a key that is there already. */
function addPair(table: TableDraft | undefined, lines: PlainLines): boolean {
  const { name } = lines;
  if (table === undefined || table.members.has(name)) return false;
  table.members.set(name, { name, key: lines.span(), value: lines.value() });
  return true;
}

/** Adds a pair to a rule; false for one that the full decoder would report. */
function addToRule(rule: RuleDraft, lines: PlainLines): boolean {
  const { name, string } = lines;
  switch (name) {
    case "pattern":
    case "tool":
      if (rule.pattern !== undefined || string === undefined) return false;
      rule.pattern = { value: string, span: lines.valueSpan() };
      return true;
    case "action":
      if (rule.action !== undefined || !isAction(string)) return false;
      rule.action = string;
      return true;
    case "comment":
    case "reason":
      if (rule[name] !== undefined || string === undefined) return false;
      rule[name] = string;
      return true;
    case "expires_at":
      return addExpiry(rule, lines);
    case "match":
      return addExamples(rule, "match", lines);
    case "not_match":
      return addExamples(rule, "notMatch", lines);
    default:
      return false;
  }
}

function isAction(text: string | undefined): text is Action {
  return ACTIONS.some((action) => action === text);
}

function addExpiry(rule: RuleDraft, lines: PlainLines): boolean {
  const value = lines.value();
  const isDate = value.type === "date-time";
  if (rule.expiresAt !== undefined || !isDate && value.type !== "string") return false;
  const instant = isDate ? parseTomlInstant(value.value) : parseInstant(value.value);
  if (instant.ok) rule.expiresAt = instant.value;
  return instant.ok;
}

function addExamples(rule: RuleDraft, key: "match" | "notMatch", lines: PlainLines): boolean {
  const value = lines.value();
  if (rule[key] !== undefined || value.type !== "array") return false;
  rule[key] = value.elements.flatMap((each) =>
    each.type === "string" ? [{ value: each.value, span: each.span }] : []
  );
  return true;
}

/** The rule, with its members in the order of `decodeFully`; undefined without all that it needs, and for a reason that is no deny's. */
function wholeRule(draft: RuleDraft): WrittenRule | undefined {
  const { pattern, action, comment, reason, expiresAt, match, notMatch, span } = draft;
  if (pattern === undefined || action === undefined) return undefined;
  if (reason !== undefined && action !== "deny") return undefined;
  const isPlain = comment === undefined && expiresAt === undefined && match === undefined &&
    notMatch === undefined;
  if (isPlain && reason === undefined) return { pattern, action, span };
  const rule: Omit<RuleDraft, "span"> = { pattern, action };
  if (comment !== undefined) rule.comment = comment;
  if (reason !== undefined) rule.reason = reason;
  if (expiresAt !== undefined) rule.expiresAt = expiresAt;
  if (match !== undefined) rule.match = match;
  if (notMatch !== undefined) rule.notMatch = notMatch;
  return { ...rule, pattern, action, span };
}

/** The keys of `[permissions]` that cannot stand beside rules, and one whose reader no decision should load. */
const NOT_BESIDE_RULES: readonly string[] = [...BUCKETS, "rules"];
const TESTS = "tests";

const NOWHERE: Span = { start: 0, end: 0, line: 1, column: 1 };

/** The file of all tables; undefined if the full decoder would report a problem. */
function fileOf(text: string, { permissions, tools, rules }: Draft): PolicyFile | undefined {
  const beside = permissions?.members;
  if (beside?.has(TESTS)) return undefined;
  if (rules.length > 0 && NOT_BESIDE_RULES.some((key) => beside?.has(key))) return undefined;
  const members = new Map<string, TomlMember>();
  if (permissions !== undefined) {
    members.set("permissions", { name: "permissions", key: permissions.span, value: permissions });
  }
  const [tool] = tools.values();
  if (tool !== undefined) {
    const named = [...tools].map(([name, value]) =>
      [name, { name, key: value.span, value }] as const
    );
    const value: TomlTable = { ...tableAt(NOWHERE), form: "dotted", members: new Map(named) };
    members.set("tools", { name: "tools", key: tool.span, value });
  }
  const root: TomlTable = { ...tableAt(NOWHERE), form: "root", members };
  const file = decodeDocument({ text, root, comments: [], problems: [] });
  if (file.problems.length > 0) return undefined;
  return rules.length === 0 ? file : { ...file, shape: "canonical", rules };
}
