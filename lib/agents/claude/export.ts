import { ACTIONS, type ModeName } from "../../model/call.ts";
import type { Loss } from "../../model/problem.ts";
import { type Glob, onlyText } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/parse_pattern.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import { writeGitignorePath } from "../convert/gitignore_path.ts";
import { type CommandTest, editsFiles, lossOf, type Part, toolsOf } from "../convert/parts.ts";
import { ALL_EDIT_TOOLS, beforeSpaceStar, EDIT_TOOLS } from "../convert/patterns.ts";
import {
  compoundLosses,
  dropped,
  inexact,
  jsonExport,
  literals,
  partialEdit,
  type Rendered,
  startExport,
  wholeTool,
} from "../convert/rule_export.ts";

/** The agent that an export is for. */
interface ClaudeTarget {
  readonly context: ExportContext;
  /** Its name in losses. */
  readonly agent: string;
}

/** The modes of the same name, each with the additional calls that the agent allows in it. */
const MODES: ReadonlyMap<ModeName, string | undefined> = new Map([
  ["default", undefined],
  ["acceptEdits", "the agent also allows mkdir, touch, mv and the like in the project"],
  ["plan", "the agent may ask about a command, and runs one that only reads"],
  ["auto", "the agent classifies calls in another way than caliban"],
]);

/** Writes `permissions` with `deny`, `ask` and `allow` lists. */
export function writePermissionLists(
  rules: readonly FormatRule[],
  { context, agent }: ClaudeTarget,
): ExportResult {
  const mode = context.settings.defaultMode?.value;
  const keepsMode = mode !== undefined && MODES.has(mode);
  const { parts, losses } = startExport(rules, context, {
    strictestIn: agent,
    keptSettings: keepsMode ? ["default_mode"] : [],
  });
  const lists = ACTIONS.map((action) => {
    const rendered = parts.filter(({ rule }) => rule.action === action)
      .map((part) => renderClaude(part, { parts, profiles: context.profiles }));
    losses.push(...rendered.flatMap((each) => each.losses));
    return [action, [...new Set(rendered.flatMap((each) => each.texts))]] as const;
  });
  const looser = mode && MODES.get(mode);
  if (looser !== undefined) {
    losses.push({ kind: "widened", subject: `default_mode = "${mode}"`, detail: looser });
  }
  const permissions = Object.fromEntries([
    ...(keepsMode ? [["defaultMode", mode] as const] : []),
    ...lists.filter(([, texts]) => texts.length > 0),
  ]);
  return jsonExport({ permissions }, losses);
}

interface RenderContext {
  readonly parts: readonly Part[];
  readonly profiles: ToolProfiles;
}

/** A part of a rule in Claude Code's form. */
export function renderClaude(part: Part, context: RenderContext): Rendered {
  if (part.isGlob) return renderTools(part, context);
  const { specifier, tool } = part;
  if (specifier.kind === "any") return { texts: [tool], losses: [] };
  if (specifier.kind === "fields") {
    return orWholeTool(part, "the format cannot express conditions on input fields");
  }
  switch (specifier.test.kind) {
    case "command":
      return tool === "Bash"
        ? renderCommand(part, specifier.test)
        : orWholeTool(part, `the agent does not know ${tool}`);
    case "path":
      return renderPath(part, { pattern: specifier.test.pattern, parts: context.parts });
    case "domain":
    case "url":
      return renderUrl(part, specifier.test);
    case "text":
      return orWholeTool(part, `the format cannot express the input of ${tool}`);
  }
}

function orWholeTool(part: Part, detail: string): Rendered {
  return wholeTool(part, editsFiles(part.tool) ? ALL_EDIT_TOOLS : [part.tool], detail);
}

function renderTools(part: Part, { profiles }: RenderContext): Rendered {
  const { tool, rule } = part;
  if (/^mcp__[^*?]+__\*$/.test(tool) || tool === "mcp__*" && rule.action !== "allow") {
    return { texts: [tool], losses: [] };
  }
  const detail = "the format cannot express a wildcard in a tool's name";
  if (rule.action === "allow") return dropped(part, detail);
  const servers = tool === "*" ? ["mcp__*", "Agent", "Skill"] : [];
  return inexact(part, {
    kind: "widened",
    texts: [...new Set([...toolsOf(part, profiles), ...servers])],
    detail: `${detail}: it covers known tools only`,
  });
}

