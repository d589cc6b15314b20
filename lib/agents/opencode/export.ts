import type { Action } from "../../model/call.ts";
import type { Loss } from "../../model/problem.ts";
import type { Glob } from "../../pattern/glob.ts";
import type { PathGlob } from "../../pattern/path/path_glob.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import { withoutBraces } from "../convert/gitignore_path.ts";
import { type CommandTest, editsFiles, lossOf, type Part, toolsOf } from "../convert/parts.ts";
import { beforeSpaceStar } from "../convert/patterns.ts";
import {
  compoundLosses,
  distinctLosses,
  dropped,
  firstMatchAction,
  inexact,
  partialEdit,
  type Rendered,
  startExport,
  wholeTool,
} from "../convert/rule_export.ts";
import { permissionOf, PERMISSIONS } from "./tools.ts";

/** Patterns of one permission with their actions, in the order of the policy. */
type Patterns = Map<string, Action>;

/** Writes `permission`. */
export function writeOpencode(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const { parts, losses } = startExport(rules, context);
  const actionOf = firstMatchAction(rules);
  const lists = new Map<string, Patterns>();
  const everything = parts.findIndex((part) => part.isGlob && part.tool === "*");
  for (const part of everything < 0 ? parts : parts.slice(0, everything)) {
    const names = part.isGlob ? globNames(part, { context, losses }) : [permissionOf(part.tool)];
    const { texts, losses: own } = renderOpencode(part, parts);
    losses.push(...own);
    const action = actionOf(part, own);
    for (const name of names) for (const pattern of texts) put(lists, { name, pattern, action });
  }
  const rest = parts[everything]?.rule.action ?? "ask";
  return { text: textOf(lists, rest), losses: distinctLosses(losses) };
}

/**
 * The text, written by hand: an object would put numeric keys first. The last match decides there, also among permissions,
 * so that those with wildcards stand in the reverse order too.
 */
function textOf(lists: ReadonlyMap<string, Patterns>, rest: Action): string {
  const named = [...lists].filter(([name]) => PERMISSIONS.includes(name));
  const others = [...lists].filter(([name]) => !PERMISSIONS.includes(name)).toReversed();
  const lines = [
    pair("*", rest, 4),
    ...others.flatMap(([name, patterns]) =>
      [...patterns.values()].map((action) => pair(name, action, 4))
    ),
    ...named.map(([name, patterns]) => {
      const reversed = [...patterns].toReversed();
      const whole = patterns.has("*") ? reversed : [["*", rest] as const, ...reversed];
      const inner = whole.map(([pattern, action]) => pair(pattern, action, 6)).join(",\n");
      return `    ${JSON.stringify(name)}: {\n${inner}\n    }`;
    }),
  ];
  const schema = '  "$schema": "https://opencode.ai/config.json",';
  return `{\n${schema}\n  "permission": {\n${lines.join(",\n")}\n  }\n}\n`;
}

function pair(key: string, action: Action, indent: number): string {
  return `${" ".repeat(indent)}${JSON.stringify(key)}: "${action}"`;
}

function put(
  lists: Map<string, Patterns>,
  { name, pattern, action }: { name: string; pattern: string; action: Action },
): void {
  const patterns = lists.get(name) ?? new Map<string, Action>();
  // Of two equal patterns the first decides, and an object has each once. Nothing reaches the patterns after "*".
  if (!patterns.has(pattern) && !patterns.has("*")) patterns.set(pattern, action);
  lists.set(name, patterns);
}

function globNames(
  part: Part,
  { context, losses }: { context: ExportContext; losses: Loss[] },
): readonly string[] {
  const server = /^mcp__([^*?_]+)__\*$/.exec(part.tool)?.[1];
  if (server !== undefined) return [`${server}_*`];
  const detail = "a wildcard in a tool's name covers known tools only";
  if (part.rule.action === "allow") {
    losses.push(lossOf(part, "dropped", detail));
    return [];
  }
  losses.push(lossOf(part, "widened", detail));
  return toolsOf(part, context.profiles).map(permissionOf);
}

