import type { AskGroup } from "./ask_groups.ts";
import { type Candidate, compareCandidates, isWorth, type Need } from "./candidate.ts";

/** What is wanted of a set of rules. */
export interface CoverOptions {
  /** How many asks they should answer. */
  readonly goal: number;
  /** How many rules there may be. */
  readonly max: number;
  /** Patterns that may not be among them. */
  readonly banned: ReadonlySet<string>;
}

/** A set of patterns and what they answer. */
export interface Cover {
  /** The patterns, the one that answers most first. */
  readonly picks: readonly Candidate[];
  /** The groups that they answer together. */
  readonly answered: readonly AskGroup[];
}

/** One step: candidates that answer some asks when they come together. */
interface Move {
  readonly candidates: readonly Candidate[];
  readonly key: string;
  asks: number;
}

/** A call that needs more rules than this at once is not worth a step. */
const TOGETHER = 4;

/** Ways to answer one group that are looked at. */
const WAYS = 16;

/** A folder that answers this part of what a folder above it does is taken in its place. */
const NEARLY = 0.9;

/**
 * A small set of patterns that answers many asks: step by step what answers most per pattern, the narrower of equals, and at
 * the end without those that the others make needless. Deterministic.
 */
export function coverAsks(groups: readonly AskGroup[], options: CoverOptions): Cover {
  const { goal, max } = options;
  const usable = usableCandidates(groups, options);
  const picks = new Map<string, Candidate>();
  while (picks.size < max && askCount(answeredBy(groups, picks)) < goal) {
    const move = bestMove(movesOf(groups, { picks, usable }), max - picks.size);
    if (move === undefined) break;
    for (const candidate of move.candidates) picks.set(candidate.pattern, candidate);
  }
  withoutNeedless(groups, picks);
  return { picks: ranked(groups, picks), answered: answeredBy(groups, picks) };
}

/** How many asks the groups are. */
export function askCount(groups: readonly AskGroup[]): number {
  return groups.reduce((sum, { count }) => sum + count, 0);
}

type Picks = Pick<ReadonlyMap<string, Candidate>, "has">;

function answeredBy(groups: readonly AskGroup[], picks: Picks): readonly AskGroup[] {
  return groups.filter(({ needs }) => missing(needs, picks).length === 0);
}

function missing(needs: readonly Need[], picks: Picks): readonly Need[] {
  return needs.filter(({ candidates }) => !candidates.some(({ pattern }) => picks.has(pattern)));
}

/** The patterns that come often enough. */
function usableCandidates(
  groups: readonly AskGroup[],
  { banned }: CoverOptions,
): ReadonlySet<string> {
  const seen = new Map<string, { candidate: Candidate; asks: number; kinds: number }>();
  for (const { needs, count, kinds } of groups) {
    for (const candidate of needs.flatMap(({ candidates }) => candidates)) {
      const known = seen.get(candidate.pattern);
      if (known === undefined) seen.set(candidate.pattern, { candidate, asks: count, kinds });
      else [known.asks, known.kinds] = [known.asks + count, known.kinds + kinds];
    }
  }
  const worth = [...seen].filter(([pattern, { candidate, ...counts }]) =>
    !banned.has(pattern) && isWorth(candidate, counts)
  );
  return new Set(worth.map(([pattern]) => pattern));
}

function movesOf(
  groups: readonly AskGroup[],
  { picks, usable }: { readonly picks: Picks; readonly usable: ReadonlySet<string> },
): ReadonlyMap<string, Move> {
  const moves = new Map<string, Move>();
  for (const { needs, count } of groups) {
    const open = missing(needs, picks);
    if (open.length === 0 || open.length > TOGETHER) continue;
    const choices = open.map(({ candidates }) =>
      candidates.filter(({ pattern }) => usable.has(pattern))
    );
    for (const [key, candidates] of waysOf(choices)) {
      const known = moves.get(key);
      if (known === undefined) moves.set(key, { candidates, key, asks: count });
      else known.asks += count;
    }
  }
  return moves;
}

