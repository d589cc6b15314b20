import { all, any, fromBoolean, type Match } from "../model/match.ts";
import { foldCase } from "../pattern/fold_case.ts";
import { foldGlob, type Glob, literalHead, onlyText } from "../pattern/glob.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import { globsOverlap } from "../pattern/overlap.ts";
import type { ValueTest } from "../pattern/pattern.ts";
import { readLine, spacedText } from "../shell/read_line.ts";
import { firstOpen, isFixed } from "../shell/parse_word.ts";
import { HOLE, NUMBER } from "../shell/tree.ts";
import type { CommandLine, Cover } from "../shell/unit.ts";
import type { LineUnit } from "../tools/facts.ts";
import { foreignMatcher } from "./foreign_matcher.ts";
import type { Reading } from "./value_matcher.ts";

/** A test of a command line. */
export type CommandTest = Extract<ValueTest, { kind: "command" }>;

/** Whether a command line, or one unit of it, fits. */
export type CommandMatcher = (text: string, part?: LineUnit) => Match;

/**
 * The matcher of a command glob. With `shell = "parsed"` an allow rule must cover the unit, and a deny or ask rule fits it
 * in any of its spellings, or cannot be evaluated where the line does not fix what its literal text speaks of.
 */
export function commandMatcher(test: CommandTest, reading: Reading): CommandMatcher {
  switch (reading.shell) {
    case "literal": {
      const fits = fitsAny(commandGlobs(test), reading);
      return (text) => fromBoolean(fits(text));
    }
    case "other":
      return foreignMatcher(test, reading);
    case "parsed":
      return ofWholeLine(
        reading.reach === "strict" ? coverMatcher(test) : wideMatcher(test, reading),
      );
  }
}

/** Whether one unit of a line fits. */
type UnitMatcher = (part: LineUnit) => Match;

/** For a call as a whole: an allow rule must cover every unit, a deny or ask rule fit one; both say the strictest. */
function ofWholeLine(
  { fits, combine }: { fits: UnitMatcher; combine: typeof all },
): CommandMatcher {
  return (text, part) => {
    if (part) return fits(part);
    const line = readLine(text);
    return combine(line.units.map((unit) => fits({ unit, line })));
  };
}

/** The globs of which one must fit the whole text. */
export function commandGlobs({ reach, glob }: CommandTest): readonly Glob[] {
  switch (reach) {
    case "whole":
      return [glob];
    case "prefix":
      return [glob, [...glob, { kind: "text", text: " " }, { kind: "run" }]];
    case "inside":
      return [[{ kind: "run" }, ...glob, { kind: "run" }]];
  }
}

/** Whether one of the globs fits a text; in any case where the platform does not tell cases apart. */
export function fitsAny(globs: readonly Glob[], reading: Reading): (text: string) => boolean {
  const folds = reading.reach === "wide" &&
    (reading.context.ignoreCase || reading.shell === "other");
  const folded = folds ? globs.map(foldGlob) : [];
  return (text) =>
    globs.some((glob) => matchGlob(glob, text)) ||
    folded.some((glob) => matchGlob(glob, foldCase(text)));
}

/** An allow rule covers a unit when it fits one of its covers and says enough of it; the identical line covers all. */
function coverMatcher(test: CommandTest): { fits: UnitMatcher; combine: typeof all } {
  const globs = commandGlobs(test);
  const line = test.reach === "whole" ? onlyText(test.glob) : undefined;
  const head = test.reach === "inside" ? 0 : literalHead(test.glob).length;
  const hasOne = test.glob.some(({ kind }) => kind === "one");
  const covers = (cover: Cover) => {
    const { text, need, limit, holds, trade } = cover;
    if (holds !== undefined && !holdsRedirect(test.glob, holds)) return line === text;
    if (trade !== undefined && namesOnly(test, trade)) return true;
    if (need === Infinity) return line === text && head <= limit;
    if (head < need || head > limit) return false;
    // A "?" stands for one character, which an expansion is not.
    if (hasOne && !isFixed(text)) return false;
    return globs.some((glob) => matchGlob(glob, text));
  };
  const fits: UnitMatcher = (part) =>
    fromBoolean(line === part.line.text || part.unit.covers.some(covers));
  return { fits, combine: all };
}

/** Whether a rule names no more than a program, with any arguments: `python *`, `python:*`. */
function namesOnly({ reach, glob }: CommandTest, program: string): boolean {
  if (reach === "inside") return false;
  const [first, second, ...more] = glob;
  if (first?.kind !== "text" || more.length > 0) return false;
  if (second === undefined && reach !== "prefix") return false;
  return first.text.trimEnd() === program && (second === undefined || second.kind === "run");
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
function wideMatcher(
  test: CommandTest,
  reading: Reading,
): { fits: UnitMatcher; combine: typeof all } {
  const bare = test.reach === "whole" ? withoutTail(test.glob) : undefined;
  const globs = bare ? [...commandGlobs(test), bare] : commandGlobs(test);
  const fits = fitsAny(globs, reading);
  const inside = test.reach === "inside";
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
  const fitsUnit: UnitMatcher = ({ unit, line }) => {
    if (unit.wide.some((each) => fits(each.text))) return "yes";
    if (line.units.length > 1 || unit.kind === "opaque" || unit.text !== line.text) {
      const whole = spansLine || unit === line.units[0];
      if (whole && fitsLine(line)) {
        // An ask that speaks of the whole line must not keep later rules from this unit.
        return reading.asks && !unit.wide.some((each) => each.text === line.text)
          ? "unknown"
          : "yes";
      }
    }
    if (inside) return "no";
    if (unit.kind === "opaque") return unit.quiet ? "no" : "unknown";
    if (head === "") return "no";
    const open = unit.wide.some(({ text: written, shape }) =>
      written !== shape && couldFit(shape, { head, globs: folded })
    );
    return open ? "unknown" : "no";
  };
  return { fits: fitsUnit, combine: any };
}

function textOf(glob: Glob): string {
  return glob.map((token) => token.kind === "text" ? token.text : " ").join("");
}

/** `git push *` without its final ` *`, so that a deny stops a bare `git push`; undefined when it has none. */
function withoutTail(glob: Glob): Glob | undefined {
  const text = glob.at(-2);
  if (glob.at(-1)?.kind !== "run" || text?.kind !== "text" || !text.text.endsWith(" ")) {
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
    ...(index === 0 ? [] : [{ kind: "run" } as const]),
    ...(piece === "" ? [] : [{ kind: "text", text: piece } as const]),
  ]);
  return globs.some((glob) => globsOverlap(open, glob));
}
