import type { Action } from "../../model/call.ts";
import type { Loss } from "../../model/problem.ts";
import { type Glob, onlyText } from "../../pattern/glob.ts";
import type { PathGlob } from "../../pattern/path/path_glob.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";
import { tomlPair, tomlString } from "../../text/toml_text.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import { withoutBraces } from "../convert/gitignore_path.ts";
import {
  type CommandTest,
  commandTest,
  editsFiles,
  lossOf,
  type Part,
  pathOf,
} from "../convert/parts.ts";
import { beforeSpaceStar, escapeRegex } from "../convert/patterns.ts";
import { blockExport, firstMatchAction, startExport } from "../convert/rule_export.ts";
import { geminiTool } from "./tools.ts";

const DECISIONS: Readonly<Record<Action, string>> = {
  allow: "allow",
  deny: "deny",
  ask: "ask_user",
};

/** A tool, with a condition on its input where there is one. */
type ToolTest = readonly [tool: string, condition?: readonly [key: string, value: string]];

/** A part of a rule in Gemini CLI's form. */
interface RenderedTests {
  /** One of these must match; none where the part cannot be expressed. */
  readonly tests: readonly ToolTest[];
  readonly losses: readonly Loss[];
}

/** A part, rendered, with its action there. */
interface WrittenPart extends RenderedTests {
  readonly rule: FormatRule;
  readonly action: Action;
}

const HIGHEST = 999;

/** Writes `[[rule]]` tables. */
export function writeGemini(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const { parts, losses } = startExport(rules, context);
  const actionOf = firstMatchAction(rules);
  const written = parts.map((part): WrittenPart => {
    const rendered = renderGemini(part);
    losses.push(...rendered.losses);
    return { ...rendered, rule: part.rule, action: actionOf(part, rendered.losses) };
  }).filter(({ tests }) => tests.length > 0);
  const { tables, left } = tablesOf(written);
  const detail = "Gemini CLI has too few priorities for so many rules";
  losses.push(...left.map((rule) => lossOf({ rule }, "dropped", detail)));
  return blockExport(tables, { losses, between: "\n" });
}

/** The tables. Neighbouring rules of one action share a priority; each change of action takes the next one. */
function tablesOf(
  written: readonly WrittenPart[],
): { readonly tables: readonly string[]; readonly left: readonly FormatRule[] } {
  let priority = HIGHEST;
  let action: Action | undefined;
  const tables: string[] = [];
  const left: FormatRule[] = [];
  for (const each of written) {
    if (action !== undefined && each.action !== action) priority--;
    action = each.action;
    if (priority >= 0) tables.push(...each.tests.map((test) => tableOf(each, { test, priority })));
    else left.push(each.rule);
  }
  return { tables, left };
}

function tableOf(
  { rule, action }: WrittenPart,
  { test, priority }: { test: ToolTest; priority: number },
): string {
  const [tool, condition] = test;
  const isWhole = condition === undefined && ["run_shell_command", "*"].includes(tool);
  const message = action === "deny" && rule.reason !== undefined
    ? [tomlPair(["denyMessage", rule.reason])]
    : [];
  return [
    "[[rule]]",
    `toolName = ${tomlString(tool)}`,
    ...(condition === undefined ? [] : [tomlPair(condition)]),
    `decision = "${DECISIONS[action]}"`,
    `priority = ${priority}`,
    // A bare Bash includes redirections.
    ...(isWhole && action === "allow" ? ["allowRedirection = true"] : []),
    ...message,
    "",
  ].join("\n");
}

function renderGemini(part: Part): RenderedTests {
  const names = toolNames(part);
  const dropped = (detail: string) => ({ tests: [], losses: [lossOf(part, "dropped", detail)] });
  if (names.length === 0) return dropped("the format cannot express a wildcard in a tool's name");
  const bare = names.map((name) => [name] as const);
  if (part.specifier.kind === "any") return { tests: bare, losses: [] };
  const test = commandTest(part);
  if (test !== undefined && part.tool === "Bash") return renderCommand(part, test);
  const detail = "the format cannot express conditions on this tool's input";
  if (part.rule.action === "allow") return dropped(detail);
  const pattern = pathOf(part);
  if (pattern !== undefined) return renderPath(part, { pattern, names });
  return { tests: bare, losses: [lossOf(part, "narrowed", `${detail}, so it is the whole tool`)] };
}

