import type { Node, Pipe, Simple } from "../parse/tree.ts";
import type { SimpleCommand } from "./simple_command.ts";

/** Programs whose lines make links, in a text that is a line of its own. */
const MAKES_LINKS = /\b(?:git|tar|gtar|bsdtar|unzip|7z\w?|cpio|rsync|mv|cp|patch|ln)\b/;

/** The most wrappers that are looked through; what more of them run may make links. */
const MOST_WRAPPERS = 8;

/** True if a command in it may make links. */
export function mayRelink(
  node: Node,
  commandOf: (simple: Simple) => Pick<SimpleCommand, "words" | "reading">,
  wrappers = 0,
): boolean {
  if (node.kind !== "simple") {
    return node.nodes.some((each) => mayRelink(each, commandOf, wrappers));
  }
  if (node.inners.some((inner) => mayRelink(inner.node, commandOf, wrappers))) return true;
  const { words, reading: { relinks, wrapped } } = commandOf(node);
  if (relinks !== undefined || wrappers > MOST_WRAPPERS) return true;
  return wrapped.some((each) =>
    each.kind === "argv"
      ? mayRelink(commandIn(words.slice(each.from, each.to)), commandOf, wrappers + 1)
      : MAKES_LINKS.test(node.text)
  );
}

/**
 * True if a command of a pipeline may open a file after one behind it has made a link. A simple command with one file opens
 * it at its start, before there is anything to read for the others: `cat a.tar | tar x`.
 */
export function isRacy(
  { nodes }: Pipe,
  commandOf: (simple: Simple) => Pick<SimpleCommand, "words" | "reading">,
): boolean {
  let last = nodes.length - 1;
  while (last > 0 && !mayRelink(nodes[last]!, commandOf)) last--;
  if (last === 0) return false;
  return nodes.slice(0, last).some((node) => {
    if (node.kind !== "simple" || node.inners.length > 0) return true;
    const { reading: { uses, wrapped } } = commandOf(node);
    return wrapped.length > 0 || uses.length > 1;
  });
}

function commandIn(words: Simple["words"]): Simple {
  return {
    kind: "simple",
    text: "",
    assignments: [],
    words,
    redirects: [],
    inners: [],
    unknowns: [],
    arithmetic: [],
  };
}
