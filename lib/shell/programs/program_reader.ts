import { literalOf, type Word } from "../parse/tree.ts";
import {
  addedBehindOption,
  commandStart,
  innerCommand,
  MAY_BE_OUTPUTS,
  mayBeOutputs,
  onlyAssigns,
  operandKinds,
  printsName,
  SHIFTS,
} from "./inner_command.ts";
import { readGlobalOptions } from "./global_options.ts";
import { type OptionContext, optionUses, RUNS_OR_CHANGES } from "./option_uses.ts";
import { ALWAYS, isBareProgram, type Program, shapeKind } from "./program.ts";
import type { OperandKind, ProgramTable } from "./program_table.ts";
import {
  codeUses,
  type CommandReading,
  holdsText,
  inlineUse,
  keepsNames,
  type Level,
  meantWords,
  ownScript,
  type ProgramUse,
  promptOf,
  RUNS_LATER,
  unknownUse,
  type Wrapped,
} from "./program_use.ts";
import { type Arguments, hasOption, type OptionUse, readOptions } from "./read_options.ts";
import { mayBeSeveral } from "./classes/several_words.ts";
import { NAMES_FILES, operandUses } from "./operand_uses.ts";
import { filterUses } from "../scripts/script_uses.ts";
import { treeChanges } from "./tree_changes.ts";

const NONE: readonly never[] = [];