/** The patterns of a part; `parts` are all of them. */
function renderOpencode(part: Part, parts: readonly Part[]): Rendered {
  const { specifier, rule: { action }, tool } = part;
  const isEdit = editsFiles(tool);
  const partial = partialEdit(part, { parts });
  if (partial !== undefined) return dropped(part, partial);
  if (specifier.kind === "any") {
    return isEdit && action !== "allow"
      ? orWholeTool(part, "there one permission is for all tools that edit")
      : { texts: ["*"], losses: [] };
  }
  if (specifier.kind === "fields") {
    return orWholeTool(part, "the format cannot express conditions on input fields");
  }
  if (!PERMISSIONS.includes(permissionOf(tool))) {
    return orWholeTool(part, `opencode does not know ${tool}`);
  }
  switch (specifier.test.kind) {
    case "command":
      return renderCommand(part, specifier.test);
    case "path":
      return renderPath(part, specifier.test.pattern);
    case "domain":
      return renderDomain(part, specifier.test.host);
    case "url":
    case "text":
      return orWholeTool(part, "opencode compares its pattern in another way");
  }
}

function orWholeTool(part: Part, detail: string): Rendered {
  return wholeTool(part, ["*"], detail);
}

const DIGITS = "a name of digits alone loses its place in an object";

function renderCommand(part: Part, { anchor, glob }: CommandTest): Rendered {
  const isAllow = part.rule.action === "allow";
  const text = wildText(glob);
  const isInexact = glob.some((token) => token.kind === "text" && /[*?\\]/.test(token.text));
  if (isInexact && isAllow) {
    return dropped(part, "it has a plain * ? or \\, which is a wildcard in opencode");
  }
  if (/^\d+$/.test(text)) return orWholeTool(part, DIGITS);
  const losses = [
    ...(isInexact
      ? [lossOf(part, "narrowed", "each plain * ? and \\ becomes ?, any character")]
      : []),
    ...compoundLosses(part, glob),
  ];
  if (anchor === "contains") return { texts: [`*${text}*`], losses };
  if (anchor === "prefix") return { texts: [`${text} *`], losses };
  // A final " *" is optional in opencode.
  const head = beforeSpaceStar(glob);
  return { texts: [head && isAllow ? `${wildText(head)} ?*` : text], losses };
}

function wildText(glob: Glob): string {
  return glob.map((token) => {
    switch (token.kind) {
      case "text":
        return token.text.replace(/[*?\\]/g, "?");
      case "star":
        return "*";
      case "anyChar":
        return "?";
    }
  }).join("");
}

function renderPath(part: Part, pattern: PathPattern): Rendered {
  const globs = withoutBraces(pattern.glob) ?? [];
  if (globs.length === 0) return orWholeTool(part, "it has too many alternatives");
  if (part.rule.action === "allow") {
    const exact = globs.map((glob) => exactText(glob, pattern.base));
    const isExact = ["workspace", "plain"].includes(pattern.base) &&
      exact.every((text) => text !== undefined && !/^\d+$/.test(text));
    if (isExact) return { texts: exact as readonly string[], losses: [] };
    return dropped(part, "opencode's * crosses folders, and it compares paths of the project only");
  }
  const texts = globs.map(pathText);
  if (texts.some((text) => /^\d+$/.test(text))) return orWholeTool(part, DIGITS);
  const found = pattern.base === "workspace" ? texts : texts.flatMap((text) => [text, `*/${text}`]);
  return inexact(part, {
    kind: "narrowed",
    texts: found.flatMap((text) => text.endsWith("*") ? [text] : [text, `${text}/*`]),
    detail: "opencode's * crosses folders, and the path may begin anywhere",
  });
}

/** A path without wildcards, or with ** at its end. */
function exactText(glob: PathGlob, base: PathPattern["base"]): string | undefined {
  const [first, last] = [glob[0], glob.at(-1)];
  if (glob.length === 1 && last?.kind === "globstar") return "*";
  if (first?.kind !== "text" || /[*?\\]/.test(first.text)) return undefined;
  if (glob.length === 1) {
    return base === "plain" && !first.text.includes("/") ? undefined : first.text;
  }
  return glob.length === 2 && last?.kind === "globstar" ? `${first.text}*` : undefined;
}

function pathText(glob: PathGlob): string {
  return glob.map((node) => {
    if (node.kind === "text") return node.text.replace(/[*?\\]/g, "?");
    return node.kind === "star" || node.kind === "globstar" ? "*" : "?";
  }).join("").replace(/^\*\//, "*").replaceAll("/*/", "/*").replace(/\*+/g, "*");
}

function renderDomain(part: Part, host: string): Rendered {
  const isAllow = part.rule.action === "allow";
  return inexact(part, {
    kind: "narrowed",
    texts: isAllow ? [`https://${host}/*`, `http://${host}/*`] : [`*${host}*`],
    detail: isAllow
      ? "the format cannot tell its subdomains from other hosts"
      : "it holds for every URL that contains the host's name",
  });
}
