import { type Glob, literalGlob, matchGlob, onlyText } from "../../pattern/glob.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { Automata } from "../automata/automaton.ts";
import { pieces, type State } from "../automata/state.ts";
import { has, LAST, mostReadable, rankOf } from "../automata/char_set.ts";
import { globLanguage } from "./glob_language.ts";
import type { Budget } from "../automata/find_words.ts";

/** Tool names that represent all: every name in a rule or profile, and one for each way in which globs overlap elsewhere. */
export interface ToolNames {
  readonly names: readonly string[];
  /** True if none is left out. */
  readonly complete: boolean;
}

/** The most edges of globs that are followed for names. */
const MAX_WORK = 1_000_000;

/** Finds the names that the policies' rules tell apart. */
export function toolNames(policies: readonly CompiledPolicy[], automata: Automata): ToolNames {
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
  // Known names that no glob fits cannot be in the way.
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
  /** The state of each glob that may still fit. */
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
 * The spots one character further. Skips one that known names may still continue if the same globs are there without them:
 * that one leads to the same names, and to no known name.
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
      if (has(set, low)) reached.set(`${glob} ${to.id}`, [glob, to]);
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