/** One candidate of each choice, in every way but for too many of them. */
function waysOf(choices: readonly (readonly Candidate[])[]) {
  let ways: readonly (readonly Candidate[])[] = [[]];
  for (const choice of choices) {
    ways = ways.flatMap((way) => choice.map((each) => [...way, each])).slice(0, WAYS);
  }
  return new Map(ways.map((way) => {
    const unique = [...new Map(way.map((each) => [each.pattern, each])).values()]
      .sort(compareCandidates);
    return [unique.map(({ pattern }) => pattern).sort().join("\n"), unique] as const;
  }));
}

function bestMove(moves: ReadonlyMap<string, Move>, room: number): Move | undefined {
  let best: { readonly move: Move; readonly score: number } | undefined;
  for (const move of moves.values()) {
    if (move.candidates.length > room) continue;
    const score = asksOf(move, moves) / move.candidates.length;
    const isBetter = best === undefined || score > best.score ||
      score === best.score && compareMoves(move, best.move) < 0;
    if (isBetter) best = { move, score };
  }
  return best && nearlyAsGood(best.move, moves);
}

/** What a step answers: also what parts of it do. */
function asksOf({ candidates, key, asks }: Move, moves: ReadonlyMap<string, Move>): number {
  if (candidates.length === 1) return asks;
  const patterns = candidates.map(({ pattern }) => pattern).sort();
  let sum = 0;
  for (let set = 1; set < 2 ** patterns.length; set++) {
    const part = patterns.filter((_, at) => (set >> at) % 2 === 1).join("\n");
    sum += part === key ? asks : moves.get(part)?.asks ?? 0;
  }
  return sum;
}

/** The deepest folder below that answers nearly as much. */
function nearlyAsGood(best: Move, moves: ReadonlyMap<string, Move>): Move {
  const [candidate] = best.candidates;
  if (best.candidates.length !== 1 || candidate?.kind !== "folder") return best;
  const base = candidate.pattern.slice(0, -"**".length);
  let found = best;
  for (const move of moves.values()) {
    const [other] = move.candidates;
    if (move.candidates.length !== 1 || other?.kind !== "folder") continue;
    if (!other.pattern.startsWith(base) || move.asks < best.asks * NEARLY) continue;
    if (other.pattern.length > found.key.length) found = move;
  }
  return found;
}

function compareMoves(one: Move, other: Move): number {
  const size = one.candidates.length - other.candidates.length;
  if (size !== 0) return size;
  for (const [at, candidate] of one.candidates.entries()) {
    const order = compareCandidates(candidate, other.candidates[at]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** Takes out what the others answer too, beginning with the widest. */
function withoutNeedless(groups: readonly AskGroup[], picks: Map<string, Candidate>): void {
  const most = askCount(answeredBy(groups, picks));
  for (const candidate of [...picks.values()].sort((a, b) => compareCandidates(b, a))) {
    picks.delete(candidate.pattern);
    if (askCount(answeredBy(groups, picks)) < most) picks.set(candidate.pattern, candidate);
  }
}

function ranked(
  groups: readonly AskGroup[],
  picks: ReadonlyMap<string, Candidate>,
): readonly Candidate[] {
  const asks = new Map<string, number>();
  for (const { needs, count } of answeredBy(groups, picks)) {
    const used = new Set(
      needs.flatMap(({ candidates }) =>
        candidates.find(({ pattern }) => picks.has(pattern))?.pattern ?? []
      ),
    );
    for (const pattern of used) asks.set(pattern, (asks.get(pattern) ?? 0) + count);
  }
  return [...picks.values()].sort((a, b) =>
    (asks.get(b.pattern) ?? 0) - (asks.get(a.pattern) ?? 0) || compareCandidates(a, b)
  );
}
