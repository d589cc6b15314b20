import defaults from "../../../defaults/shell.json" with { type: "json" };
import type { OwnCommand } from "../../model/rule.ts";
import { foldCase } from "../../pattern/unicode.ts";
import { type Glob, matchGlob, parseGlob } from "../../pattern/glob.ts";
import { Program } from "./program.ts";
import type { ProgramTable } from "./program_table.ts";
import { firstName } from "./texts/program_names.ts";
import { programNames, programText, programTexts } from "./texts/program_texts.ts";
import { readTable } from "./whole_table.ts";
import { isOwnName, OWN_NAME } from "./program_use.ts";

/** The content of `defaults/shell.toml`, as JSON. */
interface ShellDefaults {
  readonly variables: {
    readonly harmless: readonly string[];
    readonly steering: readonly string[];
    /** Harmless values, as globs, of variables that else may steer. */
    readonly values: Readonly<Record<string, readonly string[]>>;
    /** Variables that are harmless with a number. */
    readonly numbers: readonly string[];
    /** Parts of names that may say what runs, where it looks or what it changes. */
    readonly telling: readonly string[];
    readonly commands: readonly string[];
  };
  /** For each option that, alone behind a program, only prints about it: first names of programs, each between blanks. */
  readonly alone: Readonly<Record<string, string>>;
  /** For each configuration file with harmless lines: those, as the source of a regular expression. */
  readonly configuration: Readonly<Record<string, string>>;
  /** Names of programs that may end in a version. */
  readonly versioned: readonly string[];
}

const DEFAULTS: ShellDefaults = defaults;

/** The known programs and variables: the defaults, and the wrappers of a policy. */
export class ProgramCatalog {
  /** The classes of commands of programs without a table. */
  readonly ownCommands: readonly OwnCommand[];
  readonly #wrappers = new Map<string, ProgramTable>();
  readonly #programs = new Map<string, Program>();
  /** Names without a program that were looked for. */
  readonly #strangers = new Set<string>();
  /** Names that begin with "g" and have no name of GNU's, as far as they were looked for: `git`. */
  readonly #otherNames = new Set<string>();
  readonly #variables: ReadonlySet<string>;
  readonly #cases: "exact" | "folded";

  /**
   * `wrappers`: the first words of commands that run the words behind them and need no allow rule of their own. `variables`:
   * names that may stand before a command with a plain value. `cases`: `folded` where file names ignore case, so that `SUDO`
   * runs sudo. `ownCommands`: the classes of commands of other programs.
   */
  constructor(
    wrappers: readonly string[] = [],
    variables: readonly string[] = [],
    cases: "exact" | "folded" = "exact",
    ownCommands: readonly OwnCommand[] = [],
  ) {
    this.ownCommands = ownCommands;
    this.#variables = new Set(variables);
    this.#cases = cases;
    for (const wrapper of wrappers) this.#wrap(wrapper.trim().split(/\s+/));
  }

