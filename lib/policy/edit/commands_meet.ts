import { foldGlob, type Glob, type GlobToken, literalHead } from "../../pattern/glob.ts";
import { foldCase } from "../../pattern/fold_case.ts";
import { globsOverlap } from "../../pattern/overlap.ts";
import type { ValueTest } from "../../pattern/pattern.ts";

type CommandTest = Extract<ValueTest, { kind: "command" }>;

/** With more wildcards than this, two globs are taken to overlap. */
const MOST_WILDCARDS = 6;

const RUN: GlobToken = { kind: "star" };
const SPACE: GlobToken = { kind: "text", text: " " };

/**
 * Whether some line that the first test fits is fitted by the second too, or cannot be judged by it, where the second is
 * read as a deny or ask rule: then single spaces count as any number, and a line whose text does not tell what it runs
 * as whatever it could run. A wildcard of the first is not taken to stand for a second program.
 */
export function commandsMeet(first: CommandTest, second: CommandTest): boolean {
  const [left, right] = [globsOf(first), globsOf(second)];
  return left.some((one) => right.some((two) => spacedOverlap(one, two))) ||
    isPuzzledBy(second, first);
}

/** The globs of which one must fit the whole line; letters in lower case, since some platforms do not tell them apart. */
function globsOf({ anchor, glob }: CommandTest): readonly Glob[] {
  const folded = foldGlob(glob);
  switch (anchor) {
    case "whole":
      return [folded];
    case "prefix":
      return [folded, [...folded, SPACE, RUN]];
    case "contains":
      return [[RUN, ...folded, RUN]];
  }
}

/** Whether some text fits both, or fits one and with single spaces the other. */
function spacedOverlap(a: Glob, b: Glob): boolean {
  if (globsOverlap(a, b)) return true;
  const [left, right] = [singleSpacedGlobs(a), singleSpacedGlobs(b)];
  if (!left || !right) return true;
  return left.some((one) => globsOverlap(one, b)) || right.some((two) => globsOverlap(a, two));
}

/**
 * Globs for the texts of a glob with single spaces between their words and none around them; undefined when they would be
 * too many. A wildcard may stand for nothing but spaces, which become one with those beside it.
 */
function singleSpacedGlobs(glob: Glob): readonly Glob[] | undefined {
  if (glob.filter(({ kind }) => kind !== "text").length > MOST_WILDCARDS) return undefined;
  let globs: readonly Glob[] = [[]];
  for (const token of glob) {
    const choices = token.kind === "text" ? [token] : [token, SPACE];
    globs = globs.flatMap((start) => choices.map((choice) => [...start, choice]));
  }
  return globs.map(singleSpacedGlob);
}

function singleSpacedGlob(glob: Glob): Glob {
  const joined: GlobToken[] = [];
  for (const token of glob) {
    const last = joined.at(-1);
    if (token.kind !== "text" || last?.kind !== "text") joined.push(token);
    else joined[joined.length - 1] = { kind: "text", text: last.text + token.text };
  }
  return joined.flatMap((token, index): readonly GlobToken[] => {
    if (token.kind !== "text") return [token];
    let text = token.text.replace(/ +/g, " ");
    if (index === 0) text = text.replace(/^ /, "");
    if (index === joined.length - 1) text = text.replace(/ $/, "");
    return text === "" ? [] : [{ kind: "text", text }];
  });
}

/**
 * Whether some unit of a line may be covered by the first and fitted by the second although their texts do not overlap:
 * through a wrapper, a path, an assignment, a global option, quoting, or as part of a compound line.
 */
function isPuzzledBy(test: CommandTest, other: CommandTest): boolean {
  const said = literalText(other);
  const wanted = literalText(test);
  if (COMPOUND.test(said) || COMPOUND.test(wanted) || test.anchor === "contains") return true;
  // What only looks for a text may find it in a redirection.
  if (other.anchor === "contains" || literalHead(other.glob) === "") return true;
  const [name = ""] = literalHead(test.glob).trim().split(" ");
  return name === "" || foldCase(said).includes(foldCase(name)) || QUOTED.test(said);
}

const COMPOUND = /[;&|<>$()`\n\t{}]/;
const QUOTED = /["'\\~]/;

function literalText({ glob }: CommandTest): string {
  return glob.map((token) => token.kind === "text" ? token.text : " ").join("");
}
