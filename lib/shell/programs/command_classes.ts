import type { CommandClass } from "../../model/call.ts";
import { inBackticks } from "../../text/quote.ts";
import { fixedWord, type Word, wordsAt } from "../parse/tree.ts";
import { classesOfVerb, SHOWS_PAGES, showsPages } from "./class_options.ts";
import { searchBounds } from "./file_patterns.ts";
import { operandKinds } from "./inner_command.ts";
import { unnamedOption } from "./named_options.ts";
import { binaryOf, type OwnBinary } from "./project_scripts.ts";
import { shapeKind } from "./program.ts";
import type { ProgramTable } from "./program_table.ts";
import type { CommandReading, Level } from "./program_use.ts";
import {
  baseClass,
  type ClassIf,
  type GitTraits,
  gitTraits,
  homeOf,
  listed,
  showsContents,
} from "./class_conditions.ts";
import type { Arguments } from "./read_options.ts";
import {
  addingClasses,
  BIT,
  bitsOf,
  classesIn,
  givenClasses,
  isGiven,
  withArguments,
  withFiles,
} from "./classes/class_set.ts";
import { whyNamesUnheld } from "./classes/names_from.ts";
import { severalWords } from "./classes/several_words.ts";
import { misshapenWord } from "./classes/word_shapes.ts";

/** The classes of a command, by the table of its program. Each member is always there, so that all are of one kind to an engine. */
export interface TableClasses {
  /** At least one. */
  readonly classes: readonly CommandClass[];
  /** The folders that it searches whole. */
  readonly searches: readonly Word[];
  /** True if such a search passes over names that begin with a dot. */
  readonly skipsHidden: boolean;
  /** True if it follows the links below them. */
  readonly followsLinks: boolean | undefined;
  /** Set if such a search reads only files whose names end so. */
  readonly endings: readonly string[] | undefined;
  /** True if it follows redirects of the URLs that it fetches. */
  readonly redirects: boolean;
  /** Set if configuration of the home folder steers it: the files there that hold credentials. */
  readonly home: readonly string[] | undefined;
  /** Set if names of its files come from something that the line does not hold: why no rule about a class covers it. */
  readonly whyUnheld: string | undefined;
  /** Globs with which its classes hold only where each names one file at most. */
  readonly singles: readonly Word[];
  /** The operands of a program that runs code of the workspace: some may name a file of it. */
  readonly operands: readonly Word[];
  /** Configuration files that may name a program, a host, a proxy or a credential. */
  readonly config: readonly string[];
  /** The program that it runs, and the folder where that is looked for first. */
  readonly binary: OwnBinary | undefined;
  /** The look that may show that it downloads nothing. */
  readonly packages: string | undefined;
  /** True if it looks at the files of its repository only; without a folder at all of them. */
  readonly inRepository: boolean | undefined;
  /** Set for a command of git. */
  readonly git: GitTraits | undefined;
  /** Programs of the search path that it starts by itself. */
  readonly starts: readonly string[];
  /** Set for an interpreter or a shell that runs code. */
  readonly isInterpreter: true | undefined;
}

/** Those of a command that only prints about its program: it touches no file. */
export const ABOUT_ITSELF: TableClasses = {
  classes: ["read"],
  searches: [],
  skipsHidden: false,
  followsLinks: undefined,
  endings: undefined,
  redirects: false,
  home: undefined,
  whyUnheld: undefined,
  singles: [],
  operands: [],
  config: [],
  binary: undefined,
  packages: undefined,
  inRepository: undefined,
  git: undefined,
  starts: [],
  isInterpreter: undefined,
};

/**
 * The classes of a command, by the table of its program, or the reason why they are unknown. That is so without a table that
 * has one, and for each option, operand or sub-command that the table does not name: its lists are complete.
 */
