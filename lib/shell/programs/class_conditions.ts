import type { CommandClass } from "../../model/call.ts";
import { isFixed, type Word } from "../parse/tree.ts";
import { ALWAYS, fitsGlob } from "./program.ts";
import type { ProgramTable } from "./program_table.ts";
import type { Level } from "./program_use.ts";
import type { Arguments } from "./read_options.ts";

/** A class by the arguments of a command; the first that matches counts. */
export interface ClassIf {
  readonly class: CommandClass | readonly CommandClass[];
  /** One of these options is given; `*`: an operand. */
  readonly with?: readonly string[];
  /** None of these options is given; `*`: no operand. */
  readonly without?: readonly string[];
  /** Each operand matches one of these globs. */
  readonly names?: readonly string[];
  /** At least so many operands are given. */
  readonly least?: number;
  /** At most so many operands are given. */
  readonly most?: number;
  /** The class that is added where an operand is no branch or tag of the repository. */
  readonly revisions?: CommandClass;
}

/** The first of the classes by arguments that matches those of a command; the table's own where none does. */
export function baseClass(
  words: readonly Word[],
  { args, table }: Pick<Level, "args"> & { readonly table: ProgramTable },
): ClassIf | undefined {
  if (table.needs && !hasOne(table.needs, args)) return undefined;
  const found = table.class_if?.find((each) =>
    (each.with === undefined || hasOne(each.with, args)) &&
    (each.without === undefined || !hasOne(each.without, args)) &&
    args.operands.length >= (each.least ?? 0) && args.operands.length <= (each.most ?? Infinity) &&
    (each.names === undefined ||
      args.operands.every((at) =>
        isFixed(words[at]!.shape) && matchesOne(words[at]!.shape, each.names!)
      ))
  );
  if (found) return found;
  const { class: own, revisions } = table;
  return own === undefined ? undefined : { class: own, ...(revisions ? { revisions } : {}) };
}

/** True if one of some options is among the arguments; `*`: an operand. */
function hasOne(list: readonly string[], { options, operands }: Arguments): boolean {
  return list.includes(ALWAYS) && operands.length > 0 ||
    options.some(({ option }) => list.includes(option.name));
}

/** True if a value of an option, or an operand (`*`), is one with which the classes of a command are unknown. */
export function hasDoubtfulValue(
  words: readonly Word[],
  { args: { options, operands }, program: { table } }: Level,
): boolean {
  const { doubtful_values: doubtful } = table;
  if (doubtful === undefined) return false;
  const isDoubtful = (shape: string, globs: readonly string[] | undefined) =>
    globs !== undefined && (!isFixed(shape) || matchesOne(shape, globs));
  return options.some(({ option, value }) =>
    value !== undefined && isDoubtful(value, doubtful[option.name])
  ) || operands.some((at) => isDoubtful(words[at]!.shape, doubtful[ALWAYS]));
}

/** True if a text matches one of some globs; `!glob`: but not that one. */
function matchesOne(text: string, globs: readonly string[]): boolean {
  return globs.some((glob) => !glob.startsWith("!") && fitsGlob(glob, text)) &&
    !globs.some((glob) => glob.startsWith("!") && fitsGlob(glob.slice(1), text));
}

/** The traits of a command of git by which its repository decides its classes. */
export interface GitTraits {
  /** The hooks that it may run; `*`: any. */
  readonly hooks: readonly string[];
  /** Revisions, and the class that is added where one of them is no branch or tag of the repository. */
  readonly revisions?: { readonly names: readonly string[]; readonly adds: CommandClass };
  /** True if it prints URLs of remotes. */
  readonly showsRemotes: boolean;
  /** True if it writes the refs that the settings of a remote name. */
  readonly fetches: boolean;
}

/** The traits of a command of git. */
export function gitTraits(
  words: readonly Word[],
  { args: { operands }, program: { table } }: Level,
  { revisions }: ClassIf,
): GitTraits {
  const dashes = dashesIn(words);
  const hooks = table.hooks ?? [];
  const showsRemotes = table.shows_remotes === true;
  const fetches = table.fetches === true;
  if (revisions === undefined) return { hooks, showsRemotes, fetches };
  const named = operands.filter((at) => dashes < 0 || at < dashes).map((at) => words[at]!.shape);
  // Of operands that may be files only one alone is a branch.
  const areFiles = revisions === "delete" && operands.length > 1 || named.length < operands.length;
  const names = areFiles || named.length === 0 && table.upstream ? [NO_NAME] : named;
  return { hooks, showsRemotes, fetches, revisions: { names, adds: revisions } };
}

/** No branch has this name. */
const NO_NAME = "";

