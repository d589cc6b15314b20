import type { CommandTexts } from "./command_texts.ts";
import type { Cover } from "./unit.ts";
import type { Word } from "./tree.ts";

/** A command round a command, or round something that it does besides. */
export interface Outer {
  /** Its texts. */
  readonly texts: CommandTexts;
  /** How far the index of an inner word is from its index among the outer's words, where they are the same words. */
  readonly shift?: number;
  /** The index of the outer's word that the inner text is, or ends in. */
  readonly last?: number;
  /** Whether it runs just this one, so that a rule for the outer can cover it. */
  readonly alone: boolean;
  /** The outer's program where running code is its trade. */
  readonly trade?: string;
}

/** Where a command stands. */
export interface Place {
  /** What it was reached through; null for the line itself. */
  readonly via: string | null;
  /** How deep. */
  readonly depth: number;
  /** The commands round it, nearest first. */
  readonly outers: readonly Outer[];
  /** Whether its output goes to a command that is no companion. */
  readonly piped: boolean;
  /** The words of the loops round it, by variable; only where none begins with "-". */
  readonly loops: ReadonlyMap<string, readonly Word[]>;
}

/** The line itself. */
export const TOP: Place = { via: null, depth: 0, outers: [], piped: false, loops: new Map() };

/** A place one deeper. */
export function inside(place: Place, via: string, outer?: Outer): Place {
  return {
    ...place,
    via,
    depth: place.depth + 1,
    outers: outer ? [outer, ...place.outers.map((each) => further(each, outer))] : [],
    piped: place.piped && outer !== undefined,
  };
}

/** The covers of what the words of a command up to an index say, by itself and by the commands round it. */
export function coversOf(
  texts: CommandTexts,
  { last, place, trade }: { last: number; place: Place; trade?: string },
): readonly Cover[] {
  const own: Outer = { texts, shift: 0, alone: true };
  const traded = trade !== undefined;
  return [own, ...place.outers].flatMap((outer) => coversBy(outer, { index: last, traded }));
}

const NONE: readonly Cover[] = [];

/** The covers of a command, whose name is its first word, by the commands round it. */
export function outerCovers(place: Place): readonly Cover[] {
  if (place.outers.length === 0) return NONE;
  return place.outers.flatMap((outer) => coversBy(outer, { index: 0, traded: false }));
}

/** `traded`: running code is the inner command's trade, so that naming it is enough. */
function coversBy(
  { texts, shift, last, alone, trade }: Outer,
  { index, traded }: { index: number; traded: boolean },
): readonly Cover[] {
  const { resolved, written, ends, limit } = texts;
  const at = shift === undefined ? last : index + shift;
  const need = alone && at !== undefined ? ends[at] ?? Infinity : Infinity;
  const covers: Cover[] = [{ text: resolved, need, limit }];
  if (trade !== undefined) covers.push(tradeCover(resolved, ends[0]));
  if (traded && alone && shift !== undefined) covers.push(tradeCover(resolved, ends[shift]));
  if (written !== resolved) covers.push({ text: written, need: Infinity, limit: Infinity });
  return covers;
}

/** A rule that names no more than the program whose name ends there covers it. */
function tradeCover(resolved: string, end: number | undefined): Cover {
  return { text: resolved, need: Infinity, limit: Infinity, trade: resolved.slice(0, end) };
}

/** An outer of an outer, as the inner command sees it. */
function further(outer: Outer, between: Outer): Outer {
  const { shift, last, ...rest } = outer;
  const alone = outer.alone && between.alone;
  if (shift === undefined) return { ...rest, alone, ...(last === undefined ? {} : { last }) };
  if (between.shift !== undefined) return { ...rest, alone, shift: shift + between.shift };
  return { ...rest, alone, ...(between.last === undefined ? {} : { last: between.last + shift }) };
}