export function commandClasses(
  words: readonly Word[],
  reading: Pick<CommandReading, "levels" | "uses" | "wrapped" | "onlyPrints" | "onlyRuns">,
  { isHandedOn = false }: {
    /** True if its standard output goes to a pipe or a file of the line. */
    readonly isHandedOn?: boolean;
  } = {},
): TableClasses | string {
  if (reading.onlyPrints) return ABOUT_ITSELF;
  if (reading.onlyRuns) return { ...ABOUT_ITSELF, home: [] };
  const found = classesByTable(words, reading);
  const whyUnheld = whyNamesUnheld(words, reading.levels);
  if (typeof found === "string") return whyUnheld ?? found;
  if (!isHandedOn && showsPages(words, reading.levels)) return SHOWS_PAGES;
  return whyUnheld === undefined ? found : { ...found, whyUnheld };
}

function classesByTable(
  words: readonly Word[],
  { levels, uses, wrapped }: Pick<CommandReading, "levels" | "uses" | "wrapped">,
): TableClasses | string {
  const last = levels[levels.length - 1];
  const base = last && classByArguments(words, last);
  if (last === undefined || base === undefined) return whyNoClass(words, levels);
  const why = whyUnnamed(words, levels);
  if (why !== undefined) return why;
  if (!isComplete(words, last)) return whyIncomplete(words, levels);
  const several = severalWords(words, levels);
  if (several.unknown) {
    const name = namesOf(words, levels);
    return `${
      inBackticks(several.unknown.raw)
    } may be several words, and which of them ${name} reads or writes is not known`;
  }
  const own = typeof base.class === "string" ? BIT[base.class] : bitsOf(base.class);
  const bits = withFiles(givenClasses(levels) | own, uses);
  if (bits === undefined) return "the host of a URL that it fetches is not known";
  const classes = classesIn(withArguments(bits, { words, levels, wrapped }));
  return traitsOf(words, { levels, wrapped, base, classes, singles: several.globs });
}

/** The reason why the tables of a command do not name one of its options or words; undefined if they name them all. */
function whyUnnamed(words: readonly Word[], levels: readonly Level[]): string | undefined {
  for (const level of levels) {
    const unnamed = unnamedOption(words, level);
    if (unnamed !== undefined) {
      const name = namesOf(words, levels.slice(0, levels.indexOf(level) + 1));
      return `the option ${inBackticks(unnamed.raw)} of ${name} is not in its table`;
    }
    const misshapen = misshapenWord(words, level);
    if (misshapen !== undefined) {
      return `${inBackticks(misshapen.raw)} may be something else than a name to ${
        namesOf(words, levels)
      }`;
    }
  }
  return undefined;
}

/** The traits of a command by its classes and its tables. */
function traitsOf(
  words: readonly Word[],
  { levels, wrapped, base, classes, singles }:
    & Pick<CommandReading, "levels" | "wrapped">
    & Pick<TableClasses, "classes" | "singles">
    & { readonly base: ClassIf },
): TableClasses {
  const last = levels[levels.length - 1]!;
  const { program: { table }, args } = last;
  const found: OpenClasses = {
    classes,
    searches: showsContents(words, { table, args }) ? searchedWords(words, last) : NO_WORDS,
    skipsHidden: false,
    followsLinks: undefined,
    endings: undefined,
    redirects: isGiven(table.redirects, args),
    home: homeOf(levels),
    whyUnheld: undefined,
    singles,
    operands: classes.includes("project") && !table.inner
      ? wordsAt(words, args.operands)
      : NO_WORDS,
    config: listed(levels, "config"),
    binary: table.binaries ? binaryOf(words, { wrapped, folder: table.binaries }) : undefined,
    packages: undefined,
    inRepository: table.pathspecs ? true : undefined,
    git: levels[0]!.program.table.repository ? gitTraits(words, last, base) : undefined,
    starts: listed(levels, "starts"),
    isInterpreter: undefined,
  };
  if (table.recursive) addSearch(found, last);
  if (table.packages && !isGiven(table.online, addingClasses(last))) {
    found.packages = table.packages;
  }
  return found;
}

/** Classes that are being put together. */
type OpenClasses = { -readonly [Key in keyof TableClasses]: TableClasses[Key] };

const NO_WORDS: readonly Word[] = [];
const NO_NAMES: readonly string[] = [];

