import { all, any, fromBoolean, type Match } from "../../model/verdict.ts";
import {
  foldGlob,
  type Glob,
  globsOverlap,
  literalHead,
  matchGlob,
  onlyText,
} from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/parse_pattern.ts";
import { foldCase } from "../../pattern/unicode.ts";
import type { AllowText, CommandLine } from "../../shell/effect.ts";
import { firstOpen, HOLE, isFixed, NUMBER } from "../../shell/parse/tree.ts";
import { scanCommand, singleSpaced } from "../../shell/scan_command.ts";
import { beginningsOf, headBits } from "./rule_keys.ts";
import type { Request } from "./request.ts";
import type { LineEffect } from "./request_options.ts";
import type { MatcherContext } from "./value_matcher.ts";

/** A test of a command line. */
export type CommandTest = Extract<ValueTest, { kind: "command" }>;

/** The match of a command glob with a request's line, or with the one effect that the request is about. */
export type CommandMatcher = (text: string, request: Request) => Match;

/**
 * The matcher of a command glob. With `shell = "parsed"` an allow rule must fit the effect, and a deny or ask rule fits it
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
    case "parsed": {
      const isAllow = reading.semantics === "must";
      const fits = isAllow ? allowTextMatcher(test) : denyTextMatcher(test, reading);
      const begins = headBits(test.anchor === "contains" ? "" : literalHead(test.glob));
      return (_text, request) => {
        const { part } = request;
        if (part) {
          part.begins ??= beginningsOf(part);
          return (part.begins & begins) === 0 ? "no" : fits(part, request);
        }
        const { line } = request;
        if (!line) return "indeterminate";
        return isAllow
          ? allowMatch(request, { line, fits })
          : any(line.effects.map((effect) => fits({ effect, line }, request)));
      };
    }
  }
}

type EffectMatcher = (part: LineEffect, request: Request) => Match;

/**
 * The match of an allow rule with a whole line: every effect that needs an allow rule must fit. A harmless wrapper needs none
 * around a command that fits; other harmless effects are left to the evaluator, which has all rules.
 */
