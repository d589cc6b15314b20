import { type Glob, literalGlob, onlyText } from "../../pattern/glob.ts";
import { matchGlob } from "../../pattern/match_glob.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import type { Automata } from "../automata/automaton.ts";
import { covers, pieces } from "../automata/edges.ts";
import type { State } from "../automata/state.ts";
import { LAST } from "../automata/char_set.ts";
import { globLanguage } from "./glob_language.ts";
import type { Budget } from "../automata/find_words.ts";
import { mostReadable, rankOf } from "../readable.ts";

/** Names of tools that stand for all: every name that a rule or profile has, and one for each way globs meet elsewhere. */
export interface ToolNames {
  /** The names. */
  readonly names: readonly string[];
  /** Whether none is left out. */
  readonly complete: boolean;
}

/** How many ways of globs are looked at for names. */
const MAX_WORK = 1_000_000;

/** The names that policies tell apart. */
export function toolNames(policies: readonly Policy[], automata: Automata): ToolNames {
  const globs = new Map<string, Glob>();
  const known = new Set(policies.flatMap(({ profiles }) => profiles.known.map(({ name }) => name)));
  for (const { parsed } of policies.flatMap(({ rules }) => rules)) {
    const name = onlyText(parsed.tool);
    if (name === undefined) globs.set(JSON.stringify(parsed.tool), parsed.tool);
    else known.add(name);
  }
  if (globs.size === 0) return { names: [...known], complete: true };
  const stateOf = (glob: Glob) => globLanguage(glob, { automata, next: automata.end });
  const wild = [...globs.values()];
  // Known names that no glob fits cannot stand in the way.
  const near = [...known].filter((name) => wild.some((glob) => matchGlob(glob, name)));
  const { words, complete } = regions({
    wild: wild.map(stateOf),
    known: near.map((name) => stateOf(literalGlob(name))),
  });
  return { names: [...known, ...words], complete };
}

interface Globs {
  readonly wild: readonly State[];
  readonly known: readonly State[];
}

interface Spot {
  /** Where each glob stands that still may fit. */
  readonly at: readonly (readonly [glob: number, state: State])[];
  readonly word: string;
}

/** The shortest name of each set of globs that fit together, known names apart. */
function regions({ wild, known }: Globs): { words: readonly string[]; complete: boolean } {
  const words = new Map<string, string>();
  const seen = new Set<string>();
  const budget = { left: MAX_WORK };
  let layer: Spot[] = [{
    at: [...wild, ...known].map((state, glob) => [glob, state] as const),
    word: "",
  }];
  while (layer.length > 0) {
    const next: Spot[] = [];
    for (const spot of layer) {
      if (budget.left < 0) return { words: [...words.values()], complete: false };
      const fitting = new Set(spot.at.flatMap(([glob, { accepts }]) => accepts ? [glob] : []));
      const isKnown = [...fitting].some((glob) => glob >= wild.length);
      const key = [...fitting].sort((a, b) => a - b).join();
      if (spot.word !== "" && !isKnown && key !== "" && !words.has(key)) words.set(key, spot.word);
      next.push(...stepsOf(spot, { seen, wild: wild.length, budget }));
    }
    layer = next;
  }
  return { words: [...words.values()], complete: true };
}

/**
 * The spots one character further. One that known names may still begin at is left out where the same globs stand without:
 * what it leads to, that one leads to, and to no known name.
 */
function stepsOf(
  { at, word }: Spot,
  { seen, wild, budget }: { seen: Set<string>; wild: number; budget: Budget },
): readonly Spot[] {
  const edges = at.flatMap(([glob, state]) => state.edges.map((edge) => ({ ...edge, glob })));
  const cuts = pieces([0, LAST], edges);
  budget.left -= cuts.length * (1 + edges.length);
  const steps = cuts.map(([low, high]) => {
    const reached = new Map<string, readonly [number, State]>();
    for (const { set, to, glob } of edges) {
      if (covers(set, low)) reached.set(`${glob} ${to.id}`, [glob, to]);
    }
    const clean = [...reached].filter(([, [glob]]) => glob < wild).map(([key]) => key).sort();
    return { symbol: mostReadable(low, high), reached, clean: clean.join(), size: clean.length };
  });
  steps.sort((a, b) =>
    (a.reached.size - a.size) - (b.reached.size - b.size) || rankOf(a.symbol) - rankOf(b.symbol)
  );
  return steps.flatMap(({ symbol, reached, clean, size }): readonly Spot[] => {
    const key = size === reached.size ? clean : [...reached.keys()].sort().join();
    if (size === 0 || seen.has(clean) || seen.has(key)) return [];
    seen.add(key);
    return [{ at: [...reached.values()], word: word + String.fromCodePoint(symbol) }];
  });
}
