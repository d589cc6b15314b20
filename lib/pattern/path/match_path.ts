import { fromBoolean, type Match } from "../../model/verdict.ts";
import { foldCase } from "../unicode.ts";
import { foldGlob, type Glob, matchGlob, parseGlob } from "../glob.ts";
import { runNfa } from "../run_nfa.ts";
import { normalPath } from "./normal_path.ts";
import type { CallPath, PathContext, PathForm } from "./call_path.ts";
import { type PathGlob, type PathNode, printPathGlob, type Range } from "./path_glob.ts";
import { type PathPattern, printPathPattern } from "./path_pattern.ts";
import { addAnyFolders, addBelow, addGlob, addPathGlob, type Nfa, NfaBuilder } from "./path_nfa.ts";

export type PathMatcher = (path: CallPath) => Match;

/**
 * The matcher of an allow rule: matches if the path matches both as written and with its links followed. A plain pattern
 * begins at the workspace; a plain name matches at any depth of it.
 */
export function mustPathMatcher(pattern: PathPattern): PathMatcher {
  const builder = new NfaBuilder();
  if (pattern.base === "plain" && !printPathGlob(pattern.glob).includes("/")) {
    addAnyFolders(builder);
  }
  addPathGlob(builder, pattern.glob);
  const nfa = builder.finish();
  const base = pattern.base === "plain" ? "workspace" : pattern.base;
  return (path) => {
    if (!path.ok) return "indeterminate";
    return fromBoolean(path.forms.every((form) => fits(form, { nfa, base })));
  };
}

/** Options of `mayPathMatcher`. */
export interface MayPathOptions {
  /** Set for an ask rule. */
  readonly asks?: boolean | undefined;
}

/**
 * The matcher of a deny or ask rule: matches if any form of the path matches. The glob counts as a string glob too (`*`
 * crosses segments) and includes everything below; a plain pattern matches anywhere, and one that begins in a folder that is
 * a link begins in the link's target too. An ask that matches only some forms, or only the text as written, is indeterminate:
 * it must not end the search for a deny of the others.
 */
export function mayPathMatcher(
  pattern: PathPattern,
  context: PathContext,
  { asks = false }: MayPathOptions = {},
): PathMatcher {
  const linked = linkedPattern(pattern, context);
  const patterns = [pattern, ...(linked ? [linked] : [])];
  const needed = context.ignoreCase ? [] : patterns.map(({ glob }) => neededText(glob));
  let fitted: readonly ((path: CallPath) => FittedForms)[] | undefined;
  const isHomeless = pattern.base === "home" && context.home.length === 0;
  return (path) => {
    if (path.forms.length === 0) return "indeterminate";
    if (needed.length > 0 && !needed.some((text) => hasText(path, text))) {
      return isHomeless || !path.ok ? "indeterminate" : "no";
    }
    fitted ??= patterns.map((each) => fittedForms(each, context));
    const all = fitted.map((each) => each(path));
    const isMet = path.forms.map((_, at) => all.some(({ forms }) => forms[at]));
    // That the rule holds where its folder leads is one more form.
    const isSurely = path.ok &&
      path.forms.every((form, at) => all[0]!.forms[at] || form.isDoubtful);
    if (isMet.includes(true) && (!asks || isSurely)) return "yes";
    if (all.some(({ raw }) => raw) || isMet.includes(true)) return asks ? "indeterminate" : "yes";
    // A path of which only some forms are known may have another one.
    return isHomeless || !path.ok ? "indeterminate" : "no";
  };
}

/** The longest name, or part of one, that every text has which a glob matches, as a path or as a string; empty without one. */
function neededText(glob: PathGlob): string {
  const names = glob.flatMap((node) => node.kind === "text" ? node.text.split("/") : []);
  return names.reduce((longest, each) => each.length > longest.length ? each : longest, "");
}

/** True if a path has a text, as written or in one of its forms. */
function hasText({ raw, forms }: CallPath, text: string): boolean {
  return raw.includes(text) ||
    forms.some(({ root, home, workspace }) =>
      root.includes(text) || home?.includes(text) || workspace?.includes(text)
    );
}

/** The forms of a path that a pattern matches, and whether it matches the text as written. */
interface FittedForms {
  readonly forms: readonly boolean[];
  readonly raw: boolean;
}

function fittedForms(
  pattern: PathPattern,
  context: PathContext,
): (path: CallPath) => FittedForms {
  const whole = stringGlob(printPathPattern(pattern));
  const nfa = mayNfa(pattern);
  const folded = context.ignoreCase
    ? {
      nfa: mayNfa({ base: pattern.base, glob: foldPathGlob(pattern.glob) }),
      whole: foldGlob(whole),
    }
    : undefined;
  const base = pattern.base === "plain" ? "root" : pattern.base;
  return (path) => ({
    forms: path.forms.map((form, at) => {
      const other = path.folded[at];
      return fits(form, { nfa, base }) ||
        folded !== undefined && other !== undefined && fits(other, { nfa: folded.nfa, base });
    }),
    raw: matchGlob(whole, path.raw) ||
      folded !== undefined && matchGlob(folded.whole, foldCase(path.raw)),
  });
}

/**
 * Automata over absolute paths without their first slash: a deny or ask rule matches a path that one of them accepts. In lower
 * case where file names ignore case. Undefined if its folder is unknown.
 */
