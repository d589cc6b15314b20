import { type Glob, type GlobToken, literalGlob, onlyText, printGlob } from "../../pattern/glob.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";
import { parseSpecifier } from "../../pattern/parse_specifier.ts";
import { patternOf, printPattern } from "../../pattern/print_pattern.ts";
import { visible } from "../../text/visible.ts";
import type { ToolProfiles } from "../compile/profiles.ts";
import type { RuleText } from "./may_overlap.ts";
import { commandLine } from "../../text/quote.ts";

/** A space at which a line must not break, as in a command to paste. */
export const JOINED = "\u00a0";

/** Notes on commands that a pattern may unexpectedly miss. */
export function patternNotes(rule: RuleText, profiles: ToolProfiles): readonly string[] {
  const read = parsePattern(rule.pattern);
  const tool = read.ok ? onlyText(read.value.tool) : undefined;
  if (!read.ok || tool === undefined) return [];
  const specifier = parseSpecifier(read.value, profiles.get(tool));
  if (
    !specifier.ok || specifier.value.kind !== "argument" || specifier.value.test.kind !== "command"
  ) return [];
  const { glob, anchor } = specifier.value.test;
  if (anchor !== "whole") return [];
  const command = { tool: read.value.tool, glob };
  return [...colonNote(command), ...rule.action === "allow" ? bareNote(command) : []];
}

interface Command {
  readonly tool: Glob;
  readonly glob: Glob;
}

/** After a colon, the prefix form `:*` is plain text. */
function colonNote({ tool, glob }: Command): readonly string[] {
  const text = glob.at(-2);
  if (glob.at(-1)?.kind !== "star" || text?.kind !== "text" || !text.text.endsWith(":")) return [];
  const rest: GlobToken = { kind: "text", text: text.text.slice(0, -1) };
  const head = [...glob.slice(0, -2), ...rest.text === "" ? [] : [rest]];
  if (head.length === 0) return [];
  const shown = visible(printGlob(head));
  return [
    `after "${
      visible(printGlob(tool))
    }:" the ":*" is plain text, so this matches "${shown}:" + anything; ${
      prefixForm({ tool, glob: head })
    } matches "${shown}" alone and with arguments`,
  ];
}

/** `git push *` does not match `git push` alone. */
function bareNote({ tool, glob }: Command): readonly string[] {
  const head = /^(.*\S) \*$/s.exec(printGlob(glob))?.[1];
  if (!head || /[*?]/.test(head.replace(/\\./g, ""))) return [];
  const shown = visible(head);
  return [
    `this matches "${shown}" + space + anything, not "${shown}" alone; ${
      prefixForm({ tool, glob: literalGlob(head) })
    } matches both`,
  ];
}

function prefixForm({ tool, glob }: Command): string {
  const test = { kind: "command", anchor: "prefix", glob } as const;
  const pattern = printPattern(patternOf(tool, { kind: "argument", test }));
  return commandLine([pattern]).replaceAll(" ", JOINED);
}
