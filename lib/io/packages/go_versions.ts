/** A version that go takes as it stands; any other (a branch, a range) it resolves by the network when it reads a go.mod. */
const FIXED = /^v\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+incompatible)?$/;

/** The directives of a go.mod that name versions of modules. */
const VERSIONED = /^(?:require|exclude|replace|retract)$/;

/** True if each version that a go.mod, without comments, names is a fixed one. */
export function areVersionsFixed(text: string): boolean {
  let block: string | undefined;
  for (const line of text.split("\n").map((each) => each.trim()).filter((each) => each !== "")) {
    if (block !== undefined && line === ")") {
      block = undefined;
      continue;
    }
    const [, directive = "", rest = ""] = block === undefined
      ? /^([a-z]+)[ \t]*(.*)$/.exec(line) ?? []
      : [line, block, line];
    if (rest === "(") block = directive;
    else if (VERSIONED.test(directive) && !isFixed(directive, rest)) return false;
  }
  return block === undefined;
}

function isFixed(directive: string, rest: string): boolean {
  if (directive === "retract") {
    return rest.split(/[[\],\s]+/).filter((word) => word !== "").every((word) => FIXED.test(word));
  }
  const sides = rest.split("=>").map((side) => side.trim().split(/\s+/));
  if (sides.length !== (directive === "replace" ? 2 : 1)) return false;
  const least = directive === "replace" ? 1 : 2;
  return sides.every((words) =>
    words.length >= least && words.length <= 2 && (words[1] === undefined || FIXED.test(words[1]))
  );
}
