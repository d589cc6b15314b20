import type { OpenEffect, Operand } from "../effect.ts";
import { shownShape } from "../parse/tree.ts";
import type { ProgramCatalog } from "../programs/program_catalog.ts";
import { isHarmlessAssignment } from "./texts/assignment_kind.ts";
import type { SimpleCommand } from "./simple_command.ts";

/** Adds the words of a command that it may run: operands of a program without a table, and values of variables before it. */
export function addRunWords(
  effect: Pick<OpenEffect, "operands" | "values">,
  { command, catalog }: { readonly command: SimpleCommand; readonly catalog: ProgramCatalog },
): void {
  const { program, words, node } = command;
  if (program === undefined && words.length > 1) effect.operands = operandsOf(command);
  const values = node.assignments.length === 0 ? [] : valuesOf(command, catalog);
  if (values.length > 0) effect.values = values;
}

function operandsOf({ words, texts }: SimpleCommand): readonly Operand[] {
  return words.slice(1).map(({ shape }, at) => ({
    text: shownShape(shape),
    end: texts.ends[at + 1]!,
  }));
}

/** The values that may not be harmless. Only a rule that goes on behind one names it. */
function valuesOf({ node, texts }: SimpleCommand, catalog: ProgramCatalog): readonly Operand[] {
  return node.assignments.flatMap((each) => {
    const { name, value: { shape } } = each;
    if (shape === "" || isHarmlessAssignment(each, catalog)) return [];
    const head = `${name}=${shape}`;
    const at = texts.resolved.indexOf(head);
    return [{ text: shownShape(shape), end: at < 0 ? Infinity : at + head.length }];
  });
}