/** Reads the words of one command by the table of its program. */
export class ProgramReader {
  readonly #words: readonly Word[];
  #uses: ProgramUse[] = [];
  // Most commands have none of these.
  #wrapped: readonly Wrapped[] = NONE;
  #assigns: readonly number[] = NONE;
  #globals: readonly number[] = NONE;
  #folders: readonly Word[] = NONE;
  #table: ProgramTable = {};
  #global: Pick<CommandReading, "overlooked" | "enters"> = {};
  #isInterpreter = false;
  /** The index of the word that names the sub-command, or the first option, that exists to run code. */
  #trade: number | undefined;
  #readsFile = false;
  #usesRepository = false;
  #into: readonly Word[] = NONE;
  #remotes: readonly Word[] = NONE;
  #relinks: CommandReading["relinks"];
  #means: CommandReading["means"];
  #prompt: CommandReading["prompt"];
  readonly #levels: Level[] = [];

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  /** Reads one level and, below it, that of a subcommand. */
  read(program: Program, from = 1): void {
    const { table } = program;
    this.#table = table;
    this.#isInterpreter ||= table.trade ?? false;
    this.#trade = table.trade && from > 1 ? from - 1 : undefined;
    this.#usesRepository = table.repository ?? this.#usesRepository;
    const stops = table.permute === undefined
      ? table.sub !== undefined || table.inner !== undefined
      : !table.permute;
    const args = readOptions(this.#words, { program, from, stops });
    this.#levels.push({ program, args, from });
    if (table.bare) this.#unknownOptions(from, args);
    this.#prompt ??= promptOf(this.#words, { args, table });
    if (table.opaque) {
      this.#addUnknown(this.#words.length - 1, { from, why: RUNS_LATER, coverage: "exact" });
    }
    const readsArchive = args.possibleOptions.length === 0 && hasOption(args, "reads");
    for (const option of args.options) this.#option(option, { table, readsArchive });
    const first = args.operands[0];
    if (from === 1) this.#overlook(args, table);
    const isReported = (program.isDangerous || table.sub) && !table.inner;
    if (isReported) this.#possibleOptions(args, { table, first });
    // A program without a subcommand only prints its version or help.
    if (isBareProgram(table) && first === undefined && from === 1) this.#usesRepository = false;
    if (table.sub && first !== undefined) {
      const name = literalOf(this.#words[first]!);
      const sub = name === undefined ? undefined : program.sub(name);
      if (from === 1 && first > 1) this.#globals = [...this.#words.keys()].slice(1, first);
      if (sub) return this.read(sub, first + 1);
    }
    this.#operands(args, { table, from });
    const { uses, relinks } = treeChanges({ words: this.#words, table, args, uses: this.#uses });
    if (uses.length > 0) this.#uses.push(...uses);
    this.#relinks = relinks;
    this.#means = meantWords(this.#words, { table, operands: args.operands, from });
  }

  #overlook(args: Arguments, table: ProgramTable): void {
    if (!table.drops && !table.moves && !table.enters) return;
    const read = readGlobalOptions(this.#words, { args, table, uses: this.#uses });
    if (read.uses !== this.#uses) this.#uses = [...read.uses];
    this.#global = read;
  }

  reading(): CommandReading {
    const { companion, idle, transparent, assigns, prints_integer, prints_name } = this.#table;
    const acts = this.#uses.some(({ kind }) =>
      kind === "unknown" || kind === "run" || kind === "output"
    );
    const isIdle = idle !== undefined && !acts && this.#wrapped.length === 0 &&
      (idle === true || this.#words.every(holdsText));
    const reading: { -readonly [Key in keyof CommandReading]: CommandReading[Key] } = {
      uses: this.#uses,
      wrapped: this.#wrapped,
      assigns: this.#assigns,
      globals: this.#globals,
      folders: this.#folders,
      levels: this.#levels,
      isHarmless: companion === true && !acts && !this.#readsFile &&
        !mayBeSeveral(this.#words, this.#levels),
      keepsTree: keepsNames(this.#table, this.#uses),
      runsNothing: isIdle && idle !== "words",
      printsWords: isIdle && idle === "words",
      isTransparentWrapper: transparent === true && !acts &&
        (!assigns || onlyAssigns(this.#assigns, this.#wrapped)),
      isInterpreter: this.#isInterpreter,
      usesRepository: this.#usesRepository,
      remotes: this.#remotes,
      isKnown: true,
    };
    const { overlooked, enters } = this.#global;
    if (overlooked) reading.overlooked = overlooked;
    if (enters) reading.enters = enters;
    if (this.#table.sends_input) reading.sendsInput = true;
    if (this.#relinks) reading.relinks = this.#relinks;
    if (this.#means) reading.means = this.#means;
    if (this.#prompt) reading.prompt = this.#prompt;
    if (this.#table.language === "patch") reading.takesPatch = true;
    if (prints_integer) reading.prints = "integer";
    else if (printsName(this.#words, prints_name)) reading.prints = "name";
    return reading;
  }

  /** Reports the options before the command of a program whose options are unknown. */
  #unknownOptions(from: number, { operands }: Arguments): void {
    for (let at = from; at < (operands[0] ?? this.#words.length); at++) {
      this.#addUnknown(at, { from: at, why: "its options are unknown" });
    }
  }

  /** Reports words that may be any option, of which one may run or write something. */
  #possibleOptions(
    { possibleOptions: hidden }: Arguments,
    { table, first }: { table: ProgramTable; first: number | undefined },
  ): void {
    for (const at of hidden) {
      const isOperand = table.binary?.includes(this.#words[at + 1]?.shape ?? "");
      if (isOperand && !this.#words[at]!.splits) continue;
      const isSub = table.sub !== undefined && at === first;
      const why = isSub
        ? "its subcommand comes from a variable or substitution"
        : "an argument is not fixed, and may be an option that runs or writes something";
      this.#addUnknown(at, { from: at, why });
    }
  }

  #option(use: OptionUse, context: OptionContext): void {
    const { table } = context;
    const { option, value } = use;
    // A file of arguments counts wherever its name stands: `gcc -o @x`.
    if (value?.startsWith("@") && shapeKind({ ...use.word, shape: value }, table) === "code") {
      this.#addUnknown(use.last, { from: use.first, why: RUNS_OR_CHANGES });
    }
    const uses = optionUses(use, context);
    if (uses === undefined) return;
    if (uses.some(({ kind }) => kind === "read" || kind === "write")) this.#readsFile = true;
    const isTrade = use.last > use.first && table.trade_options?.includes(option.name);
    if (isTrade) this.#trade ??= use.first;
    this.#uses.push(...isTrade ? codeUses(uses, this.#trade).map(inlineUse) : uses);
    if (option.lists.includes("into") && value !== undefined) {
      this.#into = [...this.#into, { ...use.word, shape: value, text: value }];
    }
    if (option.lists.includes("commands") && value === undefined) this.#commands(use, table);
  }

  /** Adds the command behind `-exec`, up to the `;` or `+` at `last`. */
  #commands({ first, last }: OptionUse, table: ProgramTable): void {
    const to = /^[;+]$/.test(this.#words[last]!.shape) ? last : last + 1;
    if (table.lines && to === first + 2) {
      this.#wrap({ kind: "line", text: this.#words[first + 1]!.text, last: first + 1 });
    }
    this.#wrap({ kind: "argv", from: first + 1, to, adds: addedBehindOption(table) });
  }

  #wrap(...wrapped: readonly Wrapped[]): void {
    if (wrapped.length > 0) this.#wrapped = [...this.#wrapped, ...wrapped];
  }

  #operands(args: Arguments, { table, from }: { table: ProgramTable; from: number }): void {
    if (table.inner && hasOption(args, "nothing")) return;
    this.#standardInput(args, table);
    if (table.language === "jq" || table.language === "yq") {
      this.#uses.push(...filterUses(this.#words, { args, language: table.language }));
    }
    let operands = args.operands;
    if (table.inner) operands = this.#inner(args, { table, from });
    if (operands.length === 0) return;
    if (this.#isInterpreter) this.#wrap(...ownScript(this.#words, operands[0]!));
    const inPlace = hasOption(args, "in_place");
    const kinds = operandKinds(table, { options: args.options, count: operands.length });
    const many = mayBeOutputs(this.#words, { operands, table });
    if (many !== undefined) this.#addUnknown(many, { from: many, why: MAY_BE_OUTPUTS });
    for (let index = 0; index < operands.length; index++) {
      const at = operands[index]!;
      const shaped = shapeKind(this.#words[at]!, table);
      const kind = shaped ?? kinds[index] ?? "any";
      // Deny rules do not concern a script or an alias: it is like any program or subcommand.
      if (!shaped && kind === "code" && (this.#isInterpreter || table.sub)) {
        this.#codeOperand(at, table);
      } else if (kind !== "any") {
        this.#operand(at, { kind: kind === "read" && inPlace ? "write" : kind, table });
      }
    }
  }

  #codeOperand(at: number, table: ProgramTable): void {
    if (table.trade_options?.includes(ALWAYS)) this.#script(at, { isInline: true });
    else if (this.#words[at]!.shape === "-") this.#readsCode();
    else this.#script(at);
  }

  /** Reports standard input if the program runs it because no argument names its code. */
  #standardInput({ operands, options }: Arguments, { stdin }: ProgramTable): void {
    if (stdin === undefined || operands.length >= stdin) return;
    if (hasOption({ options }, "nothing") || hasOption({ options }, "commands")) return;
    if (this.#uses.some(({ kind }) => kind === "unknown" || kind === "run")) return;
    this.#readsCode();
  }

  #readsCode(): void {
    const why = "it runs its standard input";
    const use = unknownUse(this.#words, { from: 1, last: this.#words.length - 1, why });
    this.#uses.push(inlineUse({ ...use, coverage: "line" }));
  }

  #operand(at: number, options: { kind: OperandKind; table: ProgramTable }): void {
    const uses = operandUses(this.#words, { ...options, at, into: this.#into });
    const { kind } = options;
    if (uses.length > 0 && NAMES_FILES.has(kind)) this.#readsFile = true;
    if (kind === "remote" && uses.length === 0) {
      this.#remotes = [...this.#remotes, this.#words[at]!];
    }
    if (kind === "folder") this.#folders = [...this.#folders, this.#words[at]!];
    this.#uses.push(...kind === "code" ? codeUses(uses, this.#trade) : uses);
  }

  /** Adds the command among the operands. Returns the operands before it. */
  #inner(
    args: Arguments,
    { table, from }: { table: ProgramTable; from: number },
  ): readonly number[] {
    const { operands } = args;
    const { count, assigns, shifts } = commandStart(this.#words, { operands, table, from });
    if (assigns.length > 0) this.#assigns = [...this.#assigns, ...assigns];
    if (args.possibleOptions.length + shifts.length > 0) {
      for (const at of new Set([...args.possibleOptions, ...shifts])) {
        this.#addUnknown(at, { from: at, why: SHIFTS });
      }
    }
    const inner = innerCommand(this.#words, {
      operands: operands.slice(count),
      table,
      options: args.options,
    });
    this.#uses.push(...inner.uses);
    this.#wrap(...inner.wrapped);
    return operands.slice(0, count);
  }

  #script(at: number, { isInline = false } = {}): void {
    const use = unknownUse(this.#words, { last: at, why: RUNS_OR_CHANGES });
    const code = isInline ? inlineUse(use) : { ...use, isOrdinaryScript: true as const };
    this.#uses.push(...codeUses([code], this.#trade));
  }

  #addUnknown(
    at: number,
    { from, why, coverage }: { from: number; why: string } & Pick<ProgramUse, "coverage">,
  ): void {
    const use = unknownUse(this.#words, { from, last: at, why });
    this.#uses.push(coverage ? { ...use, coverage } : use);
  }
}
