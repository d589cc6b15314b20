import type { Node, Pipe, Simple, Word } from "../parse/tree.ts";
import type { ProgramCatalog } from "../programs/program_catalog.ts";
import type { CommandReading } from "../programs/program_use.ts";
import { innerName, readInner } from "../programs/read_command.ts";
import { programOf, type SimpleCommand } from "./simple_command.ts";

/** Programs whose lines make links, in a text that is a line of its own. */
const MAKES_LINKS = /\b(?:git|tar|gtar|bsdtar|unzip|7z\w?|cpio|rsync|mv|cp|patch|ln)\b/;

/** The most wrappers that are looked through; what more of them run may make links. */
const MOST_WRAPPERS = 8;

/** The programs, and the reading of commands where they stand. */
interface LinkContext {
  readonly catalog: ProgramCatalog;
  readonly commandOf: (simple: Simple) => Pick<SimpleCommand, "words" | "reading">;
}

/** True if a command in it may make links. */
export function mayRelink(node: Node, context: LinkContext): boolean {
  if (node.kind !== "simple") return node.nodes.some((each) => mayRelink(each, context));
  if (node.inners.some((inner) => mayRelink(inner.node, context))) return true;
  const { words, reading } = context.commandOf(node);
  return makesLinks(words, { reading, text: node.text, catalog: context.catalog, wrappers: 0 });
}

/** True if a command, or one that it runs, may make links; `text`: that of the whole command, its wrappers too. */
function makesLinks(
  words: readonly Word[],
  { reading: { relinks, wrapped }, text, catalog, wrappers }: {
    readonly reading: CommandReading;
    readonly text: string;
    readonly catalog: ProgramCatalog;
    readonly wrappers: number;
  },
): boolean {
  if (relinks !== undefined || wrappers > MOST_WRAPPERS) return true;
  return wrapped.some((each) => {
    if (each.kind !== "argv") return MAKES_LINKS.test(text);
    const reading = readInner(words, {
      wrapped: each,
      program: programOf(innerName(words, each), catalog),
    });
    const inner = words.slice(each.from, each.to);
    return makesLinks(inner, { reading, text, catalog, wrappers: wrappers + 1 });
  });
}

/**
 * True if a command of a pipeline may open a file after one behind it has made a link. A simple command with one file opens
 * it at its start, before there is anything to read for the others: `cat a.tar | tar x`.
 */
export function isRacy({ nodes }: Pipe, context: LinkContext): boolean {
  const first = nodes.findIndex((node) => mayOpenLate(node, context));
  if (first < 0) return false;
  for (let at = nodes.length - 1; at > first; at--) {
    if (mayRelink(nodes[at]!, context)) return true;
  }
  return false;
}

/** True unless a command opens at most one file, at its start. */
function mayOpenLate(node: Node, { commandOf }: LinkContext): boolean {
  if (node.kind !== "simple" || node.inners.length > 0) return true;
  const { reading: { uses, wrapped } } = commandOf(node);
  return wrapped.length > 0 || uses.length > 1;
}
