import { COMMAND_CLASSES, type CommandClass } from "../../model/call.ts";
import { inBackticks } from "../../text/quote.ts";
import { fixedWord, isFixed, type Word } from "../parse/tree.ts";
import {
  classesOfUrls,
  classOfOperands,
  doubtfulWordOf,
  isSafe,
  keepsClasses,
} from "./class_options.ts";
import { operandKinds } from "./inner_command.ts";
import { ALWAYS, fitsGlob, type Program, shapeKind } from "./program.ts";
import type { ProgramTable } from "./program_table.ts";
import type { CommandReading, Level } from "./program_use.ts";
import type { Arguments } from "./read_options.ts";

/** The classes of a command, by the table of its program. */
export interface TableClasses {
  /** At least one. */
  readonly classes: readonly CommandClass[];
  /** The folders that it searches whole. */
  readonly searches: readonly Word[];
  /** True if such a search passes over names that begin with a dot. */
  readonly skipsHidden: boolean;
  /** True if it follows the links below them. */
  readonly followsLinks?: boolean;
  /** True if it follows redirects of the URLs that it fetches. */
  readonly redirects: boolean;
  /** Set if configuration of the home folder steers it: the files there that hold credentials. */
  readonly home?: readonly string[];
  /** The operands of a program that runs code of the workspace: some may name a file of it. */
  readonly operands: readonly Word[];
  /** Configuration files that may name a program, a host, a proxy or a credential. */
  readonly config: readonly string[];
  /** The program that it runs, and the folder where that is looked for first. */
  readonly binary?: OwnBinary;
}

/** A program that a wrapper looks for in a folder of the workspace first. */
export interface OwnBinary {
  readonly name: string;
  /** A folder, in that of the command or one above. */
  readonly folder: string;
}

/** Classes of a program that does not itself write the files that its words name. */
const ONLY_READS: ReadonlySet<CommandClass> = new Set(["read", "fetch", "service-read"]);

/** An option of nothing but digits: `head -5`. */
const DIGITS = "-#";

/**
 * The classes of a command, by the table of its program, or the reason why they are unknown. That is so without a table that
 * has one, and for each option, operand or sub-command that the table does not name: its lists are complete.
 */
export function commandClasses(
  words: readonly Word[],
  { levels, uses, wrapped }: Pick<CommandReading, "levels" | "uses" | "wrapped">,
): TableClasses | string {
  const last = levels.at(-1);
  const base = last && (classOfOperands(words, last) ?? last.program.table.class);
  if (last === undefined || base === undefined) return whyNoClass(words, levels);
  const set = new Set<CommandClass>();
  for (const level of levels) {
    const unnamed = unnamedOption(words, level);
    if (unnamed !== undefined) {
      const name = namesOf(words, levels.slice(0, levels.indexOf(level) + 1));
      return `the option ${inBackticks(unnamed.raw)} of ${name} is not in its table`;
    }
    const { classes } = level.program.table;
    for (const name of classes ? Object.keys(classes) as CommandClass[] : []) {
      if (isGiven(classes![name], addingClasses(level))) set.add(name);
    }
  }
  if (!isComplete(words, last)) return whyIncomplete(words, levels);
  for (const each of typeof base === "string" ? [base] : base) set.add(each);
  if ([...set].every((each) => ONLY_READS.has(each))) {
    if (uses.some(({ kind }) => /^(?:write|output|fill)$/.test(kind))) set.add("edit");
    if (uses.some(({ kind }) => kind === "url")) set.add("fetch");
  }
  if (set.has("fetch")) {
    const ofUrls = classesOfUrls(uses);
    if (ofUrls === undefined) return "the host of a URL that it fetches is not known";
    for (const each of ofUrls) set.add(each);
  }
  const { program: { table }, args } = last;
  if (table.scripts && !namesVerbs(words, { scripts: table.scripts, operands: args.operands })) {
    set.add("code");
  }
  for (const level of levels) {
    const { without } = level.program.table;
    for (const name of without ? Object.keys(without) as CommandClass[] : []) {
      if (isGiven(without![name], args)) set.delete(name);
    }
  }
  const binary = table.binaries && binaryOf(words, { wrapped, folder: table.binaries });
  if (showsEnvironment(words, table.language)) set.add("secret");
  const isHidden = args.options.some(({ option }) => option.lists.includes("hidden")) ||
    isGiven(table.unhides, args);
  return {
    classes: inOrder(set),
    searches: isGiven(table.recursive, args) ? searchedWords(words, last) : [],
    skipsHidden: table.skips_hidden === true && !isHidden,
    ...(table.follows_links ? { followsLinks: true } : {}),
    redirects: isGiven(table.redirects, args),
    ...homeOf(levels),
    operands: set.has("project") && !table.inner ? args.operands.map((at) => words[at]!) : [],
    config: levels.flatMap(({ program: { table: { config = [] } } }) => config),
    ...(binary ? { binary } : {}),
  };
}

function homeOf(levels: readonly Level[]): Pick<TableClasses, "home"> {
  const found = levels.map(({ program: { table: { home } } }) => home);
  if (found.every((home) => home === undefined)) return {};
  return { home: found.flatMap((home) => home === true ? [] : home ?? []) };
}

/** The arguments of a level without the options whose values add no class. */
function addingClasses({ args, program: { table } }: Level): Arguments {
  return { ...args, options: args.options.filter((use) => !isSafe(use, table)) };
}

/** Names of scripts and targets that do what a workspace is worked on with; more may follow one. */
const VERB =
  /^(?:test|lint|check|typecheck|build|format|fmt|bench|doc|coverage)(?:[:.-][\w:.-]*)?$/;