/** The names of a part's tool. A deny or ask with a path on a tool that edits holds for all of them. */
function toolNames({ tool, rule, specifier }: Part): readonly string[] {
  if (editsFiles(tool) && rule.action !== "allow" && specifier.kind !== "any") {
    return ["write_file", "replace"];
  }
  const name = geminiTool(tool);
  return name === undefined ? [] : [name];
}

function renderCommand(part: Part, { anchor, glob }: CommandTest): RenderedTests {
  const isAllow = part.rule.action === "allow";
  const head = anchor === "whole" && !isAllow ? beforeSpaceStar(glob) : undefined;
  const prefix = onlyText(anchor === "prefix" ? glob : head ?? [{ kind: "star" }]);
  if (prefix !== undefined && !/\n|\s$|"/.test(prefix)) {
    return { tests: [["run_shell_command", ["commandPrefix", prefix]]], losses: [] };
  }
  const inner = glob.at(-1)?.kind === "star" ? glob.slice(0, -1) : glob;
  // At the end anything may follow; elsewhere a wildcard becomes an expression over the JSON text of the call.
  const isInexact = anchor === "contains" || inner.some(({ kind }) => kind !== "text");
  const losses = isInexact ? [lossOf(part, "narrowed", INEXACT[isAllow ? "allow" : "other"])] : [];
  const star = isAllow ? '[^"\\\\]*' : ".*";
  if (anchor === "prefix" || head) {
    const source = regexOf(head ?? glob, star);
    return { tests: [shellTest(`${source}"`), shellTest(`${source} `)], losses };
  }
  const isOpen = glob.at(-1)?.kind === "star";
  const start = anchor === "contains" ? star : "";
  const source = start + regexOf(isOpen ? inner : glob, star);
  // A quote stands for the end of the command.
  const end = isOpen || anchor === "contains" ? "" : '"';
  return { tests: [shellTest(`${source}${end}`)], losses };
}

const INEXACT = {
  allow: "in Gemini CLI its * matches no quote and no backslash",
  other: "in Gemini CLI its * can match other fields of the call",
} as const;

function shellTest(source: string): ToolTest {
  return ["run_shell_command", ["commandRegex", source]];
}

/** A glob as a regular expression over the text as JSON. */
function regexOf(glob: Glob, star: string): string {
  return glob.map((token) => {
    switch (token.kind) {
      case "text":
        return jsonRegex(token.text);
      case "star":
        return star;
      case "anyChar":
        return star === ".*" ? ".+" : '[^"\\\\]';
    }
  }).join("");
}

function jsonRegex(text: string): string {
  return escapeRegex(JSON.stringify(text).slice(1, -1));
}

function renderPath(
  part: Part,
  { pattern, names }: { pattern: PathPattern; names: readonly string[] },
): RenderedTests {
  const globs = withoutBraces(pattern.glob) ?? [[{ kind: "globstar" }] as const];
  const sources = globs.flatMap((glob) =>
    ['"', '"[^"]*/'].map((start) => `"file_path":${start}${pathRegex(glob)}["/]`)
  );
  const detail =
    "Gemini CLI compares a path as it is written, and does not resolve links and .. in it";
  return {
    tests: names.flatMap((name) =>
      sources.map((source) => [name, ["argsPattern", source]] as const)
    ),
    losses: [lossOf(part, "widened", detail)],
  };
}

/** A path as a regular expression. The next character ends the path, or leads below it. */
function pathRegex(glob: PathGlob): string {
  return glob.map((node, index) => {
    if (node.kind === "text") {
      // `**/x` includes x itself; the expression already allows anything before it.
      const isAfterGlobstar = index === 1 && glob[0]?.kind === "globstar";
      return jsonRegex(isAfterGlobstar ? node.text.replace(/^\//, "") : node.text);
    }
    return index === 0 && node.kind === "globstar" ? "" : '[^"]*';
  }).join("");
}
