import type { Effect } from "../effect.ts";
import type { UnknownPlace } from "./command_context.ts";
import { type Block, literalOf, type Node } from "../parse/tree.ts";

/** The deny text of every fork bomb, with any name of its function. */
export const FORK_BOMB = ":(){ :|:& };:";

/** The name in a function's definition. */
const FUNCTION = /^function (.+)$/;

/** True for a function that starts itself in the background, or more than once at the same time. */
export function isForkBomb(block: Block): boolean {
  const name = FUNCTION.exec(block.name)?.[1];
  if (name === undefined) return false;
  const starts = { inPipes: 0, inBackground: 0 };
  for (const node of block.nodes) countStarts(node, { name, place: undefined, starts });
  return starts.inBackground > 0 || starts.inPipes > 1;
}

interface Counting {
  readonly name: string;
  /** The place of the node, if it runs beside other commands. */
  readonly place: "inPipes" | "inBackground" | undefined;
  readonly starts: { inPipes: number; inBackground: number };
}

/** Counts the calls of the function that run beside other commands. */
function countStarts(node: Node, counting: Counting): void {
  const { name, place, starts } = counting;
  if (node.kind === "simple") {
    const [first] = node.words;
    if (place && first && literalOf(first) === name) starts[place]++;
    return;
  }
  for (const [index, each] of node.nodes.entries()) {
    const isBackground = node.kind === "sequence" && node.operators[index] === "&";
    const inner = isBackground ? "inBackground" : node.kind === "pipe" ? "inPipes" : undefined;
    countStarts(each, { ...counting, place: place === "inBackground" ? place : inner ?? place });
  }
}

/** The effect of a fork bomb: unknown, and denied under its usual spelling too. */
export function forkBombEffect(
  text: string,
  { context: { via, depth }, allowTexts }: UnknownPlace,
): Effect {
  return {
    kind: "opaque",
    text,
    via,
    depth,
    why: "the function starts itself again and again",
    checkedAgainst: "allRules",
    isHarmless: false,
    allowTexts,
    denyTexts: [text, FORK_BOMB].map((each) => ({ text: each, template: each })),
  };
}
