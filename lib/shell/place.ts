import type { CommandTexts } from "./command_texts.ts";
import type { AllowText } from "./unit.ts";
import type { Word } from "./parse/tree.ts";

/** A command round a command, or round something that it does besides. */
export interface OuterCommand {
  /** Its texts. */
  readonly texts: CommandTexts;
  /** How far the index of an inner word is from its index among the outer's words, where they are the same words. */
  readonly wordOffset?: number;
  /** The index of the outer's word that the inner text is, or ends in. */
  readonly lastWord?: number;
  /** Whether it runs just this one, so that a rule for the outer can cover it. */
  readonly isOnly: boolean;
  /** The outer's program where running code is its trade. */
  readonly interpreter?: string;
}

/** Where a command stands. */
export interface CommandContext {
  /** What it was reached through; null for the line itself. */
  readonly via: string | null;
  /** How deep. */
  readonly depth: number;
  /** The commands round it, nearest first. */
  readonly outers: readonly OuterCommand[];
  /** Whether its output goes to a command that is no companion. */
  readonly piped: boolean;
  /** The words of the loops round it, by variable; only where none begins with "-". */
  readonly loops: ReadonlyMap<string, readonly Word[]>;
}

/** The line itself. */
export const TOP: CommandContext = {
  via: null,
  depth: 0,
  outers: [],
  piped: false,
  loops: new Map(),
};

/** A place one deeper. */
export function inside(place: CommandContext, via: string, outer?: OuterCommand): CommandContext {
  return {
    ...place,
    via,
    depth: place.depth + 1,
    outers: outer ? [outer, ...place.outers.map((each) => nestedOuter(each, outer))] : [],
    piped: place.piped && outer !== undefined,
  };
}

/** The covers of what the words of a command up to an index say, by itself and by the commands round it. */
export function allowTextsOf(
  texts: CommandTexts,
  { last, place, trade }: { last: number; place: CommandContext; trade?: string },
): readonly AllowText[] {
  const own: OuterCommand = { texts, wordOffset: 0, isOnly: true };
  const traded = trade !== undefined;
  return [own, ...place.outers].flatMap((outer) => allowTextsBy(outer, { index: last, traded }));
}

const NONE: readonly AllowText[] = [];

/** The covers of a command, whose name is its first word, by the commands round it. */
export function outerAllowTexts(place: CommandContext): readonly AllowText[] {
  if (place.outers.length === 0) return NONE;
  return place.outers.flatMap((outer) => allowTextsBy(outer, { index: 0, traded: false }));
}

/** `traded`: running code is the inner command's trade, so that naming it is enough. */
function allowTextsBy(
  { texts, wordOffset, lastWord, isOnly, interpreter }: OuterCommand,
  { index, traded }: { index: number; traded: boolean },
): readonly AllowText[] {
  const { resolved, written, ends, limit } = texts;
  const at = wordOffset === undefined ? lastWord : index + wordOffset;
  const need = isOnly && at !== undefined ? ends[at] ?? Infinity : Infinity;
  const covers: AllowText[] = [{ text: resolved, minLiteral: need, maxLiteral: limit }];
  if (interpreter !== undefined) covers.push(interpreterText(resolved, ends[0]));
  if (traded && isOnly && wordOffset !== undefined) {
    covers.push(interpreterText(resolved, ends[wordOffset]));
  }
  if (written !== resolved) {
    covers.push({ text: written, minLiteral: Infinity, maxLiteral: Infinity });
  }
  return covers;
}

/** A rule that names no more than the program whose name ends there covers it. */
function interpreterText(resolved: string, end: number | undefined): AllowText {
  return {
    text: resolved,
    minLiteral: Infinity,
    maxLiteral: Infinity,
    interpreter: resolved.slice(0, end),
  };
}

/** An outer of an outer, as the inner command sees it. */
function nestedOuter(outer: OuterCommand, between: OuterCommand): OuterCommand {
  const { wordOffset, lastWord, ...rest } = outer;
  const alone = outer.isOnly && between.isOnly;
  if (wordOffset === undefined) {
    return { ...rest, isOnly: alone, ...(lastWord === undefined ? {} : { lastWord }) };
  }
  if (between.wordOffset !== undefined) {
    return { ...rest, isOnly: alone, wordOffset: wordOffset + between.wordOffset };
  }
  return {
    ...rest,
    isOnly: alone,
    ...(between.lastWord === undefined ? {} : { lastWord: between.lastWord + wordOffset }),
  };
}