/** True if each script that a command names is such a verb, and it hands no arguments to one. */
function namesVerbs(
  words: readonly Word[],
  { scripts, operands }: { scripts: "none" | "first" | "all"; operands: readonly number[] },
): boolean {
  const isVerb = (at: number) => VERB.test(words[at]!.shape);
  switch (scripts) {
    case "none":
      return operands.length === 0;
    case "first":
      return operands.length === 1 && isVerb(operands[0]!);
    case "all":
      return operands.length > 0 && operands.every(isVerb);
  }
}

/** The program that a wrapper looks for in a folder; undefined for a path, a version or a name that is not fixed. */
function binaryOf(
  words: readonly Word[],
  { wrapped, folder }: Pick<CommandReading, "wrapped"> & { readonly folder: string },
): OwnBinary | undefined {
  const [first, ...others] = wrapped;
  if (first?.kind !== "argv" || others.length > 0) return undefined;
  const name = words[first.from]?.shape ?? "";
  return /^[\w.-]+$/.test(name) ? { name, folder } : undefined;
}

/** The environment in a script; `.env` is a field of jq's input. */
const ENVIRONMENT: Readonly<Partial<Record<string, RegExp>>> = {
  awk: /ENVIRON/,
  jq: /\bENV\b|(?<!(?<!\.)\.)\benv\b/,
};

/** True if a word of a command may be a script that prints the environment. */
function showsEnvironment(words: readonly Word[], language: ProgramTable["language"]): boolean {
  const pattern = language && ENVIRONMENT[language];
  return pattern !== undefined &&
    words.some(({ shape }, at) => at > 0 && pattern.test(shape.replaceAll("\\\n", "")));
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

/** The classes of a set in their order; `read` stands in it alone, for every other implies it. */
export function inOrder(set: ReadonlySet<CommandClass>): readonly CommandClass[] {
  const all = COMMAND_CLASSES.filter((each) => set.has(each));
  return all.length > 1 ? all.filter((each) => each !== "read") : all;
}

/** True if an option of a list stands among the arguments; `*`: any operand does, but in the list of flags that always hold. */
function isGiven(list: readonly string[] | undefined, { options, operands }: Arguments): boolean {
  if (list === undefined) return false;
  return options.some(({ option: { name }, value }) =>
    list.includes(name) || list.includes(`${name}=${value}`)
  ) ||
    list.includes(ALWAYS) && operands.length > 0 || list.includes(EVER);
}

/** Stands in a list of flags for a command with or without any of them, and without operands. */
const EVER = "**";

/** The first word of a level with an option that its table does not name for certain; undefined if it names all. */
function unnamedOption(
  words: readonly Word[],
  level: Level,
): Word | undefined {
  const { args: { options, operands, possibleOptions }, program, from } = level;
  const { table } = program;
  if (table.bundle || table.bare) return words[Math.min(from, words.length - 1)];
  const doubted = options.find((use) => !keepsClasses(use, table));
  if (doubted) return words[doubted.first];
  const doubtfulWord = doubtfulWordOf(words, level);
  if (doubtfulWord) return doubtfulWord;
  const isSelective = table.classes ?? table.known ?? table.verbs;
  if (possibleOptions.length > 0 && (program.isDangerous || isSelective)) {
    return words[possibleOptions[0]!];
  }
  const end = table.sub || table.inner ? operands[0] ?? words.length : words.length;
  const isRead = new Uint8Array(words.length);
  for (const at of operands) isRead[at] = 1;
  for (const { first, last } of options) {
    for (let at = first + 1; at <= last; at++) isRead[at] = 1;
  }
  for (let at = from; at < end; at++) {
    const { shape } = words[at]!;
    if (shape === "--") return untakenArgument(words.slice(at + 1), table);
    if (isRead[at] === 0 && !namesOption(shape, program)) return words[at];
  }
  return undefined;
}

/** The first word behind `--` that a program does not take, where it may hand them to another. */
function untakenArgument(
  words: readonly Word[],
  { arguments: taken }: ProgramTable,
): Word | undefined {
  return taken &&
    words.find(({ shape }) =>
      !isFixed(shape) || shape[0] === "-" && !taken.some((glob) => fitsGlob(glob, shape))
    );
}

/** True if the table names each option that a word holds, in full. */
function namesOption(shape: string, { options, table }: Program): boolean {
  if (options.has(shape)) return true;
  if (options.has(DIGITS) && /^-\d+$/.test(shape)) return true;
  const name = /^[^=]*/.exec(shape)![0];
  if (table.style === "words" || shape.startsWith("--") && table.style !== "letters") {
    return isFixed(name) && name !== shape && options.has(name);
  }
  for (let at = 1; at < shape.length; at++) {
    const option = options.get(`-${shape[at]}`);
    if (option === undefined) return false;
    if (option.takes !== "none") return true;
  }
  return shape.length > 1;
}

/** The role of each operand; undefined if the table gives one of them none. */
function kindsOf(
  words: readonly Word[],
  { args: { operands, options }, table }: Pick<Level, "args"> & { readonly table: ProgramTable },
): readonly string[] | undefined {
  const given = new Set(options.map(({ option }) => option.name));
  const kinds = operandKinds(table, { given, count: operands.length });
  const all = operands.map((at, index) => shapeKind(words[at]!, table) ?? kinds[index]);
  return all.every((kind) => kind !== undefined) ? all : undefined;
}

/** The folders that a command searches whole: those that its operands name, else the one that it runs in. */
function searchedWords(
  words: readonly Word[],
  { program: { table }, args }: Level,
): readonly Word[] {
  const kinds = kindsOf(words, { table, args }) ?? [];
  const named = args.operands.filter((_, index) => kinds[index] === "read")
    .map((at) => words[at]!);
  return named.length > 0 ? named : [fixedWord(".")];
}
