import { isAssignment, kindsOf, mayBeMany, printsName, shapeKind } from "./operand_kinds.ts";
import { isFixed, literalOf } from "../parse/parse_word.ts";
import type { OperandKind, OptionList, Program, ProgramTable } from "./program.ts";
import { type Arguments, type OptionUse, readOptions } from "./read_options.ts";
import { withTails } from "./file_tails.ts";
import { filterUses } from "./jq_filter.ts";
import { DANGEROUS_LISTS, optionUses } from "./option_uses.ts";
import { scriptUses } from "./script_uses.ts";
import { shellReading } from "./shell_reading.ts";
import type { Word } from "../parse/tree.ts";
import type { CommandUse, ProgramUse, Wrapped } from "./use.ts";
import { innerCommand } from "./inner_command.ts";

/** Reads the words of a command by what is known of its program. */
export function readCommand(words: readonly Word[], program: Program | undefined): CommandUse {
  if (!program) return NO_USES;
  if (program.table.inner === "shell") return shellReading(words, program);
  const reader = new ProgramReader(words);
  reader.read(program);
  return reader.reading();
}

/** What is said of a program without a table. */
export const NO_USES: CommandUse = {
  uses: [],
  wrapped: [],
  assigns: [],
  globals: [],
  isHarmless: false,
  isTransparentWrapper: false,
  isInterpreter: false,
};

class ProgramReader {
  readonly #words: readonly Word[];
  readonly #uses: ProgramUse[] = [];
  readonly #wrapped: Wrapped[] = [];
  readonly #assigns: number[] = [];
  readonly #globals: number[] = [];
  #table: ProgramTable = {};
  #trade = false;
  #readsFile = false;

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  /** Reads one level, and those of its sub-commands. */
  read(program: Program, from = 1): void {
    const { table } = program;
    this.#table = table;
    this.#trade ||= table.trade ?? false;
    const stops = table.sub !== undefined || table.inner !== undefined || table.permute === false;
    const args = readOptions(this.#words, { program, from, stops });
    if (table.bare) this.#unknownOptions(from, args);
    if (table.opaque) this.#odd(this.#words.length - 1, { from, why: UNKNOWN, cover: "exact" });
    for (const option of args.options) this.#option(option, table);
    const first = args.operands[0];
    if (program.isDangerous || table.sub) this.#hidden(args, { table, first });
    if (table.sub && first !== undefined) {
      const name = literalOf(this.#words[first]!);
      const sub = name === undefined ? undefined : program.sub(name);
      if (from === 1) { for (let at = 1; at < first; at++) this.#globals.push(at); }
      if (sub) return this.read(sub, first + 1);
    }
    this.#operands(args, table);
  }

  reading(): CommandUse {
    const { companion, transparent, prints_integer, prints_name } = this.#table;
    const acts = this.#uses.some(({ kind }) =>
      kind === "unknown" || kind === "run" || kind === "output"
    );
    return {
      uses: this.#uses,
      wrapped: this.#wrapped,
      assigns: this.#assigns,
      globals: this.#globals,
      isHarmless: companion === true && !acts && !this.#readsFile,
      isTransparentWrapper: transparent === true && !acts,
      isInterpreter: this.#trade,
      ...(prints_integer
        ? { prints: "integer" }
        : printsName(this.#words, prints_name)
        ? { prints: "name" }
        : {}),
    };
  }

  /** Options in front of the command, of a program whose options are not known. */
  #unknownOptions(from: number, { operands }: Arguments): void {
    for (let at = from; at < (operands[0] ?? this.#words.length); at++) {
      this.#odd(at, { from: at, why: "what its options do is not known" });
    }
  }

  /** Words that may be any option: one of them may run or write something. */
  #hidden(
    { hidden }: Arguments,
    { table, first }: { table: ProgramTable; first: number | undefined },
  ): void {
    for (const at of hidden) {
      const isOperand = table.binary?.includes(this.#words[at + 1]?.shape ?? "");
      if (isOperand && !this.#words[at]!.splits) continue;
      const isSub = table.sub !== undefined && at === first;
      const why = isSub
        ? "which sub-command it is stands in a variable or substitution"
        : "the line does not fix it, and it may be an option that runs or writes something";
      this.#odd(at, { from: at, why });
    }
  }

  #option(use: OptionUse, table: ProgramTable): void {
    const { option, first, last, value } = use;
    const uses = optionUses(use, table);
    if (uses === undefined) return;
    if (uses.some(({ kind }) => kind === "read" || kind === "write")) this.#readsFile = true;
    this.#uses.push(...uses);
    if (option.lists.includes("commands") && value === undefined) this.#commands(first, last);
  }

  /** The command behind `-exec`, up to the `;` or `+` at `last`. */
  #commands(first: number, last: number): void {
    const to = /^[;+]$/.test(this.#words[last]!.shape) ? last : last + 1;
    this.#wrapped.push({ kind: "argv", from: first + 1, to, adds: "braces" });
  }

  #operands(args: Arguments, table: ProgramTable): void {
    const has = (list: OptionList) =>
      args.options.some(({ option }) => option.lists.includes(list));
    if (table.inner && has("nothing")) return;
    this.#standardInput(args, table);
    this.#uses.push(...filterUses(this.#words, { args, language: table.language }));
    let operands = args.operands;
    if (table.inner) operands = this.#inner(operands, table);
    if (operands.length === 0) return;
    const given = new Set(args.options.map(({ option }) => option.name));
    const inPlace = has("in_place");
    const kinds = kindsOf(table, { given, count: operands.length });
    this.#manyOperands(operands, table);
    operands.forEach((at, index) => {
      const shaped = shapeKind(this.#words[at]!, table);
      const kind = shaped ?? kinds[index] ?? "any";
      // A script, as any program, and an alias, as any sub-command, are nothing that a deny rule speaks of.
      if (!shaped && kind === "code" && (this.#trade || table.sub)) {
        return this.#words[at]!.shape === "-" ? this.#readsCode() : this.#script(at);
      }
      this.#operand(at, { kind: kind === "read" && inPlace ? "write" : kind, table });
    });
  }

  /** What comes by standard input is run where nothing on the line says what is. */
  #standardInput({ operands, options }: Arguments, { stdin }: ProgramTable): void {
    if (stdin === undefined || operands.length >= stdin) return;
    const says = (list: OptionList) => options.some(({ option }) => option.lists.includes(list));
    if (says("nothing") || says("commands")) return;
    if (this.#uses.some(({ kind }) => kind === "unknown" || kind === "run")) return;
    this.#readsCode();
  }

  #readsCode(): void {
    const why = "it runs what comes by its standard input";
    this.#odd(this.#words.length - 1, { from: 1, why, cover: "line" });
  }

  /** A word that may become several may bring an operand that is written. */
  #manyOperands(operands: readonly number[], table: ProgramTable): void {
    if (!table.operands?.some((kind) => kind.startsWith("output"))) return;
    const at = operands.find((each) =>
      !isFixed(this.#words[each]!.shape) && mayBeMany(this.#words[each]!)
    );
    if (at !== undefined) {
      this.#odd(at, { from: at, why: "it may be several words, of which one is written" });
    }
  }

  #operand(at: number, { kind, table }: { kind: OperandKind; table: ProgramTable }): void {
    const value = this.#words[at]!;
    const about = { text: value.raw, value, lastWord: at };
    switch (kind) {
      case "any":
        return;
      case "code":
        return this.#odd(at, { from: at, why: DANGEROUS_LISTS });
      case "script":
        return this.#scriptAt(at, table);
      case "read":
      case "write":
        if (value.shape === "-") return;
        this.#readsFile = true;
        this.#file({ kind, ...about }, table);
        return;
      case "output":
        if (value.shape !== "-") this.#file({ kind, ...about }, table);
        return;
      case "run": {
        const text = table.assigns ? value.shape.slice(value.shape.indexOf("=") + 1) : value.shape;
        this.#uses.push({ kind, ...about, value: { ...value, text, shape: text } });
        return;
      }
      case "url":
      case "name":
        this.#uses.push({ kind, ...about });
    }
  }

  #file(use: ProgramUse, { tails }: ProgramTable): void {
    this.#uses.push(...(tails ? withTails(use, DANGEROUS_LISTS) : [use]));
  }

  #scriptAt(at: number, { language }: ProgramTable): void {
    const value = this.#words[at]!;
    const isLast = at === this.#words.length - 1;
    this.#uses.push(...scriptUses(value, { language, text: value.raw, last: at, isLast }));
  }