export function mayNfas(pattern: PathPattern, context: PathContext): readonly Nfa[] | undefined {
  const linked = linkedPattern(pattern, context);
  const fold = (text: string) => context.ignoreCase ? foldCase(text) : text;
  const all = (linked === undefined ? [pattern] : [pattern, linked]).map(({ base, glob }) => {
    const folders = base === "home"
      ? context.home
      : base === "workspace"
      ? context.workspace
      : [""];
    return folders.map((folder) => {
      const builder = new NfaBuilder();
      const root = fold(folder).replace(/^\/|\/$/g, "");
      if (root !== "") builder.text(glob.length === 0 ? root : `${root}/`);
      if (glob.length === 0 && root !== "") addBelow(builder);
      else addMay(builder, { base, glob: context.ignoreCase ? foldPathGlob(glob) : glob });
      return builder.finish();
    });
  });
  return all.some((nfas) => nfas.length === 0) ? undefined : all.flat();
}

function mayNfa(pattern: PathPattern): Nfa {
  const builder = new NfaBuilder();
  addMay(builder, pattern);
  return builder.finish();
}

function addMay(builder: NfaBuilder, pattern: PathPattern): void {
  // Below `/`, `~` and `.` themselves, no slash comes first.
  if (pattern.glob.length === 0) addGlob(builder, [{ kind: "star" }]);
  if (pattern.base === "plain") addAnyFolders(builder);
  builder.either([
    () => addPathGlob(builder, pattern.glob),
    () => addGlob(builder, stringGlob(printPathGlob(pattern.glob))),
  ]);
  addBelow(builder);
}

function stringGlob(text: string): Glob {
  const glob = parseGlob(text);
  return glob.ok ? glob.value : [];
}

function fits(
  form: PathForm,
  wanted: { nfa: Nfa; base: "root" | "home" | "workspace" },
): boolean {
  const text = form[wanted.base];
  return text !== undefined && runNfa(wanted.nfa, text);
}

function foldPathGlob(glob: PathGlob): PathGlob {
  return glob.map((node): PathNode => {
    switch (node.kind) {
      case "text":
        return { kind: "text", text: foldCase(node.text) };
      case "set":
        // The other case of a letter that a negated set excludes may match, so without case it excludes nothing.
        return node.negated ? { kind: "anyChar" } : {
          ...node,
          ranges: node.ranges.flatMap(foldRange),
          text: foldCase(node.text),
        };
      case "either":
        return { kind: "either", options: node.options.map(foldPathGlob) };
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

/**
 * The same pattern with the links in its literal beginning followed: `/usr/bin/**` for `/bin/**` if `/bin` is a link. Undefined
 * for a plain pattern, and if there is no link or none can be followed.
 */
export function linkedPattern(pattern: PathPattern, context: PathContext): PathPattern | undefined {
  const { head, rest } = splitHead(pattern.glob);
  const base = baseOf(pattern, context);
  if (base === undefined || head === "" || !context.realPath) return undefined;
  // A root pattern on Windows begins with its drive.
  const written = base === "" || base.endsWith("/") ? base + head : `${base}/${head}`;
  const real = realPathOf(written, context);
  if (real === undefined || real === written) return undefined;
  const text = real.replace(/^\//, "");
  // The context already knows both spellings of a base that is a link itself.
  const known = pattern.base === "home" ? context.home : context.workspace;
  if (pattern.base !== "root" && known.some((folder) => real === `${folder}/${head}`)) {
    return undefined;
  }
  return { base: "root", glob: joinGlob(text, rest) };
}

function baseOf(pattern: PathPattern, context: PathContext): string | undefined {
  switch (pattern.base) {
    case "root":
      return context.platform === "windows" ? "" : "/";
    case "home":
      return context.home[0];
    case "workspace":
      return context.workspace[0];
    case "plain":
      return undefined;
  }
}

/** The literal beginning up to its last whole segment, and the rest with its slash. */
function splitHead(glob: PathGlob): { head: string; rest: PathGlob } {
  const [first, ...others] = glob;
  if (first?.kind !== "text") return { head: "", rest: glob };
  if (others.length === 0) return { head: first.text, rest: [] };
  const end = first.text.lastIndexOf("/");
  if (end < 0) return { head: "", rest: glob };
  return {
    head: first.text.slice(0, end),
    rest: [{ kind: "text", text: first.text.slice(end) }, ...others],
  };
}

function joinGlob(text: string, rest: PathGlob): PathGlob {
  const [first, ...others] = rest;
  if (first?.kind !== "text") return [{ kind: "text", text }, ...rest];
  return [{ kind: "text", text: text + first.text }, ...others];
}

const realPaths = new WeakMap<PathContext, Map<string, string | undefined>>();

/** The path with links followed, cached since many rules begin in the same folder. */
function realPathOf(path: string, context: PathContext): string | undefined {
  let paths = realPaths.get(context);
  if (!paths) realPaths.set(context, paths = new Map());
  if (!paths.has(path)) {
    const real = context.realPath?.(path) ?? null;
    const normal = real === null
      ? undefined
      : normalPath(real, { platform: context.platform, cwd: real });
    paths.set(path, normal?.ok ? normal.path : undefined);
  }
  return paths.get(path);
}
