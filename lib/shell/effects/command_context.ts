import type { AllowText, Effect, InlineCode, OpenEffect } from "../effect.ts";
import type { Expansions, Node, UnknownPart, Word } from "../parse/tree.ts";
import type { Shell } from "../parse/shell.ts";
import type { ProgramCatalog } from "../programs/program_catalog.ts";
import { enteredFolders, type Folders, type FoldersAfter } from "./folders.ts";
import type { LineState } from "./line_state.ts";
import type { ListedNames } from "./listed_names.ts";
import type { CommandTexts } from "./texts/command_texts.ts";

/** A parsed line. */
export interface Line {
  /** True if it may define a function. */
  readonly hasFunctions: boolean;
  readonly node: Node;
  readonly catalog: ProgramCatalog;
  readonly shell: Shell;
  /** True if the file names behind its wildcards, and those that it lists, are plain. */
  readonly hasPlainNames: boolean;
  /** True if the classes of commands are wanted. */
  readonly wantsClasses: boolean;
}

/** A command around a command, or around one of its uses. */
export interface OuterCommand {
  readonly texts: CommandTexts;
  /** The index among its words of the inner command's first word; absent if they share no words. */
  readonly wordOffset?: number;
  /** The index of its last word that belongs to the inner text. */
  readonly lastWord?: number;
  /** True if it runs this command only, so that an allow rule for it may allow the inner command. */
  readonly isOnly: boolean;
  /** Its program, if that is an interpreter. */
  readonly interpreter?: string;
}

/** The position of a command in its line. */
export interface CommandContext {
  /** The construct or program that it is reached through; null in the line itself. */
  readonly via: string | null;
  /** The number of such constructs and programs. */
  readonly depth: number;
  /** The commands around it, innermost first. */
  readonly outers: readonly OuterCommand[];
  /** True if its output goes to a command that is not harmless. */
  readonly piped: boolean;
  /** True if its standard output is a pipe of the line. */
  readonly isHandedOn: boolean;
  /** True if the line gives its standard input. */
  readonly fed: boolean;
  /** True if a command around it looks for programs in the workspace first. */
  readonly ownBinaries: boolean;
  /** The file names that it reads on standard input, one in each line; undefined if these are unknown. */
  readonly names: ListedNames | undefined;
  /** The words of the loops around it, by variable; only words that certainly do not begin with "-". */
  readonly loops: ReadonlyMap<string, readonly Word[]>;
}

/** The position of a command and its possible folders. */
export interface Place {
  readonly context: CommandContext;
  readonly folders: Folders;
}

/** An unknown part of a line, and its exceptions. */
export interface UnknownEffect extends UnknownPart, Pick<Effect, "unknownFileAccess"> {
  readonly isOrdinaryScript?: true | undefined;
  readonly isScript?: true | undefined;
  readonly code?: InlineCode | undefined;
}

/** The position of something unknown, and the texts by which an allow rule allows it. */
export interface UnknownPlace {
  readonly context: CommandContext;
  /** The index of the effect that it is a part of. */
  readonly owner?: number | undefined;
  readonly allowTexts: readonly AllowText[];
}

/** The reader of a line as its commands see it: they add effects to it and return to it for the commands inside them. */
export interface LineReader {
  readonly state: LineState;
  /** True if a command of the line may change its folder. */
  readonly changesFolder: boolean;
  /** Adds an effect. Returns its index. */
  add(effect: Effect): number;
  addUnknown(part: UnknownEffect, place: UnknownPlace): void;
  /** Reads the lines, unknown parts and arithmetic in the words of a command. */
  readExpansions(expansions: Expansions, place: Place & UnknownPlace): void;
  /** Reads commands. Returns the folders of the next command. */
  read(node: Node, place: Place): FoldersAfter;
}

/** The surroundings of a command that is being read. */
export interface Scope extends Place {
  readonly line: LineReader;
  /** The index of the effect whose files and unknown parts are added. */
  readonly owner?: number;
}

/** The scope in which a program finds its files: one of its options may name a folder that it enters first (`git -C`). */
export function enteredScope(scope: Scope, enters: Word | undefined): Scope {
  return enters === undefined
    ? scope
    : { ...scope, folders: enteredFolders(scope.folders, enters) };
}

/** The context of the line itself. */
export const TOP: CommandContext = {
  via: null,
  depth: 0,
  outers: [],
  piped: false,
  isHandedOn: false,
  fed: false,
  ownBinaries: false,
  names: undefined,
  loops: new Map(),
};

/** The context one level deeper; `outer` is the command around it, absent for a substitution. */
export function innerContext(
  context: CommandContext,
  via: string,
  outer?: OuterCommand,
): CommandContext {
  const { fed, ownBinaries, loops } = context;
  return {
    via,
    depth: context.depth + 1,
    outers: outer ? [outer, ...context.outers.map((each) => nestedOuter(each, outer))] : [],
    piped: context.piped && outer !== undefined,
    isHandedOn: false,
    fed,
    ownBinaries,
    names: undefined,
    loops,
  };
}

/**
 * The texts by which an allow rule for a command, or for one around it, allows a use by its words up to `last`. For an
 * interpreter, a rule that names just the program is enough; `trades` are the last words of all such names.
 */
