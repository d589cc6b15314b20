import { withTails } from "./file_tails.ts";
import { isHarmless } from "./operand_kinds.ts";
import type { OptionList, ProgramTable } from "./program.ts";
import type { OptionUse } from "./read_options.ts";
import { scriptUses } from "./script_uses.ts";
import { HOLE, type Word } from "../parse/tree.ts";
import type { ProgramUse } from "./use.ts";

/** Why what a word says is asked about. */
export const DANGEROUS_LISTS = "it runs or changes what the rule does not name";

/** A colon before the first slash, or what may be one. */
const HOST = new RegExp(`^[^/]*[:${HOLE}]`);

/** What an option does besides the program's trade; undefined where it surely does nothing. */
export function optionUses(use: OptionUse, table: ProgramTable): readonly ProgramUse[] | undefined {
  const { option, value } = use;
  const decides = value !== undefined || option.takes === "glued";
  if (decides && isHarmless(option, { value: value ?? "", table })) return undefined;
  return option.lists.flatMap((list) => usesBy(list, { use, table }));
}

function usesBy(
  list: OptionList,
  { use, table }: { use: OptionUse; table: ProgramTable },
): readonly ProgramUse[] {
  const { option, last, value, word } = use;
  const given: Word = value === undefined ? word : { ...word, shape: value, text: value };
  const text = value === undefined ? option.name : `${option.name} ${word.raw}`;
  const about = { text, lastWord: last, value: given };
  const odd = (why: string): readonly ProgramUse[] => [{ kind: "unknown", why, ...about }];
  switch (list) {
    case "read":
    case "write":
    case "output":
    case "url":
    case "run":
      if (value === undefined && option.takes === "glued") return [];
      return table.tails
        ? withTails({ kind: list, ...about }, DANGEROUS_LISTS)
        : [{ kind: list, ...about }];
    case "code":
    case "acts":
      return odd(DANGEROUS_LISTS);
    case "commands":
      return value === undefined ? [] : odd(DANGEROUS_LISTS);
    case "script_options":
      return scriptUses(given, { language: table.language, text, last, isLast: false });
    case "in_place":
      // The suffix of the copy may lead to another folder.
      return value !== undefined && /[/*]/.test(value) ? odd(DANGEROUS_LISTS) : [];
    case "hosts":
      return HOST.test(value ?? "") ? odd("it may be on another machine") : [];
    case "value":
    case "nothing":
      return [];
  }
}
