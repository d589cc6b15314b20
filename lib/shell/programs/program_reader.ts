import { literalOf, type Word } from "../parse/tree.ts";
import {
  commandsBehind,
  commandStart,
  innerCommand,
  MAY_BE_OUTPUTS,
  mayBeOutputs,
  onlyAssigns,
  operandKinds,
  printedKind,
  SHIFTS,
} from "./inner_command.ts";
import { readGlobalOptions } from "./global_options.ts";
import {
  type OptionContext,
  optionUses,
  possibleOptions,
  RUNS_OR_CHANGES,
  unknownOptions,
} from "./option_uses.ts";
import { ALWAYS, isBareProgram, type Program, shapeKind } from "./program.ts";
import type { OperandKind, ProgramTable } from "./program_table.ts";
import {
  codeUses,
  type CommandReading,
  holdsText,
  inlineUse,
  isAction,
  isFile,
  keepsNames,
  type Level,
  meantWords,
  ownScript,
  PLAIN_READING,
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
  #program: Program;
  #uses: ProgramUse[] = [];
  // Most commands have none of these.
  #wrapped: readonly Wrapped[] = NONE;
  #assigns: readonly number[] = NONE;
  #globals: readonly number[] = NONE;
  #folders: Word[] | undefined;
  #global: Pick<CommandReading, "overlooked" | "enters"> = PLAIN_READING;
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

  constructor(words: readonly Word[], program: Program) {
    this.#words = words;
    this.#program = program;
  }

  /** Reads one level and, below it, that of a subcommand. */
  read(from = 1): void {
    const program = this.#program;
    const { table } = program;
    this.#isInterpreter ||= table.trade ?? false;
    this.#trade = table.trade && from > 1 ? from - 1 : undefined;
    this.#usesRepository = table.repository ?? this.#usesRepository;
    const args = readOptions(this.#words, { program, from, stops: program.stops });
    const level = { program, args, from };
    this.#levels.push(level);
    this.#options(level);
    const first = args.operands[0];
    // A program without a subcommand only prints its version or help.
    if (isBareProgram(table) && first === undefined && from === 1) this.#usesRepository = false;
    if (table.sub && first !== undefined) {
      const name = literalOf(this.#words[first]!);
      const sub = name === undefined ? undefined : program.sub(name);
      if (from === 1 && first > 1) this.#globals = [...this.#words.keys()].slice(1, first);
      if (sub) {
        this.#program = sub;
        return this.read(first + 1);
      }
    }
    this.#operands(level);
    this.#changes(level);
  }

  /** Reads the options of a level. */
  #options(level: Level): void {
    const { program, args, from } = level;
    const { table } = program;
    const { options, possibleOptions: hidden } = args;
    if (table.bare) this.#uses.push(...unknownOptions(this.#words, level));
    this.#prompt ??= promptOf(this.#words, { args, table });
    if (table.opaque) {
      this.#addUnknown(this.#words.length - 1, { from, why: RUNS_LATER, coverage: "exact" });
    }
    if (options.length > 0) {
      const readsArchive = table.reads !== undefined && hidden.length === 0 &&
        hasOption(args, "reads");
      for (let at = 0; at < options.length; at++) {
        this.#option(options[at]!, { table, readsArchive });
      }
    }
    if (from === 1 && (table.drops || table.moves || table.enters)) {
      const read = readGlobalOptions(this.#words, { args, table, uses: this.#uses });
      this.#uses = read.uses;
      this.#global = read;
    }
    const mayAct = program.isDangerous || table.sub;
    if (hidden.length > 0 && mayAct && !table.inner) {
      this.#uses.push(...possibleOptions(this.#words, level));
    }
  }

  /** Reads the changes of the innermost level to files that its words do not name. */
  #changes({ program, args, from }: Level): void {
    const { table } = program;
    const words = this.#words;
    const { uses, relinks } = treeChanges({ words, program, args, uses: this.#uses });
    if (uses.length > 0) this.#uses.push(...uses);
    this.#relinks = relinks;
    if (table.means) {
      this.#means = meantWords(words, { means: table.means, operands: args.operands, from });
    }
  }

  reading(): CommandReading {
    const { table } = this.#program;
    const { companion, idle, transparent, assigns } = table;
    const words = this.#words;
    const uses = this.#uses;
    const wrapped = this.#wrapped;
    const levels = this.#levels;
    const acts = uses.some(isAction);
    const isIdle = idle !== undefined && !acts && wrapped.length === 0 &&
      (idle === true || words.every(holdsText));
    const changesNoNames = (companion || table.keeps || transparent) === true;
    return {
      uses,
      wrapped,
      assigns: this.#assigns,
      globals: this.#globals,
      overlooked: this.#global.overlooked,
      enters: this.#global.enters,
      means: this.#means,
      folders: this.#folders ?? NONE,
      onlyPrints: undefined,
      onlyRuns: false,
      isHarmless: companion === true && !acts && !this.#readsFile && !mayBeSeveral(words, levels),
      keepsTree: changesNoNames && uses.every(keepsNames),
      runsNothing: isIdle && idle !== "words",
      printsWords: isIdle && idle === "words",
      isTransparentWrapper: transparent === true && !acts &&
        (!assigns || onlyAssigns(this.#assigns, wrapped)),
      isInterpreter: this.#isInterpreter,
      prompt: this.#prompt,
      takesPatch: table.language === "patch",
      sendsInput: table.sends_input === true,
      usesRepository: this.#usesRepository,
      remotes: this.#remotes,
      relinks: this.#relinks,
      levels,
      isKnown: true,
      prints: printedKind(words, table),
    };
  }

  #option(use: OptionUse, context: OptionContext): void {
    const { table } = context;
    const { option, value } = use;
    // A file of arguments counts wherever its name stands: `gcc -o @x`.
    if (value?.startsWith("@") && shapeKind({ ...use.word, shape: value }, table) === "code") {
      this.#addUnknown(use.last, { from: use.first, why: RUNS_OR_CHANGES });
    }
    if (option.isIdle && !table.fixed_files && !table.trade_options) return;
    const uses = optionUses(use, context);
    if (uses === undefined) return;
    if (uses.some(isFile)) this.#readsFile = true;
    const isTrade = use.last > use.first && table.trade_options?.includes(option.name);
    if (isTrade) this.#trade ??= use.first;
    this.#uses.push(...isTrade ? codeUses(uses, this.#trade).map(inlineUse) : uses);
    if (option.lists.includes("into") && value !== undefined) {
      this.#into = [...this.#into, { ...use.word, shape: value, text: value }];
    }
    if (option.lists.includes("commands") && value === undefined) {
      this.#wrap(...commandsBehind(this.#words, { use, table }));
    }
  }

  #wrap(...wrapped: readonly Wrapped[]): void {
    if (wrapped.length > 0) this.#wrapped = [...this.#wrapped, ...wrapped];
  }

  #operands(level: Level): void {
    const { program, args } = level;
    const { table } = program;
    const { options } = args;
    const words = this.#words;
    if (table.inner && hasOption(args, "nothing")) return;
    if (table.stdin !== undefined) this.#standardInput(args, table.stdin);
    if (table.language === "jq" || table.language === "yq") {
      this.#uses.push(...filterUses(words, { args, language: table.language }));
    }
    const operands = table.inner ? this.#inner(level) : args.operands;
    if (operands.length === 0) return;
    if (this.#isInterpreter) this.#wrap(...ownScript(words, operands[0]!));
    const inPlace = table.in_place !== undefined && hasOption(args, "in_place");
    const kinds = operandKinds(table, { options, count: operands.length });
    const many = program.hasOutputs ? mayBeOutputs(words, operands) : undefined;
    if (many !== undefined) this.#addUnknown(many, { from: many, why: MAY_BE_OUTPUTS });
    for (let index = 0; index < operands.length; index++) {
      const at = operands[index]!;
      const shaped = table.shapes && shapeKind(words[at]!, table);
      const kind = shaped ?? kinds[index] ?? "any";
      if (kind === "any") continue;
      // Deny rules do not concern a script or an alias: it is like any program or subcommand.
      if (!shaped && kind === "code" && (this.#isInterpreter || table.sub)) {
        this.#codeOperand(at, table);
      } else this.#operand(at, { kind: kind === "read" && inPlace ? "write" : kind, table });
    }
  }

  #codeOperand(at: number, table: ProgramTable): void {
    const isInline = table.trade_options?.includes(ALWAYS) === true;
    if (!isInline && this.#words[at]!.shape === "-") return this.#readsCode();
    const use = unknownUse(this.#words, { last: at, why: RUNS_OR_CHANGES });
    const code = isInline ? inlineUse(use) : { ...use, isOrdinaryScript: true as const };
    this.#uses.push(...codeUses([code], this.#trade));
  }

  /** Reports standard input if the program runs it because no argument names its code. */
  #standardInput(args: Arguments, least: number): void {
    if (args.operands.length >= least) return;
    if (hasOption(args, "nothing") || hasOption(args, "commands")) return;
    if (this.#uses.some(({ kind }) => kind === "unknown" || kind === "run")) return;
    this.#readsCode();
  }

  #readsCode(): void {
    const why = "it runs its standard input";
    const use = unknownUse(this.#words, { from: 1, last: this.#words.length - 1, why });
    this.#uses.push(inlineUse({ ...use, coverage: "line" }));
  }

  #operand(at: number, { kind, table }: { kind: OperandKind; table: ProgramTable }): void {
    const uses = operandUses(this.#words, { at, kind, table, into: this.#into });
    if (uses.length > 0 && NAMES_FILES.has(kind)) this.#readsFile = true;
    if (kind === "remote" && uses.length === 0) {
      this.#remotes = [...this.#remotes, this.#words[at]!];
    }
    if (kind === "folder") (this.#folders ??= []).push(this.#words[at]!);
    if (kind === "code") this.#uses.push(...codeUses(uses, this.#trade));
    else for (let each = 0; each < uses.length; each++) this.#uses.push(uses[each]!);
  }

  /** Adds the command among the operands. Returns the operands before it. */
  #inner({ program: { table }, args, from }: Level): readonly number[] {
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
    if (inner.uses.length > 0) this.#uses.push(...inner.uses);
    this.#wrap(...inner.wrapped);
    return operands.slice(0, count);
  }

  #addUnknown(
    at: number,
    { from, why, coverage }: { from: number; why: string } & Pick<ProgramUse, "coverage">,
  ): void {
    const use = unknownUse(this.#words, { from, last: at, why });
    this.#uses.push(coverage ? { ...use, coverage } : use);
  }
}
