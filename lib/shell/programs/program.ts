/** What an operand or the value of an option is. */
export type OperandKind =
  | "any"
  | "read"
  | "write"
  | "output"
  | "url"
  | "run"
  | "code"
  | "script"
  | "name";

/** What a script is written in; what jq and printf are given counts as one. */
export type Language = "sed" | "awk" | "jq" | "yq" | "printf";

/** The lists that name options, by what their value is; `acts`, `in_place` and `nothing` are flags. */
export const OPTION_LISTS = [
  "value",
  "read",
  "write",
  "output",
  "url",
  "run",
  "code",
  "acts",
  "commands",
  "in_place",
  "nothing",
  "script_options",
  "hosts",
] as const;

/** The name of one such list. */
export type OptionList = typeof OPTION_LISTS[number];

/** One table of `defaults/shell.toml`: what must be known about a program. Every key is described there. */
export interface ProgramTable extends Readonly<Partial<Record<OptionList, readonly string[]>>> {
  /** Other names of the same program. */
  readonly also?: readonly string[];
  /** How options are written. */
  readonly style?: "getopt" | "words";
  /** Whether the first operand is a bundle of options without a dash, whose values follow in order (`tar cf x.tar`). */
  readonly bundle?: boolean;
  /** Whether options may stand behind operands. */
  readonly permute?: boolean;
  /** Whether long options may be shortened. */
  readonly abbreviate?: boolean;
  /** Values of an option that do nothing, as globs. */
  readonly harmless?: Readonly<Record<string, readonly string[]>>;
  /** The kinds of the operands, in order; `kind*` repeats. */
  readonly operands?: readonly string[];
  /** Other operands where one of these options stands. */
  readonly operands_with?: readonly OperandsWith[];
  /** Operands of a shape (glob over the whole word) and what they are. */
  readonly shapes?: Readonly<Record<string, string>>;
  /** Whether a file may stand behind a prefix: `file:x`, `name=x`, `name=@x`, `a,b`. */
  readonly tails?: boolean;
  /** What `script` operands are written in. */
  readonly language?: Language;
  /** How operands are a command. */
  readonly inner?: "argv" | "string" | "shell";
  /** With fewer operands than this, and no option that says what it runs, it runs what comes by its standard input. */
  readonly stdin?: number;
  /** Operators behind which the word before them is no option (`[ "$x" = y ]`). */
  readonly binary?: readonly string[];
  /** How many operands stand before the command. */
  readonly skip?: number;
  /** Whether `NAME=value` before the command sets a variable. */
  readonly assigns?: boolean;
  /** Whether it adds arguments of its own to the command. */
  readonly adds?: boolean;
  /** Whether nothing is known of its options, so that what any of them does cannot be known. */
  readonly bare?: boolean;
  /** Whether it needs no allow rule of its own. */
  readonly transparent?: boolean;
  /** Whether what it runs, runs elsewhere. */
  readonly remote?: boolean;
  /** Whether what it does can never be known: what it is given runs later, or in the shell itself. */
  readonly opaque?: boolean;
  /** Whether running code is its trade. */
  readonly trade?: boolean;
  /** Whether it needs no allow rule beside a command that has one. */
  readonly companion?: boolean;
  /** Whether what it prints never begins with "-"; with a list: where it has no other options than these. */
  readonly prints_name?: boolean | readonly string[];
  /** Whether what it prints is an integer. */
  readonly prints_integer?: boolean;
  /** Its sub-commands. */
  readonly sub?: Readonly<Record<string, ProgramTable>>;
}

/** Operands that hold where one of some options stands. */
export interface OperandsWith {
  /** The options. */
  readonly options: readonly string[];
  /** The operands. */
  readonly operands: readonly string[];
}

/** How an option takes its value. `glued`: only in the same word. */
export type ValueForm = "none" | "needed" | "glued";

/** One option of a program. */
export interface Option {
  /** Its name with its dashes. */
  readonly name: string;
  /** How it takes a value. */
  readonly takes: ValueForm;
  /** The lists that it stands in. */
  readonly lists: readonly OptionList[];
}

const FLAGS: ReadonlySet<OptionList> = new Set(["acts", "in_place", "nothing"]);

/** Lists whose options run or write something, or cannot be known. */
const DANGEROUS: ReadonlySet<OptionList> = new Set([
  "output",
  "run",
  "code",
  "acts",
  "commands",
  "in_place",
  "script_options",
  "hosts",
]);

/** A program's table, ready to be looked up in. */
export class Program {
  /** The table. */
  readonly table: ProgramTable;
  /** Its options by name. */
  readonly options: ReadonlyMap<string, Option>;
  /** Whether some option of it, or of its sub-commands' own list, runs or writes something. */
  readonly isDangerous: boolean;
  readonly #subs = new Map<string, Program>();

  /** Reads one table. */
  constructor(table: ProgramTable) {
    this.table = table;
    const options = new Map<string, { name: string; takes: ValueForm; lists: OptionList[] }>();
    for (const list of OPTION_LISTS) {
      for (const written of table[list] ?? []) {
        const name = written.replace(/[=?]$/, "");
        const takes = FLAGS.has(list) && name === written
          ? "none"
          : name !== written
          ? "glued"
          : list === "commands"
          ? "none"
          : "needed";
        const known = options.get(name);
        if (known) {
          known.lists.push(list);
          if (takes !== "none") known.takes = takes;
        } else options.set(name, { name, takes, lists: [list] });
      }
    }
    this.options = options;
    this.isDangerous = [...options.values()].some((option) => isDangerous(option)) ||
      Object.values(table.shapes ?? {}).some((kind) => kind !== "any");
  }

  /** A sub-command; undefined when none of that name is known. */
  sub(name: string): Program | undefined {
    const known = this.#subs.get(name);
    if (known) return known;
    const { sub } = this.table;
    if (!sub) return undefined;
    const table = Object.hasOwn(sub, name)
      ? sub[name]
      : Object.values(sub).find(({ also }) => also?.includes(name));
    if (!table) return undefined;
    const program = new Program(table);
    this.#subs.set(name, program);
    return program;
  }
}

/** Whether an option runs or writes something, or makes what happens unknowable. */
export function isDangerous(option: Option): boolean {
  return option.lists.some((list) => DANGEROUS.has(list));
}
