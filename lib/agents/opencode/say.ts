import type { Loss } from "../../model/loss.ts";
import type { Glob } from "../../pattern/glob.ts";
import type { PathGlob } from "../../pattern/path/path_glob.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import { beforeSpaceStar } from "../convert/bash_pattern.ts";
import { withoutBraces } from "../convert/gitignore_path.ts";
import { editsFiles, lossOf, type Part } from "../convert/parts.ts";
import { allAllow } from "../convert/said.ts";

/** The permissions that are about tools which are known here. */
export const PERMISSIONS: readonly string[] = [
  "bash",
  "edit",
  "read",
  "webfetch",
  "websearch",
  "glob",
  "grep",
  "todowrite",
  "task",
  "skill",
];

const NAMES: ReadonlyMap<string, string> = new Map([
  ["Agent", "task"],
  ["Edit", "edit"],
  ["Write", "edit"],
  ["MultiEdit", "edit"],
  ["NotebookEdit", "edit"],
  ["AskUserQuestion", "question"],
]);

/** What a tool's permission is called. */
export function permissionOf(tool: string): string {
  const mcp = /^mcp__([^_].*?)__(.+)$/.exec(tool);
  if (mcp) return `${mcp[1]}_${mcp[2]}`;
  return NAMES.get(tool) ?? (PERMISSIONS.includes(tool.toLowerCase()) ? tool.toLowerCase() : tool);
}

/** What a part is in opencode's words. */
interface Said {
  /** Patterns of its permission; none where it cannot be said. */
  readonly patterns: readonly string[];
  /** What that costs. */
  readonly losses: readonly Loss[];
}

/** The patterns for a part; `parts` are all of them. */
export function sayOpencode(part: Part, parts: readonly Part[]): Said {
  const { spec: specifier, rule: { action } } = part;
  if (
    action === "allow" && editsFiles(part.tool) && !part.isGlob &&
    !allAllow(part, { parts, tools: ["Edit", "Write"] })
  ) {
    return {
      patterns: [],
      losses: [
        lossOf(
          part,
          "dropped",
          "there one permission is for Edit and Write, and not both are allowed that",
        ),
      ],
    };
  }
  if (specifier.kind === "any" && editsFiles(part.tool) && action !== "allow") {
    return unsaid(part, "there one permission is for all tools that edit");
  }
  if (specifier.kind === "any") return { patterns: ["*"], losses: [] };
  if (specifier.kind === "fields") {
    return unsaid(part, "conditions on fields of the input cannot be written");
  }
  switch (specifier.test.kind) {
    case "command":
      return part.tool === "Bash"
        ? sayCommand(part, specifier.test)
        : unsaid(part, `${part.tool} is not known there`);
    case "path":
      return sayPath(part, specifier.test.pattern);
    case "domain":
      return sayDomain(part, specifier.test.host);
    case "url":
    case "text":
      return unsaid(part, "its pattern is compared in another way there");
  }
}

function unsaid(part: Part, detail: string): Said {
  if (part.rule.action === "allow") {
    return { patterns: [], losses: [lossOf(part, "dropped", detail)] };
  }
  return {
    patterns: ["*"],
    losses: [lossOf(part, "narrowed", `${detail}, so it is the whole tool`)],
  };
}

type CommandTest = Extract<ValueTest, { kind: "command" }>;

function sayCommand(part: Part, { anchor, glob }: CommandTest): Said {
  const wide = part.rule.action !== "allow";
  const odd = glob.some((token) => token.kind === "text" && /[*?\\]/.test(token.text));
  if (odd && !wide) {
    return unsaid(part, "it has * ? or \\ as plain characters, which are wildcards there");
  }
  if (/^\d+$/.test(wildText(glob))) {
    return unsaid(part, "a name of digits alone loses its place there");
  }
  const losses = odd ? [lossOf(part, "narrowed", "its * ? and \\ are any characters there")] : [];
  const text = wildText(glob);
  if (/[;&|<>\n(){}]/.test(text) && wide) {
    losses.push(
      lossOf(
        part,
        "widened",
        "it speaks of more than one command, and is asked about one at a time there",
      ),
    );
  }
  if (anchor === "contains") return { patterns: [`*${text}*`], losses };
  if (anchor === "prefix") return { patterns: [`${text} *`], losses };
  // A final " *" is optional there.
  const head = beforeSpaceStar(glob);
  if (head === undefined) return { patterns: [text], losses };
  return { patterns: [wide ? text : `${wildText(head)} ?*`], losses };
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

function sayPath(part: Part, pattern: PathPattern): Said {
  const wide = part.rule.action !== "allow";
  const globs = withoutBraces(pattern.glob) ?? [];
  if (globs.length === 0) return unsaid(part, "it has too many alternatives");
  if (wide) {
    const texts = globs.map(pathText);
    if (texts.some((text) => /^\d+$/.test(text))) {
      return unsaid(part, "a name of digits alone loses its place there");
    }
    const found = pattern.base === "workspace"
      ? texts
      : texts.flatMap((text) => [text, `*/${text}`]);
    const detail = "a * crosses folders there, and a path begins anywhere";
    return {
      patterns: found.flatMap((text) => text.endsWith("*") ? [text] : [text, `${text}/*`]),
      losses: [lossOf(part, "narrowed", detail)],
    };
  }
  const exact = globs.map((glob) => exactText(glob, pattern.base));
  if (
    exact.some((text) => text === undefined || /^\d+$/.test(text)) ||
    !["workspace", "plain"].includes(pattern.base)
  ) {
    return unsaid(part, "a * crosses folders there, and only paths of the project are compared");
  }
  return { patterns: exact as readonly string[], losses: [] };
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

function sayDomain(part: Part, host: string): Said {
  if (part.rule.action === "allow") {
    return {
      patterns: [`https://${host}/*`, `http://${host}/*`],
      losses: [lossOf(part, "narrowed", "its subdomains cannot be told from other hosts there")],
    };
  }
  return {
    patterns: [`*${host}*`],
    losses: [lossOf(part, "narrowed", "it holds wherever the host's name stands in a URL there")],
  };
}
