import type { Assignment } from "../../parse/tree.ts";
import type { ProgramCatalog } from "../../programs/program_catalog.ts";

/** The effect of an assignment before a command; `NAME+=` and `NAME[1]=` only set variables that are harmless with any value. */
export function assignmentKind(
  { name, value, raw }: Assignment,
  catalog: ProgramCatalog,
): ReturnType<ProgramCatalog["variableKind"]> {
  // The wildcards of an assignment are text.
  const kind = catalog.variableKind(name, value.glob === undefined ? value.shape : value.text);
  return kind === "switch" && !raw.startsWith(`${name}=`) ? "unknown" : kind;
}

/** True if an assignment needs no rule that names it. */
export function isHarmlessAssignment(assignment: Assignment, catalog: ProgramCatalog): boolean {
  return /^(?:harmless|switch)$/.test(assignmentKind(assignment, catalog));
}

/** True if none of some assignments needs a rule that names it. */
export function areHarmless(assignments: readonly Assignment[], catalog: ProgramCatalog): boolean {
  for (const each of assignments) if (!isHarmlessAssignment(each, catalog)) return false;
  return true;
}

/** The part of an assignment before its value: `NAME=`, `NAME+=`, `NAME[index]=`. */
export function headOf({ raw }: Assignment): string {
  return raw.slice(0, raw.indexOf("=") + 1);
}
