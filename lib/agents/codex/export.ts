import { type Action, ACTIONS } from "../../model/call.ts";
import { literalHead, onlyText } from "../../pattern/glob.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import { type CommandTest, commandTest, lossOf, type Part } from "../convert/parts.ts";
import { beforeSpaceStar } from "../convert/patterns.ts";
import { blockExport, dropped, type Rendered, startExport } from "../convert/rule_export.ts";

const DECISIONS: Readonly<Record<Action, string>> = {
  allow: "allow",
  ask: "prompt",
  deny: "forbidden",
};

/** Writes `prefix_rule(…)` calls. */
export function writeCodex(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const { parts, losses } = startExport(rules, context, { strictestIn: "Codex" });
  const lines = ACTIONS.flatMap((action) =>
    parts.filter(({ rule }) => rule.action === action).flatMap((part) => {
      const { texts, losses: own } = renderWords(part);
      losses.push(...own);
      return texts.length === 0 ? [] : [lineFor(part.rule, texts)];
    })
  );
  return blockExport([...new Set(lines)], { losses });
}

/** The words at the beginning of a command. */
function renderWords(part: Part): Rendered {
  if (part.isGlob || part.tool !== "Bash") {
    return dropped(part, "Codex has rules for shell commands only");
  }
  const test = commandTest(part);
  if (test === undefined) {
    return dropped(part, "Codex compares only the words at the beginning of a command");
  }
  return part.rule.action === "allow" ? renderAllow(part, test) : renderStricter(part, test);
}

function renderAllow(part: Part, { anchor, glob }: CommandTest): Rendered {
  const text = onlyText(glob);
  const words = text === undefined ? undefined : plainWords(text);
  if (anchor === "prefix" && words) return { texts: words, losses: [] };
  const head = anchor === "whole" ? beforeSpaceStar(glob) : undefined;
  const fixed = head && onlyText(head);
  const better = fixed === undefined
    ? ""
    : `; write Bash(${fixed}:*) if the command alone may run too`;
  return dropped(part, `a rule of Codex matches a command with any arguments or none${better}`);
}

function renderStricter(part: Part, { anchor, glob }: CommandTest): Rendered {
  if (anchor === "contains") return dropped(part, "Codex compares only the beginning of a command");
  const whole = anchor === "prefix" ? glob : beforeSpaceStar(glob);
  const text = whole && onlyText(whole);
  const exact = text === undefined ? undefined : plainWords(text);
  if (exact) return { texts: exact, losses: [] };
  const head = (onlyText(glob) ?? literalHead(glob).replace(/\S*$/, "")).trim();
  const words = plainWords(head);
  if (!words) return dropped(part, "its first word is not plain text");
  const detail = `it holds for every command that begins with "${head}"`;
  return { texts: words, losses: [lossOf(part, "narrowed", detail)] };
}

/** The words of a text without characters that are special to a shell. */
function plainWords(text: string): readonly string[] | undefined {
  return /^[\w@%+=:,./^-]+(?: [\w@%+=:,./^-]+)*$/.test(text) ? text.split(" ") : undefined;
}

function lineFor({ action, comment, reason }: FormatRule, words: readonly string[]): string {
  const why = (reason ?? comment)?.replace(/\p{Cc}/gu, " ");
  const justification = why === undefined ? "" : `, justification = ${JSON.stringify(why)}`;
  const pattern = words.map((word) => JSON.stringify(word)).join(", ");
  const decision = DECISIONS[action];
  return `prefix_rule(pattern = [${pattern}], decision = "${decision}"${justification})\n`;
}
