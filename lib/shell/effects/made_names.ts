import { isFixed, type Node, type Redirect } from "../parse/tree.ts";

/** A path whose parts are single words wherever they stand, and no options. */
const PLAIN = /^(?!-)(?!.*\/-)[\w@%+=:,./-]+$/;

/** True if a redirection of a line may make a file whose name is several words, or an option, where a command takes it for one word. */
export function mayMakeOddName(node: Node): boolean {
  const open: Node[] = [node];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (each.kind === "simple" || each.kind === "block") {
      if (each.redirects.some(isOdd)) return true;
      open.push(...each.inners.map((inner) => inner.node));
    }
    if (each.kind !== "simple") open.push(...each.nodes);
  }
  return false;
}

function isOdd({ operator, target }: Redirect): boolean {
  if (!operator.includes(">")) return false;
  return target === undefined || target.splits || !isFixed(target.shape) ||
    !PLAIN.test(target.shape);
}
