/** The wrappers of `defaults/shell.toml`, as the words before the command that they run. */
import type { Program } from "../../lib/shell/programs/program.ts";
import type { ProgramTable } from "../../lib/shell/programs/program_table.ts";
import { ProgramCatalog } from "../../lib/shell/programs/program_catalog.ts";

/** A program, or a sub-command of one, whose operands are a command. */
export interface WrapperForm {
  /** Its name and sub-commands. */
  readonly words: readonly string[];
  /** Options without a value that do nothing of interest here. */
  readonly flags: readonly string[];
  /** Options whose value is the next word. */
  readonly values: readonly string[];
  /** The number of operands before the command. */
  readonly skip: number;
  /** True if `NAME=value` may stand before the command. */
  readonly assigns: boolean;
  /** True if the command is words, false if it is a text that is read as a line. */
  readonly isWords: boolean;
}

/** Every wrapper that runs a command among its operands. */
export const WRAPPERS: readonly WrapperForm[] = wrappersOf(new ProgramCatalog());

function wrappersOf(catalog: ProgramCatalog): readonly WrapperForm[] {
  return catalog.names.flatMap((name) => formsOf(catalog.program(name)!, [name]));
}

function formsOf(program: Program, words: readonly string[]): readonly WrapperForm[] {
  const { table } = program;
  const inner = Object.keys(table.sub ?? {}).flatMap((name) =>
    formsOf(program.sub(name)!, [...words, name])
  );
  return table.inner === "argv" || table.inner === "string"
    ? [formOf(program, words), ...inner]
    : inner;
}

function formOf({ table, options }: Program, words: readonly string[]): WrapperForm {
  const values = [...options.values()].filter(({ takes, lists }) =>
    takes === "needed" && lists.every((list) => list === "value")
  );
  return {
    words,
    flags: flagsOf(table),
    values: values.map(({ name }) => name),
    skip: table.skip ?? 0,
    assigns: table.assigns ?? false,
    isWords: table.inner === "argv",
  };
}

/** A flag that no list of the table names. */
function flagsOf({ bare, style }: ProgramTable): readonly string[] {
  return bare || style === "words" ? [] : ["--zq-flag"];
}
