import { all, any, fromBoolean, type Match } from "../../model/match.ts";
import { foldCase } from "../../pattern/fold_case.ts";
import { foldGlob, type Glob, literalHead, onlyText } from "../../pattern/glob.ts";
import { matchGlob } from "../../pattern/match_glob.ts";
import { globsOverlap } from "../../pattern/overlap.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import { readLine, spacedText } from "../../shell/read_line.ts";
import { firstOpen, isFixed } from "../../shell/parse/parse_word.ts";
import { HOLE, NUMBER } from "../../shell/parse/tree.ts";
import type { AllowText, CommandLine } from "../../shell/unit.ts";
import type { LineEffect } from "./facts.ts";
import { foreignMatcher } from "./foreign_matcher.ts";
import type { MatcherContext } from "./value_matcher.ts";

/** A test of a command line. */
export type CommandTest = Extract<ValueTest, { kind: "command" }>;

/** Whether a command line, or one unit of it, fits. */
export type CommandMatcher = (text: string, part?: LineEffect) => Match;

/**
 * The matcher of a command glob. With `shell = "parsed"` an allow rule must cover the unit, and a deny or ask rule fits it
 * in any of its spellings, or cannot be evaluated where the line does not fix what its literal text speaks of.
 */
export function commandMatcher(test: CommandTest, reading: MatcherContext): CommandMatcher {
  switch (reading.shell) {
    case "literal": {
      const fits = fitsAny(commandGlobs(test), reading);
      return (text) => fromBoolean(fits(text));
    }
    case "other":
      return foreignMatcher(test, reading);
    case "parsed":
      return ofWholeLine(
        reading.semantics === "must" ? allowTextMatcher(test) : denyTextMatcher(test, reading),
      );
  }
}

/** Whether one unit of a line fits. */
type EffectMatcher = (part: LineEffect) => Match;

/** For a call as a whole: an allow rule must cover every unit, a deny or ask rule fit one; both say the strictest. */
function ofWholeLine(
  { fits, combine }: { fits: EffectMatcher; combine: typeof all },
): CommandMatcher {
  return (text, part) => {
    if (part) return fits(part);
    const line = readLine(text);
    return combine(line.units.map((effect) => fits({ effect, line })));
  };
}

/** The globs of which one must fit the whole text. */
export function commandGlobs({ anchor, glob }: CommandTest): readonly Glob[] {
  switch (anchor) {
    case "whole":
      return [glob];
    case "prefix":
      return [glob, [...glob, { kind: "text", text: " " }, { kind: "star" }]];
    case "contains":
      return [[{ kind: "star" }, ...glob, { kind: "star" }]];
  }
}

/** Whether one of the globs fits a text; in any case where the platform does not tell cases apart. */
export function fitsAny(
  globs: readonly Glob[],
  reading: MatcherContext,
): (text: string) => boolean {
  const folds = reading.semantics === "may" &&
    (reading.context.ignoreCase || reading.shell === "other");
  const folded = folds ? globs.map(foldGlob) : [];
  return (text) =>
    globs.some((glob) => matchGlob(glob, text)) ||
    folded.some((glob) => matchGlob(glob, foldCase(text)));
}

/** An allow rule covers a unit when it fits one of its covers and says enough of it; the identical line covers all. */
function allowTextMatcher(test: CommandTest): { fits: EffectMatcher; combine: typeof all } {
  const globs = commandGlobs(test);
  const line = test.anchor === "whole" ? onlyText(test.glob) : undefined;
  const head = test.anchor === "contains" ? 0 : literalHead(test.glob).length;
  const hasOne = test.glob.some(({ kind }) => kind === "anyChar");
  const covers = (cover: AllowText) => {
    const { text, minLiteral, maxLiteral, redirect, interpreter } = cover;
    if (redirect !== undefined && !holdsRedirect(test.glob, redirect)) return line === text;
    if (interpreter !== undefined && namesOnly(test, interpreter)) return true;
    if (minLiteral === Infinity) return line === text && head <= maxLiteral;
    if (head < minLiteral || head > maxLiteral) return false;
    // A "?" stands for one character, which an expansion is not.
    if (hasOne && !isFixed(text)) return false;
    return globs.some((glob) => matchGlob(glob, text));
  };
  const fits: EffectMatcher = (part) =>
    fromBoolean(line === part.line.text || part.effect.allowTexts.some(covers));
  return { fits, combine: all };
}