  /** Where the operands are a command: the operands before it. */
  #inner(operands: readonly number[], table: ProgramTable): readonly number[] {
    let start = 0;
    if (table.assigns) {
      while (start < operands.length && isAssignment(this.#words[operands[start]!]!)) {
        this.#assigns.push(operands[start++]!);
      }
    }
    // What runs elsewhere stands behind "--", if there is one: `kubectl exec pod -n x -- ls`.
    const dashes = table.remote ? operands.findIndex((at) => this.#words[at]!.shape === "--") : -1;
    start = dashes >= 0 ? dashes + 1 : start + (table.skip ?? 0);
    const inner = innerCommand(this.#words, { operands: operands.slice(start), table });
    this.#uses.push(...inner.uses);
    this.#wrapped.push(...inner.wrapped);
    return operands.slice(0, start);
  }

  #script(at: number): void {
    const value = this.#words[at]!;
    this.#uses.push({
      kind: "unknown",
      text: value.raw,
      value,
      lastWord: at,
      why: DANGEROUS_LISTS,
      isOrdinaryScript: true,
    });
  }

  #odd(
    at: number,
    { from, why, cover }: { from: number; why: string; cover?: "exact" | "line" },
  ): void {
    const value = this.#words[at]!;
    const text = this.#words.slice(Math.min(from, at), at + 1).map(({ raw }) => raw).join(" ");
    this.#uses.push({
      kind: "unknown",
      text,
      value,
      lastWord: at,
      why,
      ...(cover ? { coverage: cover } : {}),
    });
  }
}

const UNKNOWN = "what it is given runs later, or in the shell itself";
