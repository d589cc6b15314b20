import {
  type AskGroup,
  compareBreadth,
  isWorthRule,
  type PatternChoice,
  type SuggestablePattern,
} from "./ask_groups.ts";

/** Options of `coverAsks`. */
export interface ChooseOptions {
  /** The number of asks to answer. */
  readonly goal: number;
  /** The most rules. */
  readonly max: number;
  /** Patterns that may not be among them. */
  readonly banned: ReadonlySet<string>;
}

/** A set of patterns, and the asks that they answer. */
export interface ChosenPatterns {
  /** The patterns, the one that answers most first. */
  readonly picks: readonly SuggestablePattern[];
  /** The groups that they answer together. */
  readonly answered: readonly AskGroup[];
}

/** One step: patterns that answer some asks together. */
interface Move {
  readonly patterns: readonly SuggestablePattern[];
  readonly key: string;
  asks: number;
}

/** The most rules in one step. */
const TOGETHER = 4;

/** The most ways to answer one group that are tried. */
const WAYS = 16;

/** A folder that answers this part of the asks of a folder above it replaces that. */
const NEARLY = 0.9;

/**
 * A small set of patterns that answers many asks. Greedy: each step takes the patterns that answer most per pattern, the
 * narrower of equals; at the end redundant patterns are removed. Deterministic.
 */
export function choosePatterns(
  groups: readonly AskGroup[],
  options: ChooseOptions,
): ChosenPatterns {
  const { goal, max } = options;
  const usable = usablePatterns(groups, options);
  const picks = new Map<string, SuggestablePattern>();
  while (picks.size < max && askCount(answeredBy(groups, picks)) < goal) {
    const move = bestMove(movesOf(groups, { picks, usable }), max - picks.size);
    if (move === undefined) break;
    for (const suggestable of move.patterns) picks.set(suggestable.pattern, suggestable);
  }
  withoutNeedless(groups, picks);
  return { picks: ranked(groups, picks), answered: answeredBy(groups, picks) };
}

