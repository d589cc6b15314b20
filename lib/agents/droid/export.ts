import { type Glob, onlyText } from "../../pattern/glob.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import { commandTest, type Part } from "../convert/parts.ts";
import { beforeSpaceStar } from "../convert/patterns.ts";
import {
  dropped,
  inexact,
  jsonExport,
  type Rendered,
  startExport,
} from "../convert/rule_export.ts";

/** The lists of commands, the strictest first. `commandDenylist` asks. */
export const LISTS = [
  ["commandBlocklist", "deny"],
  ["commandDenylist", "ask"],
  ["commandAllowlist", "allow"],
] as const;

/** Writes the lists of commands. */
export function writeDroid(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const { parts, losses } = startExport(rules, context, { strictestIn: "Droid" });
  const lists = LISTS.map(([name, action]) => {
    const texts = parts.filter(({ rule }) => rule.action === action).flatMap((part) => {
      const rendered = renderEntry(part);
      losses.push(...rendered.losses);
      return rendered.texts;
    });
    return [name, [...new Set(texts)]] as const;
  });
  return jsonExport(Object.fromEntries(lists.filter(([, texts]) => texts.length > 0)), losses);
}

function renderEntry(part: Part): Rendered {
  const test = part.isGlob || part.tool !== "Bash" ? undefined : commandTest(part);
  if (test === undefined) return dropped(part, "Droid has lists of commands only");
  const { anchor, glob } = test;
  const prefix = anchor === "prefix" ? plainText(glob) : undefined;
  const detail = "it is not certain whether Droid matches further arguments";
  if (part.rule.action === "allow") {
    if (prefix === undefined) return dropped(part, detail);
    return inexact(part, { kind: "narrowed", texts: [prefix], detail });
  }
  const text = prefix ??
    (anchor === "whole" ? plainText(glob) ?? plainText(beforeSpaceStar(glob)) : undefined);
  if (text === undefined) return dropped(part, "Droid compares only the beginning of a command");
  return inexact(part, { kind: "widened", texts: [text], detail });
}

/** The text of a glob without wildcards, and without characters that could be wildcards there. */
function plainText(glob: Glob | undefined): string | undefined {
  const text = glob && onlyText(glob);
  return text !== undefined && !/[*?]/.test(text) ? text : undefined;
}
