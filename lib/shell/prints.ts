import { literalOf } from "./parse_word.ts";
import type { Knowledge } from "./programs.ts";
import { readCommand } from "./read_command.ts";
import type { Node } from "./tree.ts";

/** What a substitution prints, as far as the table of its last program says. */
export function printsOf(node: Node, knowledge: Knowledge): "integer" | "name" | undefined {
  if (node.kind === "pipe") return printsOf(node.nodes.at(-1)!, knowledge);
  if (node.kind !== "simple") return undefined;
  const name = node.words[0] && literalOf(node.words[0]);
  if (name === undefined || node.assignments.length > 0) return undefined;
  return readCommand(node.words, knowledge.program(name)).prints;
}
