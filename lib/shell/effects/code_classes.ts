import type { CommandClass } from "../../model/call.ts";
import type { CommandTraits } from "../effect.ts";
import { isFixed, type Word, wordsAt } from "../parse/tree.ts";
import { ABOUT_ITSELF, type TableClasses } from "../programs/command_classes.ts";
import { bitsOf, classesIn } from "../programs/classes/class_set.ts";
import { baseName } from "../programs/program_catalog.ts";
import type { ProgramTable } from "../programs/program_table.ts";
import type { Scope } from "./command_context.ts";
import { joinPath } from "./folders.ts";
import type { LineState } from "./line_state.ts";
import { isHarmlessAssignment } from "./texts/assignment_kind.ts";
import type { SimpleCommand } from "./simple_command.ts";

/**
 * The classes of an interpreter or a shell that runs code of its words, of a file or of its standard input, where its table gives
 * it none; undefined for any other command. `unknown` is among them where more than the code may run.
 */
export function interpreterClasses(
  { words, node, program, reading }: SimpleCommand,
  state: LineState,
): TableClasses | undefined {
  const { levels, uses, wrapped } = reading;
  const tables = [program, ...levels.map((level) => level.program)].flatMap((each) =>
    each?.table.interpreter ? each.table : []
  );
  const isNamed = !tables.some(({ unclassed }) => unclassed?.includes(baseName(words[0]!.shape)));
  const runsCode = uses.some(({ kind }) => kind === "unknown") ||
    wrapped.some(({ kind }) => kind === "stdin");
  if (tables.length === 0 || !isNamed || !runsCode || state.hasFunctions) return undefined;
  const isPlain = words.every(isPlainWord) &&
    node.assignments.every((each) => isHarmlessAssignment(each, state.catalog));
  const { args } = levels.at(-1) ?? {};
  const operands = args === undefined
    ? words.slice(1).filter(({ shape }) => !/^[-+]/.test(shape))
    : wordsAt(words, args.operands).filter(({ shape }) => shape !== "-");
  return {
    ...ABOUT_ITSELF,
    classes: classesIn(bitsOf([...codeOr(isPlain), ...tables.flatMap(furtherClasses)])),
    operands: isPlain ? operands : [],
    isInterpreter: true,
  };
}

/** The program of a command that is named by a path, and its classes if that is a file of the workspace. */
export function ownFile(
  { words, node }: SimpleCommand,
  { folders: { paths, open }, state }: Pick<Scope, "folders"> & { readonly state: LineState },
): CommandTraits["ownFile"] {
  const { shape } = words[0]!;
  if (!shape.includes("/") || !isFixed(shape) || open || state.hasFunctions) return undefined;
  const isPlain = words.every(isPlainWord) && !state.makesLinks && state.changed.length === 0 &&
    node.assignments.every((each) => isHarmlessAssignment(each, state.catalog));
  return { paths: paths.map((folder) => joinPath(folder, shape)), classes: codeOr(isPlain) };
}

function furtherClasses({ interpreter }: ProgramTable): readonly CommandClass[] {
  return typeof interpreter === "object" ? interpreter : [];
}

function codeOr(isPlain: boolean): readonly CommandClass[] {
  return isPlain ? ["code"] : ["code", "unknown"];
}

/** True for a word that the line fixes and that stays one. */
function isPlainWord({ shape, splits, glob }: Word): boolean {
  return isFixed(shape) && !splits && glob === undefined;
}
