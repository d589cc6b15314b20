import type { Program } from "./program.ts";
import type { ProgramTable } from "./program_table.ts";
import type { Arguments } from "./read_options.ts";
import type { GlobalOptions } from "./global_options.ts";
import { alternativesOf, isFixed, literalOf, NUMBER, type Word } from "../parse/tree.ts";

/** Something that a command does besides running its program. */
export interface ProgramUse {
  /**
   * `run`: runs a program. `read`, `write`: accesses a file, as is its purpose. `output`: writes a file as a side effect.
   * `fill`: writes files whose names the line does not hold, below a folder. `url`: fetches. `name`: sets a variable.
   * `unknown`: cannot be analysed.
   */
  readonly kind: "run" | "output" | "read" | "write" | "fill" | "url" | "name" | "unknown";
  /** Set for a folder whose names are listed. */
  readonly isListed?: true;
  /** For people: the words that cause it. */
  readonly text: string;
  /** The program, file, URL or variable. */
  readonly value: Word;
  /** Folders from which the file may also be named: `tar -C d f`. */
  readonly from?: readonly Word[];
  /** Set for the pattern of a program: what it names is not what it names to a shell. */
  readonly isPattern?: true;
  /** Set for the names that a search is bound to, in folders that other words name. */
  readonly isBound?: true;
  /** Set for a file of a work tree, which is never written through a link of it. */
  readonly inTree?: true;
  /** True if the path may also begin at the root of the repository. */
  readonly fromRoot?: true;
  /** The index of the last word that causes it; an allow rule's literal text must reach past it. */
  readonly lastWord: number;
  /** The reason, for `unknown`. */
  readonly why?: string;
  /**
   * A stricter condition on the allow rule than the last word. `exact`: its text is the whole command, without wildcards.
   * `line`: it names the interpreter, since the code is elsewhere in the line. `identical`: as `exact`, for an interpreter too.
   */
  readonly coverage?: "exact" | "line" | "identical";
  /** Set for a script or alias, which runs code as any unknown program does. */
  readonly isOrdinaryScript?: true;
  /** True for a file that a shell of its own runs. */
  readonly isScript?: true;
  /** For code that an option or sub-command exists to run: the index of the last word that names it. */
  readonly trade?: number;
  /** Set if the code stands in the words of the command, or is its standard input. */
  readonly isInline?: true;
}

/** The arguments that a wrapper adds to its command. */
export interface AddedArguments {
  /** `unmarked`: at the end of a command without a placeholder. */
  readonly atEnd: "never" | "unmarked" | "always";
  /** Placeholders that an argument replaces, each a part of a word. */
  readonly placeholders: readonly string[];
}

/** A wrapper that adds nothing. */
export const ADDS_NOTHING: AddedArguments = { atEnd: "never", placeholders: [] };

/** The command that a wrapper runs. */
export type Wrapped =
  /** The words of a range, `to` excluded, perhaps with further arguments. */
  | {
    readonly kind: "argv";
    readonly from: number;
    readonly to: number;
    readonly adds: AddedArguments;
    /** The texts that it replaces by an argument of its own wherever they stand: `%` behind `xargs -I%`. */
    readonly replaces?: readonly string[];
  }
  /** A text that is a line of its own; `last` is the index of the last word that it consists of. */
  | { readonly kind: "line"; readonly text: string; readonly last: number }
  /** A script on standard input. */
  | { readonly kind: "stdin" };

/** The reason why the arguments of a program that keeps them for later are unknown. */
export const RUNS_LATER = "its arguments run later, or in the shell itself";

/** One level of a command: a program or a sub-command, and the arguments behind its name. */
export interface Level {
  readonly program: Program;
  readonly args: Arguments;
  /** The index of the first word behind its name. */
  readonly from: number;
}

