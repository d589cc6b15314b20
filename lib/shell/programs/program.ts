import { type Glob, matchGlob, parseGlob } from "../../pattern/glob.ts";
import type { Word } from "../parse/tree.ts";
import {
  CHANGES,
  type OperandKind,
  OPTION_LISTS,
  type OptionList,
  type ProgramTable,
} from "./program_table.ts";
import { wholeTable } from "./whole_table.ts";

/** The place of an option's value. `needed`: in its word or the next. `glued`: in its word only. */
export type ValueForm = "none" | "needed" | "glued";

/** One option of a program. */
export interface Option {
  /** Its name with its dashes. */
  readonly name: string;
  readonly takes: ValueForm;
  /** The lists of the table that name it. */
  readonly lists: readonly OptionList[];
  /** True if none of them says that it accesses, runs or enters anything. */
  readonly isIdle: boolean;
  /** True if one of them says that it changes files which no word names. */
  readonly changes: boolean;
}

/** An option that a spelling may mean. */
export interface FoundOption {
  readonly option: Option;
  readonly value?: string;
  /** Set for an abbreviation, which may mean another option that takes no value. */
  readonly inexact?: true;
}

const FLAGS: ReadonlySet<OptionList> = new Set([
  "flags",
  "reads",
  "acts",
  "in_place",
  "nothing",
  "prompts",
  "hidden",
  "listed",
  "relinks",
  "copies",
  "unpacks",
  "fills",
  "saves",
  "sweeps",
  "anywhere",
  "skips",
  "stays",
  "renames",
  "descends",
]);

/** Lists whose options do nothing by themselves. */
const IDLE: ReadonlySet<OptionList> = new Set<OptionList>([
  "value",
  "flags",
  "reads",
  "prompts",
  "nothing",
  "skips",
  "stays",
  ...CHANGES,
]);

/** Stands in a list of flags for a command without any of them. */
export const ALWAYS = "*";

/** Lists whose options run or write something, or are unknown. */
const DANGEROUS: ReadonlySet<OptionList> = new Set<OptionList>([
  "output",
  "sends",
  "fields",
  "run",
  "code",
  "acts",
  "commands",
  "in_place",
  "script_options",
  "hosts",
]);

const MOST_STRANGERS = 64;

/** An option that is being put together. */
interface OpenOption extends Option {
  takes: ValueForm;
  readonly lists: OptionList[];
  isIdle: boolean;
  changes: boolean;
}

/** A program's table, indexed by option and subcommand. */
export class Program {
  readonly table: ProgramTable;
  /** Its options by name. */
  readonly options: ReadonlyMap<string, Option>;
  /** True if one of its own options runs or writes something, or if operands have roles by shape. */
  readonly isDangerous: boolean;
  /** True if the first operand ends its options. */
  readonly stops: boolean;
  /** True if it changes files which no word names, with any options. */
  readonly changesAlways: boolean;
  /** True if an operand is a file that it writes as a side effect. */
  readonly hasOutputs: boolean;
  /** The options that spellings may mean, as far as they were looked up. */
  readonly spellings = new Map<string, readonly FoundOption[]>();
  #letters: ReadonlyMap<number, Option> | undefined;
  readonly #subs = new Map<string, Program>();
  /** Names without a subcommand that were looked for: the user's own, mostly few. */
  readonly #strangers = new Set<string>();

  constructor(table: ProgramTable) {
    this.table = wholeTable(table);
    const options = new Map<string, OpenOption>();
    for (const list of OPTION_LISTS) {
      for (const written of table[list] ?? []) {
        const isGlued = written.endsWith("=") || written.endsWith("?");
        const name = isGlued ? written.slice(0, -1) : written;
        const takes = FLAGS.has(list) && name === written
          ? "none"
          : name !== written
          ? "glued"
          : list === "commands"
          ? "none"
          : "needed";
        const known = options.get(name);
        const isIdle = IDLE.has(list);
        const changes = CHANGES.includes(list);
        if (known) {
          known.lists.push(list);
          if (takes !== "none") known.takes = takes;
          known.isIdle &&= isIdle;
          known.changes ||= changes;
        } else options.set(name, { name, takes, lists: [list], isIdle, changes });
      }
    }
    this.options = options;
    this.isDangerous = [...options.values()].some((option) => isDangerous(option)) ||
      Object.values(table.shapes ?? {}).some((kind) => kind !== "any");
    this.stops = table.permute === undefined
      ? table.sub !== undefined || table.inner !== undefined
      : !table.permute;
    this.changesAlways = CHANGES.some((list) => table[list]?.includes(ALWAYS) === true);
    this.hasOutputs = table.operands?.some((kind) => kind.startsWith("output")) === true;
  }

