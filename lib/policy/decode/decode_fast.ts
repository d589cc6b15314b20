import { parse, TomlDate, TomlError } from "smol-toml";
import type { Span } from "../../model/problem.ts";
import type { PolicyFile } from "../../model/rule.ts";
import { decodeDocument } from "./decode_document.ts";
import type { ScannedFile, ScannedPair, ScannedTable } from "./decode_fast_scan.ts";
import { scanList, scanTables } from "./decode_fast_scan.ts";
import type { TomlMember, TomlNode, TomlTable } from "../../text/toml_node.ts";

/**
 * Reads the text of a permissions.toml, without its byte order mark, that is written in the plain way and has no problem,
 * as `decodePolicy` does but without its parser, which is slow to start. Undefined for every other text: only
 * `decodePolicy` can say what that means.
 *
 * INVARIANT: where all stands is the word of the scan, and what it says that of the parser. A line that the scan does not
 * know, and a key or value that only one of the two has, makes it undefined.
 *
 * @example
 * ```ts
 * const file = decodeFast('[[permissions.rules]]\npattern = "Bash:git *"\naction = "allow"\n');
 * file?.rules[0]?.pattern.value; // "Bash:git *"
 * decodeFast('permissions = "no table"'); // undefined
 * ```
 */
export function decodeFast(text: string): PolicyFile | undefined {
  const scanned = scanTables(text);
  // A decision should not load the reader of tests.
  if (scanned?.permissions?.pairs.has("tests")) return undefined;
  const root = scanned && readRoot(text, scanned);
  if (root === undefined) return undefined;
  const file = decodeDocument({ text, root, comments: [], problems: [] });
  return file.problems.length === 0 ? file : undefined;
}

/** The scan and the parser found different tables. */
class Disagreement extends Error {}

function readRoot(text: string, scanned: ScannedFile): TomlTable | undefined {
  try {
    return rootOf(scanned, parse(text));
  } catch (error) {
    if (error instanceof TomlError || error instanceof Disagreement) return undefined;
    throw error;
  }
}

type Values = Readonly<Record<string, unknown>>;

type Members = Map<string, TomlMember>;

const NOWHERE: Span = { start: 0, end: 0, line: 1, column: 1 };

function rootOf(scanned: ScannedFile, values: Values): TomlTable {
  const { permissions, rules, tools } = scanned;
  const members: Members = new Map();
  const first = permissions ?? rules[0];
  if (first !== undefined) {
    const value = permissionsOf(scanned, recordOf(values["permissions"]));
    members.set("permissions", { name: "permissions", key: first.span, value });
  }
  const [tool] = tools.values();
  if (tool !== undefined) {
    const value = toolsOf(tools, recordOf(values["tools"]));
    members.set("tools", { name: "tools", key: tool.span, value });
  }
  return tableOf({ form: "root", span: NOWHERE, members }, values);
}

function permissionsOf({ permissions, rules }: ScannedFile, values: Values): TomlTable {
  const members: Members = permissions ? pairsOf(permissions, values) : new Map();
  const [first] = rules;
  if (first !== undefined) {
    const found = values["rules"];
    if (!Array.isArray(found) || found.length !== rules.length) throw new Disagreement();
    const items = rules.map((rule, index) => headerTable(rule, recordOf(found[index])));
    const value: TomlNode = { type: "array", form: "tables", span: first.span, elements: items };
    members.set("rules", { name: "rules", key: first.span, value });
  }
  const span = permissions?.span ?? NOWHERE;
  return tableOf({ form: permissions ? "header" : "dotted", span, members }, values);
}

function toolsOf(tools: ScannedFile["tools"], values: Values): TomlTable {
  const members: Members = new Map();
  for (const [name, tool] of tools) {
    const value = headerTable(tool, recordOf(ownValue(values, name)));
    members.set(name, { name, key: tool.span, value });
  }
  return tableOf({ form: "dotted", span: NOWHERE, members }, values);
}

function headerTable(scanned: ScannedTable, values: Values): TomlTable {
  const { span } = scanned;
  return tableOf({ form: "header", span, members: pairsOf(scanned, values) }, values);
}

/** The table; throws Disagreement unless the parser found as many members. */
function tableOf(
  { form, span, members }: Pick<TomlTable, "form" | "span" | "members">,
  values: Values,
): TomlTable {
  if (Object.keys(values).length !== members.size) throw new Disagreement();
  return { type: "table", form, span, end: span.end, members };
}

function pairsOf(scanned: ScannedTable, values: Values): Members {
  const members: Members = new Map();
  for (const [name, pair] of scanned.pairs) {
    members.set(name, { name, key: pair.key, value: valueOf(pair, ownValue(values, name)) });
  }
  return members;
}

function valueOf(pair: ScannedPair, value: unknown): TomlNode {
  const { raw, span } = pair;
  if (typeof value === "string") return { type: "string", span, value };
  if (typeof value === "boolean") return { type: "boolean", span, value };
  if (value instanceof TomlDate) return { type: "date-time", span, zone: "offset", value: raw };
  if (Array.isArray(value) && raw.startsWith("[")) return listOf(pair, value);
  throw new Disagreement();
}

function listOf(pair: ScannedPair, values: readonly unknown[]): TomlNode {
  const spans = scanList(pair);
  if (spans.length !== values.length) throw new Disagreement();
  const items = spans.map((span, index): TomlNode => {
    const value = values[index];
    if (typeof value !== "string") throw new Disagreement();
    return { type: "string", span, value };
  });
  return { type: "array", form: "inline", span: pair.span, elements: items };
}

function recordOf(value: unknown): Values {
  if (typeof value !== "object" || value === null) throw new Disagreement();
  return value as Values;
}

function ownValue(values: Values, key: string): unknown {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}