/** Whether a rule names no more than a program, with any arguments: `python *`, `python:*`. */
function namesOnly({ anchor, glob }: CommandTest, program: string): boolean {
  if (anchor === "contains") return false;
  const [first, second, ...more] = glob;
  if (first?.kind !== "text" || more.length > 0) return false;
  if (second === undefined && anchor !== "prefix") return false;
  return first.text.trimEnd() === program && (second === undefined || second.kind === "star");
}

/** Whether the rule's literal text has a redirection with its file: `> out.txt`, and nothing that goes on behind it. */
function holdsRedirect(glob: Glob, holds: string): boolean {
  return glob.some((token, index) => {
    if (token.kind !== "text") return false;
    const text = token.text.replace(/([<>&|]+)[ \t]+/g, "$1");
    for (let at = text.indexOf(holds); at >= 0; at = text.indexOf(holds, at + 1)) {
      const end = at + holds.length;
      const whole = end === text.length ? index === glob.length - 1 : /\s/.test(text[end]!);
      if (whole && (at === 0 || /[\s\d]/.test(text[at - 1]!))) return true;
    }
    return false;
  });
}

/** A deny or ask rule fits a unit in any spelling, or the line, where it speaks of more than one command. */
function denyTextMatcher(
  test: CommandTest,
  reading: MatcherContext,
): { fits: EffectMatcher; combine: typeof all } {
  const bare = test.anchor === "whole" ? withoutTail(test.glob) : undefined;
  const globs = bare ? [...commandGlobs(test), bare] : commandGlobs(test);
  const fits = fitsAny(globs, reading);
  const inside = test.anchor === "contains";
  const head = inside ? "" : literalHead(test.glob);
  const spansLine = inside || head === "" || /[;&|<>\n(){}]/.test(textOf(test.glob));
  const folded = globs.map(foldGlob);
  // Every unit of a line asks the same about the line.
  let known: { readonly line: CommandLine; readonly fits: boolean } | undefined;
  const fitsLine = (line: CommandLine) => {
    if (known?.line !== line) {
      const spaced = fits(line.text) ? undefined : spacedText(line);
      known = { line, fits: fits(line.text) || spaced !== undefined && fits(spaced) };
    }
    return known.fits;
  };
  const fitsUnit: EffectMatcher = ({ effect, line }) => {
    if (effect.denyTexts.some((each) => fits(each.text))) return "yes";
    if (line.units.length > 1 || effect.kind === "opaque" || effect.text !== line.text) {
      const whole = spansLine || effect === line.units[0];
      if (whole && fitsLine(line)) {
        // An ask that speaks of the whole line must not keep later rules from this unit.
        return reading.asks && !effect.denyTexts.some((each) => each.text === line.text)
          ? "indeterminate"
          : "yes";
      }
    }
    if (inside) return "no";
    if (effect.kind === "opaque") return effect.isOrdinaryScript ? "no" : "indeterminate";
    if (head === "") return "no";
    const open = effect.denyTexts.some(({ text: written, template }) =>
      written !== template && couldFit(template, { head, globs: folded })
    );
    return open ? "indeterminate" : "no";
  };
  return { fits: fitsUnit, combine: any };
}

function textOf(glob: Glob): string {
  return glob.map((token) => token.kind === "text" ? token.text : " ").join("");
}

/** `git push *` without its final ` *`, so that a deny stops a bare `git push`; undefined when it has none. */
function withoutTail(glob: Glob): Glob | undefined {
  const text = glob.at(-2);
  if (glob.at(-1)?.kind !== "star" || text?.kind !== "text" || !text.text.endsWith(" ")) {
    return undefined;
  }
  const rest = text.text.replace(/ +$/, "");
  return rest === "" ? undefined : [...glob.slice(0, -2), { kind: "text", text: rest }];
}

/** Whether a text whose open pieces may stand for anything could be what a glob with a literal beginning speaks of. */
function couldFit(
  shape: string,
  { head, globs }: { head: string; globs: readonly Glob[] },
): boolean {
  const at = firstOpen(shape);
  const fixed = foldCase(shape.slice(0, at));
  const wanted = foldCase(head);
  if (wanted.startsWith(fixed)) {
    // An integer is no word.
    return shape[at] !== NUMBER || /^(?:$|[-\d])/.test(wanted.slice(fixed.length));
  }
  if (!fixed.startsWith(wanted.trimEnd())) return false;
  const text = foldCase(shape.replace(/[\uF8FD-\uF8FF]/g, HOLE));
  const open: Glob = text.split(HOLE).flatMap((piece, index) => [
    ...(index === 0 ? [] : [{ kind: "star" } as const]),
    ...(piece === "" ? [] : [{ kind: "text", text: piece } as const]),
  ]);
  return globs.some((glob) => globsOverlap(open, glob));
}