  /** The options of one letter, by the code of that. */
  get letters(): ReadonlyMap<number, Option> {
    return this.#letters ??= new Map(
      [...this.options.values()].flatMap((option) =>
        option.name.length === 2 && option.name[0] === "-"
          ? [[option.name.charCodeAt(1), option] as const]
          : []
      ),
    );
  }

  /** A subcommand; undefined for an unknown name. */
  sub(name: string): Program | undefined {
    const known = this.#subs.get(name);
    if (known) return known;
    const { sub } = this.table;
    if (!sub || this.#strangers.has(name)) return undefined;
    const own = namedTable(sub, name) ?? this.#abbreviated(name);
    if (!own) {
      if (this.#strangers.size < MOST_STRANGERS && name.length < 64) this.#strangers.add(name);
      return undefined;
    }
    const base = own.like === undefined ? undefined : namedTable(sub, own.like);
    const table = base === undefined ? own : likeAnother(base, own);
    const program = new Program(this.table.inherits ? inherited(this.table, table) : table);
    this.#subs.set(name, program);
    return program;
  }

  #abbreviated(name: string): ProgramTable | undefined {
    const { sub = {}, prefixes } = this.table;
    const [only, ...others] = prefixes
      ? Object.entries(sub).filter(([each]) => each.startsWith(name))
      : [];
    return others.length === 0 ? only?.[1] : undefined;
  }
}

function namedTable(sub: Readonly<Record<string, ProgramTable>>, name: string) {
  if (Object.hasOwn(sub, name)) return sub[name];
  return Object.values(sub).find(({ also }) => also?.includes(name));
}

/** The table of a sub-command with the keys of another. */
function likeAnother({ also: _, sub: _1, ...base }: ProgramTable, own: ProgramTable): ProgramTable {
  const ownFlags = new Set(own.flags);
  const lists = OPTION_LISTS.flatMap((list) => {
    const [first = [], second] = [own[list], base[list]];
    if (second === undefined) return [];
    // A flag of its own has no value, even if the other gives it one.
    const others = FLAGS.has(list) ? second : second.filter((name) => !ownFlags.has(name));
    return [[list, [...first, ...others]] as const];
  });
  // Operands that have roles by their shape alone have no others.
  const { operands, ...rest } = base;
  const kept = operands === undefined || own.shapes ? {} : { operands };
  return { ...rest, ...kept, ...own, ...Object.fromEntries(lists) };
}

/** The table of a sub-command with the options of its program. */
function inherited(program: ProgramTable, sub: ProgramTable): ProgramTable {
  const lists = OPTION_LISTS.flatMap((list) => {
    const [own = [], above = []] = [sub[list], FLAGS.has(list) ? [] : program[list]];
    return above.length === 0 ? [] : [[list, [...own, ...above]] as const];
  });
  const harmless = { ...program.harmless, ...sub.harmless };
  return {
    abbreviate: program.abbreviate,
    tails: program.tails,
    doubtful_words: program.doubtful_words,
    shaped: program.shaped,
    ...sub,
    ...Object.fromEntries(lists),
    ...(program.doubtful_values
      ? { doubtful_values: { ...program.doubtful_values, ...sub.doubtful_values } }
      : {}),
    ...(program.known ? { known: [...sub.known ?? [], ...program.known] } : {}),
    harmless,
  } as ProgramTable;
}

/** True if an option runs or writes something, or makes the effect unknown. */
export function isDangerous(option: Option): boolean {
  return option.lists.some((list) => DANGEROUS.has(list));
}

/** True if a dangerous option does nothing with this value. */
export function isHarmlessValue(
  option: Option,
  { value, table }: { value: string; table: ProgramTable },
): boolean {
  return table.harmless?.[option.name]?.some((text) => fitsGlob(text, value)) ?? false;
}

/** The role that an operand's shape gives it, wherever it stands; undefined if its shape gives none. */
export function shapeKind({ shape }: Word, table: ProgramTable): OperandKind | undefined {
  const { shapes } = table;
  if (shapes === undefined) return undefined;
  for (const glob in shapes) {
    if (Object.hasOwn(shapes, glob) && fitsGlob(glob, shape)) return shapes[glob] as OperandKind;
  }
  return undefined;
}

/** The globs of tables, parsed once; undefined for a text that is not one. */
const GLOBS = new Map<string, Glob | undefined>();

/** The most of them that are kept: tables hold fewer. */
const MAX_GLOBS = 20_000;

/** True if a glob of a table matches a value. */
export function fitsGlob(text: string, value: string): boolean {
  let glob = GLOBS.get(text);
  if (glob === undefined && !GLOBS.has(text)) {
    const parsed = parseGlob(text);
    glob = parsed.ok ? parsed.value : undefined;
    if (GLOBS.size < MAX_GLOBS) GLOBS.set(text, glob);
  }
  return glob !== undefined && matchGlob(glob, value);
}

/** True for a program that does nothing without a sub-command, unlike `git-stash`. */
export function isBareProgram({ sub, class: own, class_if: others }: ProgramTable): boolean {
  return sub !== undefined && own === undefined && others === undefined;
}
