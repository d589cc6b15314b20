import type { Word } from "../parse/tree.ts";
import type { CommandReading } from "./program_use.ts";

/** A program that a wrapper looks for in a folder of the workspace first. */
export interface OwnBinary {
  readonly name: string;
  /** A folder, in that of the command or one above. */
  readonly folder: string;
}

/** Names of scripts and targets that do what a workspace is worked on with; more may follow one. */
const VERB =
  /^(?:test|lint|check|typecheck|build|format|fmt|bench|doc|coverage)(?:[:.-][\w:.-]*)?$/;

/** True if each script that a command names is such a verb, and it hands no arguments to one. */
export function namesVerbs(
  words: readonly Word[],
  { scripts, operands }: { scripts: "none" | "first" | "all"; operands: readonly number[] },
): boolean {
  const isVerb = (at: number) => VERB.test(words[at]!.shape);
  switch (scripts) {
    case "none":
      return operands.length === 0;
    case "first":
      return operands.length === 1 && isVerb(operands[0]!);
    case "all":
      return operands.length > 0 && operands.every(isVerb);
  }
}

/** The program that a wrapper looks for in a folder; undefined for a path, a version or a name that is not fixed. */
export function binaryOf(
  words: readonly Word[],
  { wrapped, folder }: Pick<CommandReading, "wrapped"> & { readonly folder: string },
): OwnBinary | undefined {
  const [first, ...others] = wrapped;
  if (first?.kind !== "argv" || others.length > 0) return undefined;
  const name = words[first.from]?.shape ?? "";
  return /^[\w.-]+$/.test(name) ? { name, folder } : undefined;
}
