import { lineText } from "./operand_kinds.ts";
import { isFixed } from "../parse/parse_word.ts";
import type { ProgramTable } from "./program.ts";
import type { Word } from "../parse/tree.ts";
import type { ProgramUse, Wrapped } from "./use.ts";

/** The command that a wrapper runs, and what is said of it besides. */
export interface InnerCommand {
  /** None where it runs nothing that stands among its words. */
  readonly wrapped: readonly Wrapped[];
  /** What it does besides, or what of it cannot be known. */
  readonly uses: readonly ProgramUse[];
}

const NOTHING: InnerCommand = { wrapped: [], uses: [] };

/**
 * The command among the operands of a wrapper: from the first on, or behind the `--` that ends options in front of it.
 * `operands` are indices of words.
 */
export function innerCommand(
  words: readonly Word[],
  { operands, table }: { operands: readonly number[]; table: ProgramTable },
): InnerCommand {
  const [first] = operands;
  if (first === undefined) return NOTHING;
  const { shape } = words[first]!;
  if (!shape.startsWith("-")) return commandFrom(first, { words, table });
  const next = words[first + 1];
  if (next && table.run?.includes(shape)) {
    const use: ProgramUse = {
      kind: "run",
      text: `${shape} ${next.raw}`,
      value: next,
      lastWord: first + 1,
    };
    return { wrapped: [], uses: [use] };
  }
  const dashes = operands.find((at) => words[at]!.shape === "--");
  if (dashes !== undefined) return commandFrom(dashes + 1, { words, table });
  const why = "where its command begins is not known";
  return { wrapped: [], uses: [unknownUse(words, { from: first, to: first, why })] };
}

function commandFrom(
  from: number,
  { words, table }: { words: readonly Word[]; table: ProgramTable },
): InnerCommand {
  const last = words.length - 1;
  const rest = words.slice(from);
  if (rest.length === 0) return NOTHING;
  if (table.inner !== "string") {
    const adds = table.adds ? "end" : "nothing";
    return { wrapped: [{ kind: "argv", from, to: last + 1, adds }], uses: [] };
  }
  const line: Wrapped = { kind: "line", text: rest.map(lineText).join(" "), last };
  if (rest.every(({ shape }) => isFixed(shape))) return { wrapped: [line], uses: [] };
  const why = "a part of the command that it runs is not fixed";
  return { wrapped: [line], uses: [unknownUse(words, { from, to: last, why })] };
}

function unknownUse(
  words: readonly Word[],
  { from, to, why }: { from: number; to: number; why: string },
): ProgramUse {
  const text = words.slice(from, to + 1).map(({ raw }) => raw).join(" ");
  return { kind: "unknown", text, value: words[to]!, lastWord: to, why };
}
