import { type Action, strictness } from "../../model/action.ts";
import type { Loss } from "../../model/loss.ts";
import type { FormatRule, FormatWriting, WriteContext } from "../convert/format.ts";
import { orderLosses } from "../convert/order_losses.ts";
import { lossOf, type Part, partsOf } from "../convert/parts.ts";
import { distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";
import { sayClaude } from "../claude/say.ts";
import { EDIT_TOOLS } from "../convert/tool_pattern.ts";

/** Writes `permission`, in the words that rulesync reads for Claude Code. */
export function writeRulesync(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const { parts, losses } = partsOf(rules, context.profiles);
  const all: Loss[] = [...losses, ...settingsLosses(context.settings)];
  all.push(...orderLosses(rules, { context, agent: "the strictest of its agents" }));
  const lists = new Map<string, Map<string, Action>>();
  for (const part of parts) {
    const said = sayClaude(part, { parts, profiles: context.profiles });
    all.push(...said.losses);
    for (const text of said.texts) {
      const [, tool = "", content = "*"] = /^([^(]+)(?:\((.*)\))?$/s.exec(text) ?? [];
      // With a path, Edit is every tool that edits.
      const tools = tool === "Edit" && text !== tool ? EDIT_TOOLS : [tool];
      for (const each of tools) {
        all.push(...put(lists, { part, category: categoryOf(each), content }));
      }
    }
  }
  return { text: textOf(lists), losses: distinctLosses(all) };
}

/** Adds a pattern to a category. Two rules of one pattern: the first decides. */
function put(
  lists: Map<string, Map<string, Action>>,
  { part, category, content }: { part: Part; category: string; content: string },
): readonly Loss[] {
  const patterns = lists.get(category) ?? new Map<string, Action>();
  lists.set(category, patterns);
  const pattern = patternOf(category, content);
  const { action } = part.rule;
  const stands = patterns.get(pattern);
  if (stands !== undefined && stands !== action) {
    // The lists of Claude Code would hold both, and the strictest would decide.
    if (strictness(stands) < strictness(action)) patterns.set(pattern, action);
    return [];
  }
  patterns.set(pattern, action);
  if (!content.endsWith(":*") || action !== "allow") return [];
  return [
    lossOf(part, "narrowed", "whether the command alone is meant there depends on the agent"),
  ];
}

function categoryOf(tool: string): string {
  return tool.startsWith("mcp__") ? tool : tool.toLowerCase();
}

const FILES = ["read", "edit", "write", "notebookedit"];

/** Its paths begin at the file system's root or in the project; a command's prefix has no form of its own. */
function patternOf(category: string, content: string): string {
  if (category === "bash") return content.replace(/:\*$/, " *");
  if (!FILES.includes(category)) return content;
  return content.startsWith("//") ? content.slice(1) : content.replace(/^\//, "./");
}

function textOf(lists: ReadonlyMap<string, ReadonlyMap<string, Action>>): string {
  const blocks = [...lists].map(([category, patterns]) => {
    const lines = [...patterns].map(([pattern, action]) =>
      `      ${JSON.stringify(pattern)}: "${action}"`
    );
    return `    ${JSON.stringify(category)}: {\n${lines.join(",\n")}\n    }`;
  });
  return `{\n  "permission": {\n${blocks.join(",\n")}\n  }\n}\n`;
}
