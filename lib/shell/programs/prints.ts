import { literalOf } from "../parse/parse_word.ts";
import type { ProgramCatalog } from "./programs.ts";
import { readCommand } from "./read_command.ts";
import type { Node } from "../parse/tree.ts";

/** What a substitution prints, as far as the table of its last program says. */
export function printsOf(node: Node, catalog: ProgramCatalog): "integer" | "name" | undefined {
  if (node.kind === "pipe") return printsOf(node.nodes.at(-1)!, catalog);
  if (node.kind !== "simple") return undefined;
  const name = node.words[0] && literalOf(node.words[0]);
  if (name === undefined || node.assignments.length > 0) return undefined;
  return readCommand(node.words, catalog.program(name)).prints;
}