function renderCommand(part: Part, { anchor, glob }: CommandTest): Rendered {
  const isAllow = part.rule.action === "allow";
  const isInexact = glob.some(({ kind }) => kind === "anyChar") || /[*\\]/.test(literals(glob));
  if (isInexact && isAllow) {
    return dropped(part, "the format cannot express its ? or escape");
  }
  const text = wildText(glob);
  const losses = [
    ...(isInexact ? [lossOf(part, "narrowed", "each ? and escape becomes *, any characters")] : []),
    ...compoundLosses(part, glob),
  ];
  if (anchor === "contains") return { texts: [`Bash(*${text}*)`], losses };
  if (anchor === "whole") return renderWhole(part, { glob, losses });
  if (onlyText(glob) !== undefined && !text.includes("*")) {
    return { texts: [`Bash(${text}:*)`], losses };
  }
  // The prefix form is not documented after a wildcard, and " *" does not match the command alone.
  return { texts: [`Bash(${text})`, `Bash(${text} *)`], losses };
}

/** A glob over a whole command. In Claude Code a lone " *" at its end matches the command alone too. */
function renderWhole(
  part: Part,
  { glob, losses }: { glob: Glob; losses: readonly Loss[] },
): Rendered {
  const isAllow = part.rule.action === "allow";
  const text = wildText(glob);
  const head = beforeSpaceStar(glob);
  const stars = text.split("*").length - 1;
  if (head !== undefined && stars === 1) {
    const prefix = `Bash(${wildText(head)}:*)`;
    if (!isAllow) return { texts: [prefix], losses };
    return dropped(part, `there " *" matches the command alone too; write ${prefix} to mean that`);
  }
  if (head !== undefined && !isAllow) {
    return { texts: [`Bash(${wildText(head)})`, `Bash(${text})`], losses };
  }
  if (text.endsWith(":*") || /^\s|\s$/.test(text)) {
    return orWholeTool(part, "its end has another meaning in the format");
  }
  return { texts: [`Bash(${text})`], losses };
}

/** The glob with `*` for everything that is not plain text. */
export function wildText(glob: Glob): string {
  const texts = glob.map((token) =>
    token.kind === "text" ? token.text.replace(/[*\\]/g, "*") : "*"
  );
  return texts.join("").replace(/\*+/g, "*");
}

function renderPath(
  part: Part,
  { pattern, parts }: { pattern: PathPattern; parts: readonly Part[] },
): Rendered {
  const { tool, rule: { action } } = part;
  const isEdit = editsFiles(tool);
  if (!isEdit && tool !== "Read") {
    return orWholeTool(part, `the format cannot express paths of ${tool}`);
  }
  const partial = partialEdit(part, { parts, tools: EDIT_TOOLS });
  if (partial !== undefined) return dropped(part, partial);
  const written = writeGitignorePath(pattern, action === "allow" ? "must" : "may");
  const { texts, narrowed, widened } = written;
  if (texts.length === 0) {
    return orWholeTool(part, narrowed ?? widened ?? "the format cannot express its path");
  }
  return {
    texts: texts.map((text) => `${isEdit ? "Edit" : "Read"}(${text})`),
    losses: [
      ...(narrowed === undefined ? [] : [lossOf(part, "narrowed", narrowed)]),
      ...(widened === undefined ? [] : [lossOf(part, "widened", widened)]),
    ],
  };
}

function renderUrl(part: Part, test: Extract<ValueTest, { kind: "domain" | "url" }>): Rendered {
  const { tool, rule } = part;
  if (tool !== "WebFetch") return orWholeTool(part, `the format cannot express URLs of ${tool}`);
  if (test.kind === "url") {
    return orWholeTool(part, "the format can express only the host of a URL");
  }
  const host = `WebFetch(domain:${test.host})`;
  if (rule.action === "allow") {
    const detail = "the agent may not count its subdomains";
    return inexact(part, { kind: "narrowed", texts: [host], detail });
  }
  return inexact(part, {
    kind: "widened",
    texts: [host, `WebFetch(domain:*.${test.host})`],
    detail: "the agent may ignore the entry for its subdomains",
  });
}