/** Options of `showsContents`. */
interface ShownArguments {
  readonly table: ProgramTable;
  readonly args: Arguments;
}

/** True if a command prints contents of files that its words do not name. */
export function showsContents(words: readonly Word[], { table, args }: ShownArguments): boolean {
  const { recursive, names_only: namesOnly } = table;
  if (recursive === undefined) return false;
  if (recursive.some((name) => name !== EVER) && hasOne(recursive, args)) return true;
  if (!recursive.includes(EVER)) return false;
  const dashes = dashesIn(words);
  const mayBeFile = table.blobs === true &&
    args.operands.some((at) => (dashes < 0 || at < dashes) && !COMMIT.test(words[at]!.shape));
  if (namesOnly && hasOne(namesOnly, args) && !mayBeFile) return false;
  // `HEAD:src/a.ts` names all that it prints.
  return !(table.pathspecs && args.operands.length > 0 &&
    args.operands.every((at) => OBJECT.test(words[at]!.shape)));
}

/** A name that is surely a commit's: a tag or an object's identifier may be that of a file. */
const COMMIT = /^(?:HEAD|@)(?:[~^]\d*)*$/;

/** A file or folder of a revision; not `:/text`, nor braces, which find a commit. */
const OBJECT = /^(?:[^:{}]+|:[0-3]?):[^:{}]*$|^:[^:{}/]+$/;

/** Stands in a list of flags for a command with or without any of them, and without operands. */
export const EVER = "**";

const METHOD = /^(?:-X|--method)$/;
const FIELD = /^(?:-f|-F|--raw-field|--field)$/;

/**
 * The class of a request to an API (`gh api`): `service-read` for GET and HEAD, and for queries of GraphQL whose text the line
 * holds. Fields make it a POST where no method is given; of several methods the worst counts.
 */
export function requestClass(
  words: readonly Word[],
  { args: { options, operands } }: Level,
): CommandClass {
  const values = (names: RegExp) =>
    options.flatMap(({ option, value }) => names.test(option.name) ? [value ?? ""] : []);
  const has = (names: RegExp) => options.some(({ option }) => names.test(option.name));
  const methods = values(METHOD);
  const path = operands.length === 1 ? words[operands[0]!]!.shape : "";
  if (has(/^(?:--input|--hostname)$/) || !/^(?![^?]*:\/\/|\w+:|\/\/)[\w/{]/.test(path)) {
    return "service";
  }
  const fields = values(FIELD);
  if (path.replace(/^\//, "").startsWith("graphql")) {
    const isQuery = path === "graphql" && methods.every((method) => method === "POST") &&
      asksOnly(fields);
    return isQuery ? "service-read" : "service";
  }
  if (methods.length === 0) return fields.length === 0 ? "service-read" : "service";
  // The file of `name=@file` is sent.
  const sends = fields.some((field) => /=@/.test(field) || !isFixed(field));
  const reads = methods.every((method) => method === "GET" || method === "HEAD");
  return reads && !sends ? "service-read" : "service";
}

/** True if fields hold queries of GraphQL, and send no file. */
function asksOnly(fields: readonly string[]): boolean {
  const texts = fields.filter((field) => /^query\b/.test(field));
  return texts.length > 0 && texts.every(isQueryField) &&
    fields.every((field) => !/^[^=]*=@/.test(field));
}

function isQueryField(field: string): boolean {
  const text = /^query=(.*)$/s.exec(field)?.[1];
  return text !== undefined && isFixed(text) && /^\s*(?:query\b|\{)/.test(text) &&
    !/\b(?:mutation|subscription)\b/i.test(text);
}

/** The index of the first `--` among words; -1 without one. */
function dashesIn(words: readonly Word[]): number {
  for (let at = 0; at < words.length; at++) if (words[at]!.shape === "--") return at;
  return -1;
}

/** The entries of a list in the tables of all levels. */
export function listed(levels: readonly Level[], list: "starts" | "config"): readonly string[] {
  let found: readonly string[] = NO_NAMES;
  for (let at = 0; at < levels.length; at++) {
    const own = levels[at]!.program.table[list];
    if (own !== undefined) found = found.length === 0 ? own : [...found, ...own];
  }
  return found;
}

/** The files of the home folder that hold credentials; undefined if its configuration steers no level. */
export function homeOf(levels: readonly Level[]): readonly string[] | undefined {
  let found: readonly string[] | undefined;
  for (let at = 0; at < levels.length; at++) {
    const { home } = levels[at]!.program.table;
    if (home !== undefined) found = [...found ?? [], ...home === true ? [] : home];
  }
  return found;
}

const NO_NAMES: readonly string[] = [];
