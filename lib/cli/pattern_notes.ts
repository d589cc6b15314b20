import { type Glob, type GlobToken, literalGlob, onlyText, printGlob } from "../pattern/glob.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { parseSpecifier } from "../pattern/parse_spec.ts";
import { patternOf, printPattern } from "../pattern/print_pattern.ts";
import { visible } from "../text/visible.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import type { RuleWords } from "../policy/edit/may_meet.ts";
import { commandLine } from "../text/quote.ts";

/** Stands for a blank at which a line must not end, as in a command to paste. */
export const JOINED = "\u00a0";

/** What a person may not expect a command pattern to miss, one note each. */
export function patternNotes(rule: RuleWords, profiles: ToolProfiles): readonly string[] {
  const read = parsePattern(rule.pattern);
  const tool = read.ok ? onlyText(read.value.tool) : undefined;
  if (!read.ok || tool === undefined) return [];
  const spec = parseSpecifier(read.value, profiles.get(tool));
  if (!spec.ok || spec.value.kind !== "argument" || spec.value.test.kind !== "command") return [];
  const { glob, anchor } = spec.value.test;
  if (anchor !== "whole") return [];
  const command = { tool: read.value.tool, glob };
  return [...colonNote(command), ...rule.action === "allow" ? bareNote(command) : []];
}

interface Command {
  readonly tool: Glob;
  readonly glob: Glob;
}

/** Behind a colon, the prefix form of the paren form is plain text. */
function colonNote({ tool, glob }: Command): readonly string[] {
  const text = glob.at(-2);
  if (glob.at(-1)?.kind !== "star" || text?.kind !== "text" || !text.text.endsWith(":")) return [];
  const rest: GlobToken = { kind: "text", text: text.text.slice(0, -1) };
  const head = [...glob.slice(0, -2), ...rest.text === "" ? [] : [rest]];
  if (head.length === 0) return [];
  const shown = visible(printGlob(head));
  return [
    `behind "${
      visible(printGlob(tool))
    }:" the ":*" is plain text, so this fits "${shown}:" + anything; ${
      prefixForm({ tool, glob: head })
    } fits "${shown}" alone and with arguments`,
  ];
}

/** `git push *` allows nothing without its space. */
function bareNote({ tool, glob }: Command): readonly string[] {
  const head = /^(.*\S) \*$/s.exec(printGlob(glob))?.[1];
  if (!head || /[*?]/.test(head.replace(/\\./g, ""))) return [];
  const shown = visible(head);
  return [
    `this fits "${shown}" + space + anything, not "${shown}" alone; ${
      prefixForm({ tool, glob: literalGlob(head) })
    } fits both`,
  ];
}

function prefixForm({ tool, glob }: Command): string {
  const test = { kind: "command", anchor: "prefix", glob } as const;
  const pattern = printPattern(patternOf(tool, { kind: "argument", test }));
  return commandLine([pattern]).replaceAll(" ", JOINED);
}