/** The number of asks in the groups. */
export function askCount(groups: readonly AskGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

type Picks = Pick<ReadonlyMap<string, SuggestablePattern>, "has">;

function answeredBy(groups: readonly AskGroup[], picks: Picks): readonly AskGroup[] {
  return groups.filter(({ choices }) => missing(choices, picks).length === 0);
}

function missing(choices: readonly PatternChoice[], picks: Picks): readonly PatternChoice[] {
  return choices.filter(({ patterns }) => !patterns.some(({ pattern }) => picks.has(pattern)));
}

/** The patterns that are worth a rule. */
function usablePatterns(
  groups: readonly AskGroup[],
  { banned }: ChooseOptions,
): ReadonlySet<string> {
  const seen = new Map<string, { suggestable: SuggestablePattern; asks: number; kinds: number }>();
  for (const { choices, count, kinds } of groups) {
    for (const suggestable of choices.flatMap(({ patterns }) => patterns)) {
      const known = seen.get(suggestable.pattern);
      if (known === undefined) seen.set(suggestable.pattern, { suggestable, asks: count, kinds });
      else [known.asks, known.kinds] = [known.asks + count, known.kinds + kinds];
    }
  }
  const worth = [...seen].filter(([pattern, { suggestable, ...counts }]) =>
    !banned.has(pattern) && isWorthRule(suggestable, counts)
  );
  return new Set(worth.map(([pattern]) => pattern));
}

function movesOf(
  groups: readonly AskGroup[],
  { picks, usable }: { readonly picks: Picks; readonly usable: ReadonlySet<string> },
): ReadonlyMap<string, Move> {
  const moves = new Map<string, Move>();
  for (const { choices, count } of groups) {
    const open = missing(choices, picks);
    if (open.length === 0 || open.length > TOGETHER) continue;
    const usableChoices = open.map(({ patterns }) =>
      patterns.filter(({ pattern }) => usable.has(pattern))
    );
    for (const [key, patterns] of waysOf(usableChoices)) {
      const known = moves.get(key);
      if (known === undefined) moves.set(key, { patterns, key, asks: count });
      else known.asks += count;
    }
  }
  return moves;
}

/** One pattern of each choice, in every combination, up to a limit. */
function waysOf(choices: readonly (readonly SuggestablePattern[])[]) {
  let ways: readonly (readonly SuggestablePattern[])[] = [[]];
  for (const choice of choices) {
    ways = ways.flatMap((way) => choice.map((each) => [...way, each])).slice(0, WAYS);
  }
  return new Map(ways.map((way) => {
    const unique = [...new Map(way.map((each) => [each.pattern, each])).values()]
      .sort(compareBreadth);
    return [unique.map(({ pattern }) => pattern).sort().join("\n"), unique] as const;
  }));
}

function bestMove(moves: ReadonlyMap<string, Move>, room: number): Move | undefined {
  let best: { readonly move: Move; readonly score: number } | undefined;
  for (const move of moves.values()) {
    if (move.patterns.length > room) continue;
    const score = asksOf(move, moves) / move.patterns.length;
    const isBetter = best === undefined || score > best.score ||
      score === best.score && compareMoves(move, best.move) < 0;
    if (isBetter) best = { move, score };
  }
  return best && nearlyAsGood(best.move, moves);
}

/** The number of asks that a step answers, including its parts. */
function asksOf(
  { patterns, key, asks }: Move,
  moves: ReadonlyMap<string, Move>,
): number {
  if (patterns.length === 1) return asks;
  const texts = patterns.map(({ pattern }) => pattern).sort();
  let sum = 0;
  for (let set = 1; set < 2 ** texts.length; set++) {
    const part = texts.filter((_, at) => (set >> at) % 2 === 1).join("\n");
    sum += part === key ? asks : moves.get(part)?.asks ?? 0;
  }
  return sum;
}

/** The deepest folder below a step's folder that answers nearly as much. */
function nearlyAsGood(best: Move, moves: ReadonlyMap<string, Move>): Move {
  const [suggestable] = best.patterns;
  if (best.patterns.length !== 1 || suggestable?.kind !== "folder") return best;
  const base = suggestable.pattern.slice(0, -"**".length);
  let found = best;
  for (const move of moves.values()) {
    const [other] = move.patterns;
    if (move.patterns.length !== 1 || other?.kind !== "folder") continue;
    if (!other.pattern.startsWith(base) || move.asks < best.asks * NEARLY) continue;
    if (other.pattern.length > found.key.length) found = move;
  }
  return found;
}

function compareMoves(one: Move, other: Move): number {
  const size = one.patterns.length - other.patterns.length;
  if (size !== 0) return size;
  for (const [at, suggestable] of one.patterns.entries()) {
    const order = compareBreadth(suggestable, other.patterns[at]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** Removes patterns that the others make redundant, the broadest first. */
function withoutNeedless(
  groups: readonly AskGroup[],
  picks: Map<string, SuggestablePattern>,
): void {
  const most = askCount(answeredBy(groups, picks));
  for (const suggestable of [...picks.values()].sort((a, b) => compareBreadth(b, a))) {
    picks.delete(suggestable.pattern);
    if (askCount(answeredBy(groups, picks)) < most) picks.set(suggestable.pattern, suggestable);
  }
}

function ranked(
  groups: readonly AskGroup[],
  picks: ReadonlyMap<string, SuggestablePattern>,
): readonly SuggestablePattern[] {
  const asks = new Map<string, number>();
  for (const { choices, count } of answeredBy(groups, picks)) {
    const used = new Set(
      choices.flatMap(({ patterns }) =>
        patterns.find(({ pattern }) => picks.has(pattern))?.pattern ?? []
      ),
    );
    for (const pattern of used) asks.set(pattern, (asks.get(pattern) ?? 0) + count);
  }
  return [...picks.values()].sort((a, b) =>
    (asks.get(b.pattern) ?? 0) - (asks.get(a.pattern) ?? 0) || compareBreadth(a, b)
  );
}
