import { inBackticks } from "../../../text/quote.ts";
import { alternativesOf, isFixed, type Word } from "../../parse/tree.ts";
import { operandKinds } from "../inner_command.ts";
import type { NameSource, ProgramTable } from "../program_table.ts";
import type { Level } from "../program_use.ts";
import { isGiven } from "./class_set.ts";

/** The places that names may come from, in the order in which they are told. */
const SOURCES: readonly NameSource[] = ["value", "archive", "operand", "input"];

/**
 * The reason why no rule about a class covers a command: by its tables, names of its files come from a list, an archive, a patch
 * or its standard input. Undefined where they do not.
 */
export function whyNamesUnheld(
  words: readonly Word[],
  levels: readonly Level[],
): string | undefined {
  for (const level of levels) {
    const { from } = level.program.table;
    const source = from &&
      SOURCES.find((each) =>
        from[each] !== undefined && isNamed(from[each], { each, words, level })
      );
    if (source === undefined) continue;
    const place = placeOf(source, { words, level });
    return `the names of files come from ${place}, which the line does not hold`;
  }
  return undefined;
}

interface Given {
  readonly words: readonly Word[];
  readonly level: Level;
}

/** True if an entry of a list of `from` is given. */
function isNamed(
  list: readonly string[],
  { each, words, level: { args, from, program: { table } } }: Given & { readonly each: NameSource },
): boolean {
  const isSkipped = each !== "value" &&
    args.options.some(({ option }) => isSkip(option.name, table));
  if (isSkipped) return false;
  return isGiven(list, args) ||
    // Options that the table leaves out of its lists, so that they are unknown.
    ownWords(words, { from, table, args }).some(({ shape }) =>
      list.includes(shape.includes("=") ? shape.slice(0, shape.indexOf("=")) : shape)
    );
}

/** The words of a level before `--`, without those of a sub-command or a command that it runs. */
function ownWords(
  words: readonly Word[],
  { from, table, args: { operands } }: Pick<Level, "from" | "args"> & { table: ProgramTable },
): readonly Word[] {
  const dashes = words.findIndex(({ shape }, at) => at >= from && shape === "--");
  const end = table.sub || table.inner ? operands[0] ?? words.length : words.length;
  return words.slice(from, dashes < 0 ? end : Math.min(end, dashes));
}

function isSkip(name: string, { skips }: ProgramTable): boolean {
  return skips?.some((each) => each.replace(/[=?]$/, "") === name) === true;
}

const INPUT = "standard input";

/** The place that the names come from, for people. */
function placeOf(
  source: NameSource,
  { words, level: { args, program: { table } } }: Given,
): string {
  const valueOf = (isMeant: (use: typeof args.options[number]) => boolean) =>
    args.options.find((use) => use.value !== undefined && isMeant(use))?.value;
  switch (source) {
    case "value":
      return shown(valueOf(({ option }) => table.from!.value!.includes(option.name)), "a list");
    case "archive":
      return shown(valueOf(({ option }) => option.lists.includes("archive")), "an archive");
    case "operand": {
      const { options, operands } = args;
      const kinds = operandKinds(table, { options, count: operands.length });
      const at = operands.find((_, index) => kinds[index] === "read");
      return at === undefined ? INPUT : shown(alternativesOf(words[at]!)[0]?.shape, "a file");
    }
    case "input":
      return INPUT;
  }
}

/** A name in backticks; another text for one that the line does not fix. */
function shown(name: string | undefined, otherwise: string): string {
  if (name === undefined || !isFixed(name)) return otherwise;
  return name === "-" || name === "/dev/stdin" ? INPUT : inBackticks(name);
}