function allowMatch(
  request: Request,
  { line, fits }: { readonly line: CommandLine; readonly fits: EffectMatcher },
): Match {
  const matches = line.effects.map((effect) => fits({ effect, line }, request));
  const isAllowed = matches.some((match, at) =>
    match === "yes" && line.effects[at]!.kind === "command"
  );
  return all(matches.filter((_, at) => {
    const [effect, next] = line.effects.slice(at, at + 2);
    const runsNext = next !== undefined && next.depth > effect!.depth;
    return effect!.checkedAgainst === "allRules" &&
      !(isAllowed && runsNext && request.isHarmless(effect!));
  }));
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

/** The literal text that all globs begin with, without blanks at its end. */
function commonStart(globs: readonly Glob[]): string {
  const heads = globs.map((glob) => literalHead(glob).trimEnd());
  const shortest = heads.reduce((a, b) => b.length < a.length ? b : a, heads[0] ?? "");
  return heads.every((head) => head.startsWith(shortest)) ? shortest : "";
}

/** True if one of the globs fits a text, ignoring case if the platform does. */
export function fitsAny(
  globs: readonly Glob[],
  reading: MatcherContext,
): (text: string) => boolean {
  const folds = reading.semantics === "may" &&
    (reading.context.ignoreCase || reading.shell === "other");
  const folded = folds ? globs.map(foldGlob) : [];
  // Each of the globs begins with what all of them have in common.
  const start = folds ? "" : commonStart(globs);
  return (text) => {
    if (!text.startsWith(start)) return false;
    for (const glob of globs) if (matchGlob(glob, text)) return true;
    return folds && folded.some((glob) => matchGlob(glob, foldCase(text)));
  };
}

/** An allow rule fits an effect if it fits one of its texts with enough literal text; the identical line fits every effect. */
function allowTextMatcher(test: CommandTest): EffectMatcher {
  const globs = commandGlobs(test);
  const line = test.anchor === "whole" ? onlyText(test.glob) : undefined;
  const head = test.anchor === "contains" ? 0 : literalHead(test.glob).length;
  const hasOne = test.glob.some(({ kind }) => kind === "anyChar");
  const isBroad = test.anchor !== "contains" &&
    test.glob.slice(test.glob[0]?.kind === "text" ? 1 : 0).every(({ kind }) => kind === "star");
  const fits = (allowText: AllowText, request: Request) => {
    const { text, minLiteral, maxLiteral, namesNoMore, redirect, interpreter, folders } = allowText;
    if (folders && !request.areInside(folders)) return false;
    if (redirect !== undefined && !holdsRedirect(test.glob, redirect)) return line === text;
    if (interpreter !== undefined && namesOnly(test, interpreter)) return true;
    if (minLiteral === Infinity) return line === text && head <= maxLiteral;
    if (head < minLiteral || head > maxLiteral) return false;
    if (namesNoMore && !isBroad) return false;
    // A "?" stands for one character, which an expansion is not.
    if (hasOne && !isFixed(text)) return false;
    for (const glob of globs) if (matchGlob(glob, text)) return true;
    return false;
  };
  return ({ effect, line: { text } }, request) => {
    if (line === text && !effect.dependsOnFolder) return "yes";
    for (const each of effect.allowTexts) if (fits(each, request)) return "yes";
    return "no";
  };
}

/** True if a rule names a program and nothing else, with any arguments: `python *`, `python:*`. */
function namesOnly({ anchor, glob }: CommandTest, program: string): boolean {
  if (anchor === "contains") return false;
  const [first, second, ...more] = glob;
  if (first?.kind !== "text" || more.length > 0) return false;
  if (second === undefined && anchor !== "prefix") return false;
  return first.text.trimEnd() === program && (second === undefined || second.kind === "star");
}

/** True if the rule's literal text has the redirection with its whole file: `> out.txt`. */
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
function denyTextMatcher(test: CommandTest, reading: MatcherContext): EffectMatcher {
  const bare = test.anchor === "whole" ? withoutTail(test.glob) : undefined;
  const globs = bare ? [...commandGlobs(test), bare] : commandGlobs(test);
  const fits = fitsAny(globs, reading);
  const inside = test.anchor === "contains";
  const head = inside ? "" : literalHead(test.glob);
  const spansLine = inside || head === "" || /[;&|<>\n(){}]/.test(textOf(test.glob));
  const folded = globs.map(foldGlob);
  // Every unit of a line asks the same about the line.
  let known: CommandLine | undefined;
  let fitsKnown = false;
  const fitsLine = (line: CommandLine) => {
    if (known !== line) {
      const { text, spacedText, bareTexts } = line;
      known = line;
      const isFit = fits(text) || spacedText !== undefined && fits(spacedText) ||
        bareTexts !== undefined && bareTexts.some(fits);
      fitsKnown = isFit && (spansLine || isOneCommand(line));
    }
    return fitsKnown;
  };
  return ({ effect, line }) => {
    const { denyTexts } = effect;
    for (let at = 0; at < denyTexts.length; at++) if (fits(denyTexts[at]!.text)) return "yes";
    if (line.effects.length > 1 || effect.kind === "opaque" || effect.text !== line.text) {
      if (fitsLine(line)) {
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
}

/** Words that begin a construct of several commands, of which a rule may speak by its first word (`for *`). */
const KEYWORDS = /^(?:for|while|until|if|case|select|function|time|coproc|[!{(]|\[\[)(?:\s|$)/;

/** True if a line is not several commands one behind the other; what its commands run does not count. */
function isOneCommand({ effects, text }: CommandLine): boolean {
  if (KEYWORDS.test(text.trimStart())) return true;
  return effects.filter(({ kind, depth }) =>
    depth === 0 && (kind === "command" || kind === "opaque")
  )
    .length <= 1;
}

function textOf(glob: Glob): string {
  return glob.map((token) => token.kind === "text" ? token.text : " ").join("");
}

/** `git push *` without its final ` *`, so that a deny stops a bare `git push`; undefined when it has none. */
export function withoutTail(glob: Glob): Glob | undefined {
  const text = glob.at(-2);
  if (glob.at(-1)?.kind !== "star" || text?.kind !== "text" || !text.text.endsWith(" ")) {
    return undefined;
  }
  const rest = text.text.replace(/ +$/, "");
  return rest === "" ? undefined : [...glob.slice(0, -2), { kind: "text", text: rest }];
}

/** True if a glob with a literal beginning could fit a text whose holes may be anything. */
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

/**
 * The matcher of a command glob for a tool whose lines are no POSIX shell's (PowerShell, cmd): they are not taken apart, so
 * an allow rule must be the line, and a deny or ask rule that does not fit a line with more than plain words cannot be
 * evaluated.
 */
function foreignMatcher(test: CommandTest, reading: MatcherContext): CommandMatcher {
  if (reading.semantics === "must") {
    const line = test.anchor === "whole" ? onlyText(test.glob) : undefined;
    return (text) => fromBoolean(text === line);
  }
  const fits = fitsAny(commandGlobs(test), reading);
  const head = test.anchor === "contains" ? undefined : foldCase(literalHead(test.glob));
  return (text) => {
    if (fits(text)) return "yes";
    const spaced = singleSpaced(text);
    // A space at the end stands for the one before a final "*".
    if (fits(spaced) || fits(`${spaced} `)) return "yes";
    return head === undefined ? "no" : mayRun(spaced, head);
  };
}

/** The match of a line whose text does not fit: it may still run what the glob names. `head` is the glob's folded literal beginning. */
function mayRun(text: string, head: string): Match {
  const look = scanCommand(text);
  switch (look.kind) {
    case "plain":
      return "no";
    case "compound":
      return "indeterminate";
    case "quoted": {
      const written = foldCase(look.head);
      return written.startsWith(head) || head.startsWith(written) ? "indeterminate" : "no";
    }
  }
}