export function useAllowTexts(
  texts: CommandTexts,
  { last, context, trades = [] }: {
    last: number;
    context: CommandContext;
    trades?: readonly number[];
  },
): readonly AllowText[] {
  const { reordered, folders, resolved, maxLiteral } = texts;
  const { outers } = context;
  const isPlain = reordered === undefined && folders === undefined && trades.length === 0;
  if (isPlain && outers.length === 0) {
    const own = { text: resolved, minLiteral: texts.ends[last] ?? Infinity, maxLiteral };
    return texts.written === resolved ? [own] : [own, exactText(texts.written)];
  }
  const where = { index: last, trades };
  const own = allowTextsBy({ texts, wordOffset: 0, isOnly: true }, where);
  return [
    ...own,
    ...(reordered ? allowTextsBy({ texts: reordered, wordOffset: 0, isOnly: true }, where) : []),
    ...outers.flatMap((outer) => allowTextsBy(outer, where)),
  ];
}

/** No texts: no rule allows it. */
export const NO_TEXTS: readonly AllowText[] = [];

/** The texts by which an allow rule for a command around it allows a command. */
export function outerAllowTexts({ outers }: CommandContext): readonly AllowText[] {
  if (outers.length === 0) return NO_TEXTS;
  return outers.flatMap((outer) => allowTextsBy(outer, { index: 0, trades: [] }));
}

function allowTextsBy(
  { texts, wordOffset, lastWord, isOnly, interpreter }: OuterCommand,
  { index, trades }: { index: number; trades: readonly number[] },
): readonly AllowText[] {
  const { resolved, written, ends, maxLiteral, folders } = texts;
  const last = wordOffset === undefined ? lastWord : index + wordOffset;
  const minLiteral = isOnly && last !== undefined ? ends[last] ?? Infinity : Infinity;
  const allowTexts: AllowText[] = [{ text: resolved, minLiteral, maxLiteral }];
  if (interpreter !== undefined) allowTexts.push(interpreterText(resolved, ends[0]));
  if (isOnly && wordOffset !== undefined) {
    for (const trade of trades) {
      const end = ends[wordOffset + trade];
      if (end !== undefined) allowTexts.push(interpreterText(resolved, end));
    }
  }
  if (written !== resolved) allowTexts.push(exactText(written));
  if (folders) return allowTexts.map((each) => ({ ...each, folders }));
  return allowTexts;
}

/** A text that only a rule without wildcards allows. */
export function exactText(text: string): AllowText {
  return { text, minLiteral: Infinity, maxLiteral: Infinity };
}

/** A text that a rule allows by naming just the program that ends at `end`. */
function interpreterText(resolved: string, end: number | undefined): AllowText {
  return { ...exactText(resolved), interpreter: resolved.slice(0, end) };
}

/** An outer command of an outer command, as the innermost command sees it. */
function nestedOuter(outer: OuterCommand, between: OuterCommand): OuterCommand {
  const { wordOffset, lastWord, ...rest } = outer;
  const nested = { ...rest, isOnly: outer.isOnly && between.isOnly };
  if (wordOffset === undefined) return lastWord === undefined ? nested : { ...nested, lastWord };
  if (between.wordOffset !== undefined) {
    return { ...nested, wordOffset: wordOffset + between.wordOffset };
  }
  return between.lastWord === undefined
    ? nested
    : { ...nested, lastWord: between.lastWord + wordOffset };
}

/** The members that each effect has. */
export type EveryEffect = Pick<
  Effect,
  | "kind"
  | "text"
  | "via"
  | "depth"
  | "checkedAgainst"
  | "isHarmless"
  | "allowTexts"
  | "denyTexts"
>;

/** The effect of a command, with a place for every member of one: engines find those of objects of one shape at once. */
export function openCommand(
  { kind, text, via, depth, checkedAgainst, isHarmless, allowTexts, denyTexts }: EveryEffect,
): OpenEffect {
  return {
    kind,
    text,
    via,
    depth,
    name: undefined,
    operands: undefined,
    traits: undefined,
    values: undefined,
    checkedAgainst,
    isHarmless,
    runsNothing: undefined,
    printsWords: undefined,
    repository: undefined,
    allowTexts,
    denyTexts,
  };
}

/** The effect of `[[ ]]` and `(( ))`, which run nothing themselves. */
export function testEffect(text: string, { via, depth }: CommandContext): Effect {
  return {
    kind: "command",
    text,
    via,
    depth,
    checkedAgainst: "allRules",
    isHarmless: true,
    runsNothing: true,
    allowTexts: [{ text, minLiteral: 0, maxLiteral: Infinity }],
    denyTexts: [{ text, template: text }],
  };
}

/** The effect of an unknown part of a line. */
export function unknownEffect(
  { text, why, isOrdinaryScript, isScript, unknownFileAccess, code }: UnknownEffect,
  { context: { via, depth }, allowTexts, owner }: UnknownPlace,
): Effect {
  const effect: OpenEffect = {
    kind: "opaque",
    text,
    via,
    depth,
    why,
    checkedAgainst: "allRules",
    isHarmless: false,
    allowTexts,
    denyTexts: [{ text, template: text }],
  };
  if (isOrdinaryScript) effect.isOrdinaryScript = true;
  if (isScript) effect.isScript = true;
  if (unknownFileAccess) effect.unknownFileAccess = unknownFileAccess;
  if (code) effect.code = code;
  if (owner !== undefined) effect.of = owner;
  return effect;
}