/** The meaning of one command's words. Each member is always there, so that all readings are of one kind to an engine. */
export interface CommandReading {
  /** Uses besides running the program, in the order of the words. */
  readonly uses: readonly ProgramUse[];
  /** The commands that it runs. */
  readonly wrapped: readonly Wrapped[];
  /** The indices of assignments among its words: `env A=1 x`. */
  readonly assigns: readonly number[];
  /** The indices of global options before a subcommand, and of their values. */
  readonly globals: readonly number[];
  /** Those that an allow rule may overlook. */
  readonly overlooked: GlobalOptions | undefined;
  /** The folder that it changes to before anything else, as far as its table knows. */
  readonly enters: Word | undefined;
  /** Other words of the same command, and the index of the first word that follows them. */
  readonly means: { readonly words: readonly string[]; readonly from: number } | undefined;
  /** The folders whose names it lists, which must be in the workspace for it to be harmless. */
  readonly folders: readonly Word[];
  /** Set if it only prints about the program; `direct`: only where the name leads to that itself, not to a manager of its versions. */
  readonly onlyPrints: true | "direct" | undefined;
  /** True for a shell that only runs a line, which stands in the command. */
  readonly onlyRuns: boolean;
  /** True if it needs no allow rule next to an allowed command. */
  readonly isHarmless: boolean;
  /** True if it changes nothing in the folders: no names and no links. */
  readonly keepsTree: boolean;
  /** True if it runs, prints and changes nothing. */
  readonly runsNothing: boolean;
  /** True if it only prints its words, which the line fixes, or ends the line. */
  readonly printsWords: boolean;
  /** True if it needs no allow rule of its own. */
  readonly isTransparentWrapper: boolean;
  /** True if the purpose of its program is to run code. */
  readonly isInterpreter: boolean;
  /** Set if it takes commands from its standard input: the rule that allows those which the line gives. */
  readonly prompt: "line" | "identical" | undefined;
  /** True if its words, or its standard input, are a patch that names the files that it writes. */
  readonly takesPatch: boolean;
  /** True if it sends its standard input, where the line gives it one. */
  readonly sendsInput: boolean;
  /** True if it takes its configuration from the repository of its folder. */
  readonly usesRepository: boolean;
  /** Remotes of git that may be folders. */
  readonly remotes: readonly Word[];
  /** The names that may be links afterwards: `tree`: any below its folder; `written`: those that it writes. */
  readonly relinks: "tree" | "written" | undefined;
  /** The program and its sub-commands, outermost first; empty without a table. */
  readonly levels: readonly Level[];
  /** True if the program has a table. */
  readonly isKnown: boolean;
  /** The kind of its output; absent if that is unknown. */
  readonly prints: "integer" | "name" | undefined;
}

/** The rule for commands by standard input: an interpreter's own takes them by nature, others by an option. */
export function promptOf(
  words: readonly Word[],
  { args: { options, operands }, table: { prompt, prompts } }: {
    readonly args: Arguments;
    readonly table: ProgramTable;
  },
): CommandReading["prompt"] {
  if (prompt === undefined && prompts === undefined) return undefined;
  if (prompt === true || prompt === "files" && operands.length > 0) return "line";
  const first = operands[0] === undefined ? "" : words[operands[0]]!.shape;
  const isGiven = prompts?.includes(first) ||
    options.some(({ option }) => option.lists.includes("prompts"));
  return isGiven ? "identical" : undefined;
}

/** Uses that an option or sub-command exists for, which the word at `trade` names, if there is one. */
export function codeUses(
  uses: readonly ProgramUse[],
  trade: number | undefined,
): readonly ProgramUse[] {
  return trade === undefined ? uses : uses.map((use) => ({ ...use, trade }));
}

/** The use of code that stands in the command. */
export function inlineUse(use: ProgramUse): ProgramUse {
  return { ...use, isInline: true };
}

/** True for a use that does more than read. */
export function isAction({ kind }: ProgramUse): boolean {
  return kind === "unknown" || kind === "run" || kind === "output";
}

/** True for a command with a use of a kind; a loop, since each command is asked. */
export function hasUse(
  { uses }: Pick<CommandReading, "uses">,
  kind: ProgramUse["kind"],
): boolean {
  for (let at = 0; at < uses.length; at++) if (uses[at]!.kind === kind) return true;
  return false;
}

/** True for a use of a file for the purpose of the program. */
export function isFile({ kind }: ProgramUse): boolean {
  return kind === "read" || kind === "write";
}

/** True for a use that changes no names. */
export function keepsNames({ kind }: ProgramUse): boolean {
  return kind === "read" || kind === "name";
}

