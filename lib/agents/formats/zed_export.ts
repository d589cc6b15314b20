import { type Action, strictness } from "../../model/call.ts";
import type { Loss } from "../../model/problem.ts";
import { commandRegex } from "../convert/command_regex.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import { commandTest, editsFiles, lossOf, type Part, toolsOf } from "../convert/parts.ts";
import { compoundLosses, jsonExport, partialEdit, startExport } from "../convert/rule_export.ts";

/** The lists of a tool, the strictest first. */
export const LISTS = [
  ["always_deny", "deny"],
  ["always_confirm", "ask"],
  ["always_allow", "allow"],
] as const;

/** Our names of its tools without conditions of ours. */
export const OTHER_TOOLS: ReadonlyMap<string, string> = new Map([
  ["fetch", "WebFetch"],
  ["web_search", "WebSearch"],
]);

/** The patterns of each of its tools, with their actions, and the defaults of servers' tools. */
interface Written {
  readonly patterns: Map<string, Map<string, Action>>;
  readonly defaults: Map<string, Action>;
  readonly losses: Loss[];
}

/** Writes `agent.tool_permissions`. */
export function writeZed(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const { parts, losses } = startExport(rules, context, { strictestIn: "Zed" });
  const written: Written = { patterns: new Map(), defaults: new Map(), losses };
  for (const part of parts) {
    if (part.isGlob) writeGlob(part, { context, written });
    else writePart(part, { parts, written });
  }
  const patterns = [...written.patterns].map(([tool, entries]) => [tool, listsOf(entries)]);
  const defaults = [...written.defaults].map(([tool, action]) => [tool, {
    default: action === "ask" ? "confirm" : action,
  }]);
  const tools = Object.fromEntries([...patterns, ...defaults]);
  return jsonExport({ agent: { tool_permissions: { default: "confirm", tools } } }, losses);
}

function listsOf(entries: ReadonlyMap<string, Action>): object {
  return Object.fromEntries(LISTS.flatMap(([name, action]) => {
    const list = [...entries].filter(([, own]) => own === action)
      .map(([pattern]) => ({ pattern, case_sensitive: true }));
    return list.length === 0 ? [] : [[name, list]];
  }));
}

/** Adds a pattern. Of two actions the stricter stays. */
function put(
  { patterns }: Written,
  { tool, pattern, action }: { tool: string; pattern: string; action: Action },
): void {
  const entries = patterns.get(tool) ?? new Map<string, Action>();
  patterns.set(tool, entries);
  const stands = entries.get(pattern);
  if (stands === undefined || strictness(stands) < strictness(action)) entries.set(pattern, action);
}

/** The expression that matches everything. */
const ALL = "^";

function writeGlob(
  part: Part,
  { context, written }: { readonly context: ExportContext; readonly written: Written },
): void {
  const { losses } = written;
  const { action } = part.rule;
  const detail = "the format has no wildcard in a tool's name";
  if (action === "allow") return void losses.push(lossOf(part, "dropped", detail));
  losses.push(lossOf(part, "widened", `${detail}: it covers known tools only`));
  const names = toolsOf(part, context.profiles).flatMap((name) => zedTool(name) ?? []);
  for (const tool of new Set(names)) put(written, { tool, pattern: ALL, action });
}

/** Its name of our tool; undefined where it has none. */
function zedTool(tool: string): string | undefined {
  if (tool === "Bash") return "terminal";
  if (editsFiles(tool)) return "edit_file";
  return [...OTHER_TOOLS].find(([, ours]) => ours === tool)?.[0];
}

function writePart(
  part: Part,
  { parts, written }: { readonly parts: readonly Part[]; readonly written: Written },
): void {
  const { losses } = written;
  const { action } = part.rule;
  const [, server, name] = /^mcp__([A-Za-z\d.-]+)__([\w.-]+)$/.exec(part.tool) ?? [];
  const lose = (kind: Loss["kind"], detail: string) => void losses.push(lossOf(part, kind, detail));
  if (server !== undefined) {
    if (part.specifier.kind !== "any" && action === "allow") return lose("dropped", NO_FIELDS);
    if (part.specifier.kind !== "any") lose("narrowed", NO_FIELDS);
    const key = `mcp:${server}:${name}`;
    const stands = written.defaults.get(key);
    if (stands === undefined || strictness(stands) < strictness(action)) {
      written.defaults.set(key, action);
    }
    return;
  }
  const tool = zedTool(part.tool);
  if (tool === undefined) return lose("dropped", "Zed asks about no such tool");
  const partial = partialEdit(part, { parts });
  if (partial !== undefined) return lose("dropped", partial);
  const pattern = expressionOf(part);
  if (pattern === undefined && action === "allow") return lose("dropped", NO_FIELDS);
  if (pattern === undefined) lose("narrowed", `${NO_FIELDS}, so it is the whole tool`);
  const test = commandTest(part);
  if (test !== undefined) losses.push(...compoundLosses(part, test.glob));
  put(written, { tool, pattern: pattern ?? ALL, action });
}

const NO_FIELDS = "the format cannot express its condition";

/** The expression of a part; undefined where there is none. */
function expressionOf(part: Part): string | undefined {
  if (part.specifier.kind === "any") return ALL;
  const test = part.tool === "Bash" ? commandTest(part) : undefined;
  if (test === undefined) return undefined;
  return commandRegex(test, part);
}
