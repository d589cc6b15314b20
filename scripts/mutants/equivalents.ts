import { readJson } from "./baseline.ts";
import type { Mutant } from "./candidates.ts";
import { REPO } from "./tree.ts";

/** A mutant that no test can notice, or need not. */
export interface Equivalent {
  /** The file, from the root of the repository. */
  readonly file: string;
  /** The text of the line that it changes. */
  readonly code: string;
  /** The operator's name. */
  readonly operator: string;
  /** The change as the task prints it. */
  readonly change: string;
  /** The reason: an equal result, or a difference that decides nothing. */
  readonly reason: string;
}

const PATH = "scripts/mutants/equivalents.json";

/** The list. Throws Error where an entry has no reason. */
export function equivalents(): readonly Equivalent[] {
  const all = readJson<readonly Equivalent[]>(REPO + PATH) ?? [];
  for (const each of all) {
    if (each.reason.trim().length < 10) throw new Error(`${PATH}: ${each.file} has no reason`);
  }
  return all;
}

/** True if the entry names the mutant. */
export function names(entry: Equivalent, mutant: Mutant): boolean {
  return entry.file === mutant.file && entry.code === mutant.code &&
    entry.operator === mutant.operator && entry.change === mutant.change;
}

/** The entries that name none of the mutants of their file. */
export function unmatched(all: readonly Mutant[]): readonly Equivalent[] {
  return equivalents().filter((entry) => !all.some((mutant) => names(entry, mutant)));
}