/** Adds how far a search goes. */
function addSearch(
  found: OpenClasses,
  last: Level,
): void {
  const { program: { table }, args } = last;
  const { isBound, endings } = searchBounds(last);
  const isHidden = isBound && endings === undefined ||
    args.options.some(({ option }) => option.lists.includes("hidden")) ||
    isGiven(table.unhides, args);
  found.skipsHidden = table.skips_hidden === true && !isHidden;
  if (endings) found.endings = endings;
  if (table.follows_links) found.followsLinks = true;
}

/** The class of a command by its operands and options; its table's own where these decide nothing. */
function classByArguments(words: readonly Word[], level: Level): ClassIf | undefined {
  const ofVerb = classesOfVerb(words, level);
  if (ofVerb !== undefined) return { class: ofVerb };
  return baseClass(words, { args: level.args, table: level.program.table });
}

/** True if the table of the deepest level gives each of its operands a role. */
function isComplete(words: readonly Word[], { program: { table }, args }: Level): boolean {
  // A first operand that names no sub-command is one that the table does not have.
  if (table.sub && args.operands.length > 0 && table.operands === undefined) return false;
  return table.inner !== undefined || kindsOf(words, { table, args }) !== undefined;
}

function whyIncomplete(words: readonly Word[], levels: readonly Level[]): string {
  const { program: { table }, args } = levels.at(-1)!;
  const name = namesOf(words, levels);
  return table.sub
    ? `${inBackticks(words[args.operands[0]!]!.raw)} is no sub-command in the table of ${name}`
    : `the table of ${name} does not name one of its operands`;
}

function whyNoClass(words: readonly Word[], levels: readonly Level[]): string {
  const last = levels.at(-1);
  if (last === undefined) return "no table describes the program";
  return last.program.table.sub && last.args.operands.length > 0
    ? whyIncomplete(words, levels)
    : `the table of ${namesOf(words, levels)} gives it no class`;
}

/** The program and its sub-commands. */
function namesOf(words: readonly Word[], levels: readonly Level[]): string {
  return inBackticks(levels.map(({ from }) => words[Math.max(0, from - 1)]!.shape).join(" "));
}

/** The role of each operand; undefined if the table gives one of them none. */
function kindsOf(
  words: readonly Word[],
  { args: { operands, options }, table }: Pick<Level, "args"> & { readonly table: ProgramTable },
): readonly string[] | undefined {
  if (operands.length === 0) return NO_NAMES;
  const kinds = operandKinds(table, { options, count: operands.length });
  if (table.shapes === undefined) {
    return kinds.length >= operands.length ? kinds.slice(0, operands.length) : undefined;
  }
  const all = operands.map((at, index) => shapeKind(words[at]!, table) ?? kinds[index]);
  return all.every((kind) => kind !== undefined) ? all : undefined;
}

/** The folders that a command searches whole: those that its operands name, else the one that it runs in. */
function searchedWords(
  words: readonly Word[],
  { program: { table }, args }: Level,
): readonly Word[] {
  if (table.pathspecs) return searchedPaths(words, { table, args });
  const kinds = kindsOf(words, { table, args }) ?? [];
  const named = args.operands.filter((_, index) => kinds[index] === "read");
  return named.length > 0 ? wordsAt(words, named) : [fixedWord(".")];
}

/** A plain path: no pathspec with magic, no wildcard. */
const PLAIN_PATH = /^(?!-)[\w./@+,=~ -]+$/;

/** A path that may lead out of a work tree: `git diff a /b` compares folders of any repositories. */
const OUTSIDE = /^(?:\/|~|\.\.(?:\/|$))/;

/** The folders that a command of git looks at: the plain paths behind `--`, else the repository. */
function searchedPaths(
  words: readonly Word[],
  { table, args }: { readonly table: ProgramTable; readonly args: Arguments },
): readonly Word[] {
  const { operands, options } = args;
  const dashes = words.findIndex(({ shape }) => shape === "--");
  const isBounded = dashes >= 0 &&
    !options.some(({ option }) => table.unbounded?.includes(option.name));
  const paths = isBounded ? wordsAt(words, operands.filter((at) => at > dashes)) : NO_WORDS;
  if (paths.length > 0 && paths.every(({ shape }) => PLAIN_PATH.test(shape))) return paths;
  const outside = wordsAt(words, operands).filter(({ shape }) => OUTSIDE.test(shape));
  return [fixedWord(""), ...outside];
}
