import { parseGlob } from "../../pattern/glob.ts";
import { linkedPattern } from "../../pattern/path/match_path.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { type PathGlob, type PathNode, printPathGlob } from "../../pattern/path/path_glob.ts";
import { type PathPattern, printPathPattern } from "../../pattern/path/path_pattern.ts";
import {
  addAnyFolders,
  addBelow,
  addGlob,
  addPathGlob,
  type Nfa,
  NfaBuilder,
  type NfaStep,
} from "../../pattern/path/path_nfa.ts";
import type { Automata } from "../automata/automaton.ts";
import type { State } from "../automata/state.ts";
import {
  ANY,
  type CharSet,
  charSet,
  complement,
  intersection,
  only,
} from "../automata/char_set.ts";
import { anyCase, anyCaseOf, type Cases, globLanguage, textLanguage } from "./glob_language.ts";

/** The absolute normal paths that a path test fits, regardless of links. */
export interface PathLanguages {
  /** The paths that it fits. */
  readonly forms: State;
  /** The texts that it fits as written, resolved or not; nothing for an allow rule. */
  readonly raw: State;
}

interface PathOptions {
  readonly automata: Automata;
  readonly context: PathContext;
}

const SLASH = only(0x2f);
const INNER = complement(SLASH);

/** Absolute paths without double slashes, dots or a final slash; on Windows those of a drive, without short names. */
export function pathDomain({ automata, context }: PathOptions): State {
  const { end } = automata;
  const windows = context.platform === "windows";
  const excluded = charSet([
    [0, 0],
    [0xd800, 0xdfff],
    [0x2f, 0x2f],
    ...(windows ? WINDOWS_EXCLUDED : []),
  ]);
  const inner = complement(excluded);
  const dots = windows ? DOT_OR_BLANK : charSet([]);
  const closing = intersection(inner, complement(dots));
  const any = automata.star(inner, automata.one(closing, end));
  const segment = windows ? any : automata.both(
    any,
    automata.not([automata.text(".", end), automata.text("..", end)]),
  );
  // Any number of segments, each behind a slash.
  const rest = automata.loop({ before: SLASH, inner: segment });
  if (!windows) return automata.either([automata.text("/", end), rest]);
  const drive = charSet([[0x41, 0x5a]]);
  const root = automata.one(drive, automata.text(":/", end));
  return automata.either([root, automata.one(drive, automata.one(only(0x3a), rest))]);
}

const WINDOWS_EXCLUDED: readonly (readonly [number, number])[] = [[0x3a, 0x3a], [0x5c, 0x5c], [
  0x7e,
  0x7e,
]];
const DOT_OR_BLANK = charSet([[0x20, 0x20], [0x2e, 0x2e]]);

/** The paths of an allow rule's pattern. */
export function mustPathLanguage(pattern: PathPattern, options: PathOptions): PathLanguages {
  const builder = new NfaBuilder();
  if (pattern.base === "plain" && !printPathGlob(pattern.glob).includes("/")) {
    addAnyFolders(builder);
  }
  addPathGlob(builder, pattern.glob);
  const base = pattern.base === "plain" ? "workspace" : pattern.base;
  const forms = fromBase(builder.finish(), { ...options, base, cases: "exact" });
  return { forms, raw: options.automata.nothing };
}

/** The paths of a deny or ask rule's pattern. */
export function mayPathLanguage(pattern: PathPattern, options: PathOptions): PathLanguages {
  const linked = linkedPattern(pattern, options.context);
  const all = [pattern, ...(linked ? [linked] : [])];
  const { automata, context } = options;
  const kinds: readonly Cases[] = context.ignoreCase ? ["exact", "folded"] : ["exact"];
  return {
    forms: automata.either(all.flatMap((each) => {
      const base = each.base === "plain" ? "root" : each.base;
      return kinds.map((cases) => {
        const glob = cases === "folded" ? withoutLeftOut(each.glob) : each.glob;
        const program = mayNfa({ base: each.base, glob });
        return fromBase(program, { ...options, base, cases });
      });
    })),
    raw: automata.either(all.flatMap((each) => {
      const whole = parseGlob(printPathPattern(each));
      const glob = whole.ok ? whole.value : [];
      return kinds.map((cases) => globLanguage(glob, { automata, next: automata.end, cases }));
    })),
  };
}

/** If case is ignored, a negated set excludes nothing: it fits the letter in the other case. */
function withoutLeftOut(glob: PathGlob): PathGlob {
  return glob.map((node): PathNode => {
    if (node.kind === "either") {
      return { kind: "either", options: node.options.map(withoutLeftOut) };
    }
    return node.kind === "set" && node.negated ? { kind: "anyChar" } : node;
  });
}

function mayNfa(pattern: PathPattern): Nfa {
  const builder = new NfaBuilder();
  if (pattern.glob.length === 0) addGlob(builder, [{ kind: "star" }]);
  if (pattern.base === "plain") addAnyFolders(builder);
  const text = parseGlob(printPathGlob(pattern.glob));
  builder.either([
    () => addPathGlob(builder, pattern.glob),
    () => addGlob(builder, text.ok ? text.value : []),
  ]);
  addBelow(builder);
  return builder.finish();
}

type FromBase = PathOptions & { base: "root" | "home" | "workspace"; cases: Cases };

/** The absolute paths whose part behind the base is accepted by the program. */
function fromBase(program: Nfa, { automata, context, base, cases }: FromBase): State {
  const state = nfaLanguage(program, { automata, cases });
  if (base === "root") {
    return context.platform === "windows" ? state : automata.one(SLASH, state);
  }
  const options = { automata, next: automata.end, cases };
  return automata.either((base === "home" ? context.home : context.workspace).map((folder) => {
    const self = state.accepts ? [textLanguage(folder, options)] : [];
    const below = textLanguage(`${folder.replace(/\/$/, "")}/`, { ...options, next: state });
    return automata.either([...self, below]);
  }));
}

/** The language of a program, built from its last step to its first. */
export function nfaLanguage(
  program: Nfa,
  { automata, cases }: { automata: Automata; cases: Cases },
): State {
  const states: State[] = [];
  for (let at = program.length - 1; at >= 0; at--) {
    states[at] = stateAt(at, { program, states, automata, cases });
  }
  return states[0] ?? automata.end;
}

function stateAt(at: number, { program, states, automata, cases }: {
  program: Nfa;
  states: readonly State[];
  automata: Automata;
  cases: Cases;
}): State {
  const step = program[at]!;
  if (step.kind === "accept") return automata.end;
  if (step.kind !== "fork") return automata.one(setOf(step, cases), states[at + 1]!);
  const body = program[at + 1];
  const back = program[at + 2];
  const repeats = back?.kind === "fork" && back.to.length === 1 && back.to[0] === at;
  if (repeats && body && body.kind !== "fork" && body.kind !== "accept") {
    const exit = step.to.find((to) => to !== at + 1)!;
    return automata.star(setOf(body, cases), states[exit]!);
  }
  // The way back of a repetition is read with its start.
  return automata.either(step.to.filter((to) => to > at).map((to) => states[to]!));
}

function setOf(step: NfaStep, cases: Cases): CharSet {
  switch (step.kind) {
    case "char":
      return cases === "exact" ? only(step.code) : anyCase(String.fromCodePoint(step.code));
    case "any":
      return ANY;
    case "inner":
      return INNER;
    case "set": {
      const set = charSet(step.ranges);
      if (cases === "exact") return intersection(step.negated ? complement(set) : set, INNER);
      return step.negated ? INNER : intersection(anyCaseOf(set), INNER);
    }
    case "fork":
    case "accept":
      return [];
  }
}
