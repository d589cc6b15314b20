import type { TraceStep } from "../../model/verdict.ts";
import { literalHead } from "../../pattern/glob.ts";
import type { ToolRule } from "./compiled_policy.ts";
import type { LineEffect } from "./request_options.ts";

import type { CommandLine, Effect } from "../../shell/effect.ts";

/** The parts of lines that a policy keeps, by the place of their effects; what is found of them holds for the line. */
const kept = new WeakMap<CommandLine, (LineEffect | undefined)[]>();

/** The parts of a line that is kept, which are filled in one by one; undefined for any other. */
export function keptParts(line: CommandLine): (LineEffect | undefined)[] | undefined {
  if (line.isKept !== true) return undefined;
  let parts = kept.get(line);
  if (parts === undefined) kept.set(line, parts = []);
  return parts;
}

/** A part of a line of which nothing is found yet; all have one shape. */
export function partOf(effect: Effect, line: CommandLine): LineEffect {
  return { effect, line, begins: undefined, length: undefined, rules: undefined };
}

/** The bits of what may begin with any character. */
export const ANY = -1;

/**
 * A bit for each character with which a text of a part of a line begins that a command rule is tried on, upper and lower case as one.
 * INVARIANT: a rule whose commands begin with another character does not match the part.
 */
export function beginningsOf({ effect, line }: LineEffect): number {
  // A rule may be about more of an unknown part than its texts.
  if (effect.kind === "opaque") return ANY;
  let bits = beginningOf(line.text);
  if (line.spacedText !== undefined) bits |= beginningOf(line.spacedText);
  if (line.bareTexts !== undefined) {
    for (const text of line.bareTexts) bits |= beginningOf(text);
  }
  for (const { text, interpreter } of effect.allowTexts) {
    bits |= beginningOf(text);
    if (interpreter !== undefined) bits |= beginningOf(interpreter);
  }
  for (const { text, template } of effect.denyTexts) {
    if (text !== template) return ANY;
    bits |= beginningOf(text);
  }
  return bits;
}

/** The bit of the literal text that all commands of a rule begin with; every bit without one. */
export function headBits(head: string): number {
  return head === "" ? ANY : beginningOf(head);
}

/** The bits with which the parts of lines begin that a rule may match; every bit for a rule that is about more than their texts. */
export function bitsOf(toolRule: ToolRule): number {
  if (toolRule.readAs?.shell !== "parsed" || toolRule.also !== undefined) return ANY;
  if (toolRule.head !== undefined) return headBits(toolRule.head);
  const { specifier } = toolRule;
  if (specifier?.kind !== "argument" || specifier.test.kind !== "command") return ANY;
  const { anchor, glob } = specifier.test;
  return headBits(anchor === "contains" ? "" : literalHead(glob));
}

/** The bit of the first character of a text; every bit for one beyond ASCII, which may fold to one of it. */
function beginningOf(text: string): number {
  const code = text.charCodeAt(0);
  return code > 0x7e ? ANY : 1 << (code & 31);
}

/** The rules of a tool that has so few that each is tried. */
export interface FewRules {
  /** For each the bits with which the parts of lines begin that it may match. */
  readonly begins: readonly number[];
  /** For each the step of a trace in which it does not match; the same one in every trace. */
  readonly passing: readonly TraceStep[];
}

const known = new WeakMap<readonly ToolRule[], FewRules>();

/** The facts of a list of few rules; undefined for any other list. */
export function fewRules(toolRules: readonly ToolRule[]): FewRules | undefined {
  return known.get(toolRules);
}

/** Notes that a list is asked about again and again. */
export function noteFewRules(toolRules: readonly ToolRule[]): void {
  const begins = toolRules.map((each) =>
    // The step of a rule that ends may be another.
    each.rule.expiresAt === undefined ? bitsOf(each) : ANY
  );
  const passing = toolRules.map(({ rule }): TraceStep =>
    Object.freeze({ rule, match: "no", effect: "passes", why: "" })
  );
  known.set(toolRules, { begins, passing });
}