/** The words of another command that does the same. */
export function meantWords(
  words: readonly Word[],
  { means, operands, from }: {
    means: NonNullable<ProgramTable["means"]>;
    operands: readonly number[];
    from: number;
  },
): CommandReading["means"] {
  const first = operands[0];
  const name = first === undefined ? "" : words[first]!.shape;
  const meant = Object.hasOwn(means, name) ? means[name] : undefined;
  if (meant !== undefined) return { words: meant.split(" "), from: first! + 1 };
  return means["*"] === undefined ? undefined : { words: means["*"].split(" "), from };
}

/** The reading of a command without uses, as of any program without a table. */
export const PLAIN_READING: CommandReading = {
  uses: [],
  wrapped: [],
  assigns: [],
  globals: [],
  overlooked: undefined,
  enters: undefined,
  means: undefined,
  folders: [],
  onlyPrints: undefined,
  onlyRuns: false,
  isHarmless: false,
  keepsTree: false,
  runsNothing: false,
  printsWords: false,
  isTransparentWrapper: false,
  isInterpreter: false,
  prompt: undefined,
  takesPatch: false,
  sendsInput: false,
  usesRepository: false,
  remotes: [],
  relinks: undefined,
  levels: [],
  isKnown: false,
  prints: undefined,
};

/** An unknown use by the words from `from` (by default `last` alone) to `last`. */
export function unknownUse(
  words: readonly Word[],
  { last, from = last, why }: { last: number; from?: number; why: string },
): ProgramUse {
  const text = words.slice(Math.min(from, last), last + 1).map(({ raw }) => raw).join(" ");
  return { kind: "unknown", text, value: words[last]!, lastWord: last, why };
}

/**
 * The use of a file, and of every other file that the word may name to a program that accepts prefixes and lists: behind a
 * prefix (`png:/x`, `name=@x`, `@x`), or each of `a,b`. Braces and brackets are unknown, for the reason `why`.
 */
export function withPrefixedFiles(use: ProgramUse, why: string): readonly ProgramUse[] {
  return alternativesOf(use.value).flatMap((value) => prefixedFilesOf({ ...use, value }, why));
}

function prefixedFilesOf(use: ProgramUse, why: string): readonly ProgramUse[] {
  const { value } = use;
  const { shape } = value;
  if (/[{}[\]]/.test(shape)) return [use, { ...use, kind: "unknown", why }];
  const parts = shape.split(",");
  const names = new Set([...parts, ...[shape, ...parts].flatMap(behindPrefix)]);
  const others = [...names].filter((name) => name !== "" && name !== shape);
  return [use, ...others.map((name) => ({ ...use, value: { ...value, text: name, shape: name } }))];
}

function behindPrefix(text: string): readonly string[] {
  return [/^[\w.+-]*[:=]@?(.*)$/s, /^[^=]*=@?(.*)$/s, /^@(.*)$/s, /^(.+)@[^@/]*$/s]
    .flatMap((prefix) => prefix.exec(text)?.[1] ?? []);
}

/** True if a word is text that the line holds, or an integer. */
export function holdsText(word: Word): boolean {
  return alternativesOf(word).every(({ shape }) => isFixed(shape.replaceAll(NUMBER, "0")));
}

/** caliban as the script of an interpreter at a place, as a command of its own: `deno run cli.ts lint`; none for others. */
export function ownScript(words: readonly Word[], at: number): readonly Wrapped[] {
  if (!isOwnName(literalOf(words[at]!) ?? "")) return [];
  return [{ kind: "argv", from: at, to: words.length, adds: ADDS_NOTHING }];
}

/** The name of caliban's table. */
export const OWN_NAME = "caliban";

/** caliban itself, its bundle, and the file of a checkout that runs it. */
const OWN = /^(?:caliban(?:@.*|\.[cm]?[jt]s|\.exe|\.cmd)?|cli\.[cm]?[jt]s)$/i;

/** Its package, in any registry and of any version. */
const PACKAGE = /@caliban\/perms(?:@[^/]*)?(?:\/.*)?$/;

/** True if a word names caliban: the program, its bundle, its package, or the file of a checkout that runs it. */
export function isOwnName(word: string): boolean {
  const name = word.slice(word.lastIndexOf("/") + 1);
  return (name[0] === "c" || name[0] === "C") && OWN.test(name) ||
    word.includes("@caliban/perms") && PACKAGE.test(word);
}