  /** The program of that name or path; undefined if it is unknown. */
  program(name: string): Program | undefined {
    const known = this.#programs.get(name);
    if (known !== undefined || this.#strangers.has(name)) return known;
    const table = this.#tableOf(isOwnName(name) ? OWN_NAME : name) ??
      (this.#cases === "folded" ? this.#tableOf(foldCase(name)) : undefined) ??
      this.#dashed(name);
    if (!table) {
      if (this.#strangers.size >= MOST_LOOKED) this.#strangers.clear();
      if (name.length < 64) this.#strangers.add(name);
      return undefined;
    }
    const program = new Program(table);
    this.#programs.set(name, program);
    return program;
  }

  /** The name without the "g" of GNU's programs beside others: `gsed`; undefined for other names. */
  plainName(name: string): string | undefined {
    if (name[0] !== "g" || this.#otherNames.has(name)) return undefined;
    const first = firstName(name);
    const plain = name.slice(1);
    if (first !== undefined && firstName(plain) === first) return plain;
    if (this.#otherNames.size >= MOST_LOOKED) this.#otherNames.clear();
    if (name.length < 64) this.#otherNames.add(name);
    return undefined;
  }

  /** True if a variable is harmless with any plain word. */
  isHarmlessVariable(name: string): boolean {
    return isListed(name, "harmless") && !isListed(name, "steering");
  }

  /** True if programs run the value of a variable as a command, or read commands from the file that it names. */
  holdsCommand(name: string): boolean {
    return isListed(name, "commands");
  }

  /**
   * The effect of a variable with this value (its shape; undefined: any value) on the commands that see it. `harmless`: none.
   * `switch`: an unknown name with a number or truth value, which can say little; a rule may name it or not. `steering`:
   * it changes what the shell or programs do.
   */
  variableKind(name: string, value?: string): "harmless" | "switch" | "steering" | "unknown" {
    // Make and arithmetic evaluate the value of a variable: `CI='$(shell x)' make`.
    const isPlain = value !== undefined && PLAIN_VALUE.test(value.replaceAll("*", ""));
    if (isPlain && value.includes("*")) {
      return this.isHarmlessVariable(name) ? "harmless" : "unknown";
    }
    const plain = isPlain ? value : undefined;
    if (plain !== undefined && isHarmlessWith(name, plain)) return "switch";
    if (isListed(name, "steering")) return "steering";
    if (plain === undefined) return "unknown";
    if (isListed(name, "harmless")) return "harmless";
    if (this.#variables.has(name)) return "switch";
    const isSwitch = /^(?:\d{1,9}|true|false|yes|no|on|off)$/.test(plain) &&
      /^[A-Z][A-Z0-9_]*$/.test(name) && !isListed(name, "telling");
    return isSwitch ? "switch" : "unknown";
  }

  /** The first names of all default programs. */
  get names(): readonly string[] {
    return programNames();
  }

  #tableOf(name: string): ProgramTable | undefined {
    return this.#wrappers.get(name) ?? defaultTable(name);
  }

  /** The table of a sub-command under a name of its own: `git-push`. */
  #dashed(name: string): ProgramTable | undefined {
    const words = dashedWords(name);
    if (words === undefined) return undefined;
    const program = this.program(words[0]);
    const sub = program?.sub(words[1]);
    if (sub === undefined) return undefined;
    const { repository = program!.table.repository } = sub.table;
    return repository === undefined ? sub.table : { ...sub.table, repository };
  }

  #wrap([name, ...subs]: readonly string[]): void {
    if (name === undefined) return;
    const innermost: ProgramTable = {
      inner: "argv",
      transparent: true,
      permute: false,
      bare: true,
    };
    const table = subs.reduceRight<ProgramTable>(
      (inner, sub) => ({ sub: { [sub]: inner } }),
      innermost,
    );
    const known = this.#wrappers.get(name) ?? defaultTable(name);
    const whole = subs.length > 0
      ? withSubs(known ?? { bare: true }, table)
      : { ...known, ...table };
    this.#wrappers.set(name, whole);
  }
}

let shared: { readonly catalog: ProgramCatalog; readonly programs: string } | undefined;

/** The programs and variables of the defaults; made anew if their tables change, as they do in tests. */
export function defaultCatalog(): ProgramCatalog {
  const programs = programTexts();
  if (shared?.programs !== programs) shared = { catalog: new ProgramCatalog(), programs };
  return shared.catalog;
}

/** A value that neither make nor arithmetic evaluates; without wildcards, which are text in an assignment (`DEBUG=app:*`). */
const PLAIN_VALUE = /^[\w.,:/+@% -]*$/;

/** True if a table names the value as harmless for this variable. */
function isHarmlessWith(name: string, value: string): boolean {
  const { values, numbers } = DEFAULTS.variables;
  if (numbers.includes(name) && /^\d{1,9}$/.test(value)) return true;
  const globs = Object.hasOwn(values, name) ? values[name]! : [];
  return globs.some((text) => matchGlob(globOf(text), value));
}

function defaultTable(name: string): ProgramTable | undefined {
  const first = firstName(name) ?? versionedName(name);
  return first === undefined ? undefined : readTable(programText(first));
}

/** True if a program with this option and no other word only prints about itself: `node --version`. */
export function printsAboutItself(name: string, option: string): boolean {
  const { alone } = DEFAULTS;
  if (!Object.hasOwn(alone, option)) return false;
  const first = firstName(name) ?? versionedName(name);
  return first !== undefined && alone[option]!.includes(` ${first} `);
}

/** The first name of a program whose name ends in a version: `gcc-13`, `python3.12`. */
function versionedName(name: string): string | undefined {
  const bare = name.replace(/-?\d+(?:\.\d+)*$/, "");
  return bare !== name && DEFAULTS.versioned.includes(bare) ? firstName(bare) : undefined;
}

/** The lines of a configuration file that name no program, host, proxy or credential: the source of a regular expression. */
export function harmlessLines(name: string): string | undefined {
  const { configuration } = DEFAULTS;
  return Object.hasOwn(configuration, name) ? configuration[name] : undefined;
}

/** The globs of the variables that steer the shell or programs. */
export function steeringVariables(): readonly string[] {
  return DEFAULTS.variables.steering;
}

/** True if a list of `defaults/shell.toml` has a glob for a variable. */
export function variableList(name: string, list: "steering" | "telling"): boolean {
  return isListed(name, list);
}

type VariableList = "harmless" | "steering" | "telling" | "commands";

/** The parsed lists, filled on demand: most lines have no variable, and there are hundreds of globs. */
const lists = new Map<VariableList, readonly Glob[]>();

/** The names that were looked for in the lists, and the most of them that are kept. */
const looked = new Map<VariableList, Map<string, boolean>>();
const MOST_LOOKED = 1_024;

function isListed(name: string, list: VariableList): boolean {
  let known = looked.get(list);
  if (known === undefined) looked.set(list, known = new Map());
  let answer = known.get(name);
  if (answer === undefined) {
    let globs = lists.get(list);
    if (globs === undefined) lists.set(list, globs = DEFAULTS.variables[list].map(globOf));
    answer = globs.some((glob) => matchGlob(glob, name));
    if (known.size >= MOST_LOOKED) known.clear();
    if (name.length < 64) known.set(name, answer);
  }
  return answer;
}

/** A table with further subcommands. */
function withSubs(table: ProgramTable, more: ProgramTable): ProgramTable {
  const sub: Record<string, ProgramTable> = { ...table.sub };
  for (const [name, added] of Object.entries(more.sub ?? {})) {
    const known = Object.hasOwn(sub, name) ? sub[name] : undefined;
    sub[name] = known && added.sub ? withSubs(known, added) : { ...known, ...added };
  }
  return { ...table, sub };
}

function globOf(text: string): Glob {
  const glob = parseGlob(text);
  return glob.ok ? glob.value : [];
}

/** The words for which a program of git stands: `git`, `push` for `git-push`. */
export function dashedWords(name: string): readonly [string, string] | undefined {
  if (!name.includes("-")) return undefined;
  const sub = /^git-(.+)$/i.exec(name)?.[1];
  return sub === undefined ? undefined : ["git", sub];
}

/** A program's name without its folder and, in lower case, without `.exe`. */
export function baseName(path: string): string {
  const slash = path.lastIndexOf("/");
  const name = slash < 0 ? path : path.slice(slash + 1);
  return name.includes(".") && /\.exe$/i.test(name) ? foldCase(name).slice(0, -4) : name;
}
