import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { tomlString } from "../../text/toml_text.ts";
import { wildText } from "../claude/export.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import {
  type CommandTest,
  commandTest,
  editsFiles,
  lossOf,
  type Part,
  pathOf,
  toolsOf,
} from "../convert/parts.ts";
import { ALL_EDIT_TOOLS, beforeSpaceStar } from "../convert/patterns.ts";
import {
  blockExport,
  dropped,
  firstMatchAction,
  inexact,
  type Rendered,
  startExport,
  wholeTool,
} from "../convert/rule_export.ts";

/** Writes `[[permission.rules]]` tables. */
export function writeKimi(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const { parts, losses } = startExport(rules, context);
  const actionOf = firstMatchAction(rules);
  const tables = parts.flatMap((part) => {
    const { texts, losses: own } = renderKimi(part, context.profiles);
    losses.push(...own);
    const action = actionOf(part, own);
    const why = part.rule.reason ?? part.rule.comment;
    const reason = why === undefined ? "" : `reason = ${tomlString(why)}\n`;
    return texts.map((text) =>
      `[[permission.rules]]\ndecision = "${action}"\npattern = ${tomlString(text)}\n${reason}`
    );
  });
  return blockExport(tables, { losses, between: "\n" });
}

/** A part of a rule in Kimi Code's form, which robota shares. */
export function renderKimi(part: Part, profiles: ToolProfiles): Rendered {
  const { specifier, tool } = part;
  if (part.isGlob) {
    if (tool.startsWith("mcp__")) return { texts: [tool], losses: [] };
    const detail = "the format cannot express a wildcard in a tool's name";
    if (part.rule.action === "allow") return dropped(part, detail);
    const texts = [...toolsOf(part, profiles), "mcp__*"];
    return inexact(part, {
      kind: "widened",
      texts,
      detail: `${detail}: it covers known tools only`,
    });
  }
  if (specifier.kind === "any") return { texts: [tool], losses: [] };
  const test = commandTest(part);
  if (test !== undefined && tool === "Bash") return renderCommand(part, test);
  const texts = editsFiles(tool) ? ALL_EDIT_TOOLS : [tool];
  const whole = wholeTool(part, texts, "it is not certain how the agent compares its input");
  if (part.rule.action === "allow" || pathOf(part) === undefined) return whole;
  const detail =
    "the agent does not apply it to other tools on the same files, nor to commands that name them";
  return { ...whole, losses: [...whole.losses, lossOf(part, "widened", detail)] };
}

function renderCommand(part: Part, test: CommandTest): Rendered {
  const { anchor, glob } = test;
  const isInexact = glob.some((token) =>
    token.kind === "anyChar" || token.kind === "text" && /[*?[\]{}\\]/.test(token.text)
  );
  const text = wildText(glob).replace(/[?[\]{}\\]/g, "*");
  if (part.rule.action === "allow") {
    return isInexact
      ? dropped(part, "the meaning of its special characters there is not certain")
      : renderAllow(part, { test, text });
  }
  const narrowed = isInexact
    ? [lossOf(part, "narrowed", "each of its special characters becomes *, any characters")]
    : [];
  if (anchor === "contains") return { texts: [`Bash(*${text}*)`], losses: narrowed };
  const detail = "the agent compares a line as one text, so the rule matches only at its beginning";
  const losses = [...narrowed, lossOf(part, "widened", detail)];
  const before = beforeSpaceStar(glob);
  const head = anchor === "prefix" ? text : before && wildText(before);
  const texts = head ? [`Bash(${head})`, `Bash(${head} *)`] : [`Bash(${text})`];
  return { texts, losses };
}

/** An allow. A line is one text there, so that a final * would allow any second command. */
function renderAllow(
  part: Part,
  { test: { anchor, glob }, text }: { test: CommandTest; text: string },
): Rendered {
  const isOpen = anchor !== "whole" || glob.some(({ kind }) => kind !== "text");
  if (!isOpen) return { texts: [`Bash(${text})`], losses: [] };
  const detail = "the agent compares a line as one text, so a * would allow a second command";
  if (anchor !== "prefix") return dropped(part, detail);
  return inexact(part, { kind: "narrowed", texts: [`Bash(${text})`], detail });
}
