import { foldCase } from "../fold_case.ts";
import { any, fromBoolean, type Match } from "../../model/match.ts";
import { foldGlob, type Glob, parseGlob } from "../glob.ts";
import { linkedPattern } from "./linked_pattern.ts";
import { matchGlob } from "../match_glob.ts";
import { type PathGlob, type PathNode, printPathGlob, type Range } from "./path_glob.ts";
import type { CallPath, PathContext, PathForm } from "./path_facts.ts";
import { type PathPattern, printPathPattern } from "./path_pattern.ts";
import {
  addAnyFolders,
  addBelow,
  addGlob,
  addPathGlob,
  type Nfa,
  NfaBuilder,
} from "./path_program.ts";
import { runNfa } from "../run_program.ts";

/** Whether a path pattern fits a call's path. */
export type PathMatcher = (path: CallPath) => Match;

/**
 * The matcher of an allow rule: the path as written and with its links followed must both fit. A plain pattern begins at
 * the workspace; a plain name fits at any depth of it.
 */
export function strictPathMatcher(pattern: PathPattern): PathMatcher {
  const builder = new NfaBuilder();
  if (pattern.base === "plain" && !printPathGlob(pattern.glob).includes("/")) {
    addAnyFolders(builder);
  }
  addPathGlob(builder, pattern.glob);
  const program = builder.finish();
  const base = pattern.base === "plain" ? "workspace" : pattern.base;
  return (path) => {
    if (!path.ok) return "indeterminate";
    return fromBoolean(path.forms.every((form) => fits(form, { program, base })));
  };
}

/**
 * The matcher of a deny or ask rule: one reading of the path is enough, the glob is also read as a string glob (`*`
 * crosses segments), what it fits it fits with everything below, a plain pattern fits anywhere, and one that begins in a
 * folder that is a link begins in the link's target too.
 */
export function widePathMatcher(
  pattern: PathPattern,
  context: PathContext,
): PathMatcher {
  const fits = writtenPathMatcher(pattern, context);
  const linked = linkedPattern(pattern, context);
  if (linked === undefined) return fits;
  const fitsLinked = writtenPathMatcher(linked, context);
  return (path) => any([fits(path), fitsLinked(path)]);
}

function writtenPathMatcher(pattern: PathPattern, context: PathContext): PathMatcher {
  const whole = stringGlob(printPathPattern(pattern));
  const program = wideProgram(pattern);
  const folded = context.ignoreCase
    ? {
      program: wideProgram({ base: pattern.base, glob: fold(pattern.glob) }),
      whole: foldGlob(whole),
    }
    : undefined;
  const base = pattern.base === "plain" ? "root" : pattern.base;
  return (path) => {
    if (!path.ok) return "indeterminate";
    if (path.forms.some((form) => fits(form, { program, base }))) return "yes";
    if (matchGlob(whole, path.raw)) return "yes";
    if (folded) {
      if (path.folded.some((form) => fits(form, { program: folded.program, base }))) return "yes";
      if (matchGlob(folded.whole, foldCase(path.raw))) return "yes";
    }
    return base === "home" && context.home.length === 0 ? "indeterminate" : "no";
  };
}

function wideProgram(pattern: PathPattern): Nfa {
  const builder = new NfaBuilder();
  // `/`, `~` and `.` themselves: below them no slash comes first.
  if (pattern.glob.length === 0) addGlob(builder, [{ kind: "star" }]);
  if (pattern.base === "plain") addAnyFolders(builder);
  builder.either([
    () => addPathGlob(builder, pattern.glob),
    () => addGlob(builder, stringGlob(printPathGlob(pattern.glob))),
  ]);
  addBelow(builder);
  return builder.finish();
}

function stringGlob(text: string): Glob {
  const glob = parseGlob(text);
  return glob.ok ? glob.value : [];
}

function fits(
  form: PathForm,
  wanted: { program: Nfa; base: "root" | "home" | "workspace" },
): boolean {
  const text = form[wanted.base];
  return text !== undefined && runNfa(wanted.program, text);
}

function fold(glob: PathGlob): PathGlob {
  return glob.map((node): PathNode => {
    switch (node.kind) {
      case "text":
        return { kind: "text", text: foldCase(node.text) };
      case "set":
        // A letter that a set leaves out may be fitted in the other case, so without case it leaves nothing out.
        return node.negated ? { kind: "anyChar" } : {
          ...node,
          ranges: node.ranges.flatMap(foldRange),
          text: foldCase(node.text),
        };
      case "either":
        return { kind: "either", options: node.options.map(fold) };
      case "star":
      case "anyChar":
      case "globstar":
        return node;
    }
  });
}

/** The range, its ends in lower case, and the lower case of the capitals A to Z in it. */
function foldRange(range: Range): readonly Range[] {
  const lowered = (code: number) => foldCase(String.fromCodePoint(code)).codePointAt(0)!;
  const [low, high] = range;
  const capitals: Range = [Math.max(low, 0x41) + 0x20, Math.min(high, 0x5a) + 0x20];
  return [range, [lowered(low), lowered(high)], capitals];
}
