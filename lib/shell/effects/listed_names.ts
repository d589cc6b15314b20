import { ANY_CHAR, ANY_NAME, DEEP } from "../../pattern/path/shell_glob.ts";
import { fixedWord, isFixed, NAME, type Node, type Word } from "../parse/tree.ts";
import { baseName } from "../programs/program_catalog.ts";
import type { SimpleCommand } from "./simple_command.ts";

/** The file names that a command hands on, one in each line. */
export interface ListedNames {
  /** The names as words: fixed, or a glob. Most commands that take names are read without them. */
  readonly words: () => readonly Word[];
  /** Globs over the same files; if each is free of blanks and quotes, each line is one word. */
  readonly globs: readonly string[];
}

/** True for a command of a pipeline that may take names of files from its standard input: `xargs`, or what it stands in. */
export function mayTakeNames(node: Node): boolean {
  const first = node.kind === "simple" ? node.words[0] : undefined;
  return node.kind !== "simple" ||
    first !== undefined &&
      (first.choices !== undefined || first.shape.endsWith("xargs") && XARGS.test(first.shape));
}

/** The names of the program that adds what it reads to a command. */
export const XARGS = /^g?xargs$/;

/** The names that a simple command prints; `input` are those that it reads. Undefined if its output may be anything else. */
export function listedNames(
  command: SimpleCommand,
  input: ListedNames | undefined,
): ListedNames | undefined {
  const { words, node, reading } = command;
  if (node.assignments.length > 0 || node.redirects.some(({ operator }) => operator !== ">")) {
    return undefined;
  }
  const name = words[0]?.shape ?? "";
  if (/^g?find$/.test(name)) return reading.wrapped.length === 0 ? foundNames(words) : undefined;
  if (name === "ls") return namesOfFolder(words.slice(1));
  return input && isFilter(name, words.slice(1)) ? input : undefined;
}

/** Tests and actions of find without a value that only choose among files, or print their names. */
const FLAGS =
  /^-(?:print0?|depth|d|mount|xdev|empty|prune|true|readable|writable|executable|nouser|nogroup|daystart|noleaf|a|and)$/;

/** Tests and options of find with a value that only choose among files. */
const TESTS =
  /^-(?:type|maxdepth|mindepth|[acm](?:time|min)|newer\w*|[ac]newer|size|perm|user|group|i?path|i?wholename|i?name|i?regex|regextype|links|inum|samefile|used)$/;

/** Operators because of which a test says nothing of every file. */
const CHOICES = /^(?:[()!,]|-(?:o|or|not))$/;

/** The names that `find` prints, or hands to the commands behind -exec. */
export function foundNames(words: readonly Word[]): ListedNames | undefined {
  let at = 1;
  const roots: string[] = [];
  for (; at < words.length && !/^[-(!]/.test(words[at]!.shape); at++) {
    const { shape, splits } = words[at]!;
    if (!isFixed(shape) || splits || shape === "" || shape.startsWith("~")) return undefined;
    roots.push(shape.endsWith("/") ? shape.replace(/(?<=.)\/+$/, "") : shape);
  }
  const filter = nameFilter(words.slice(at));
  if (filter === undefined) return undefined;
  const starts = roots.length === 0 ? ["."] : roots;
  const globs = starts.map((root) => `${escaped(root)}${root === "/" ? "" : "/"}${DEEP}${filter}`);
  // A root that is a file, or whose own name the filter matches, is a name too.
  return { words: () => [...starts.map(fixedWord), ...globs.map(globWord)], globs };
}

/** The glob of the names of files that an expression of find chooses; undefined if it does anything else. */
function nameFilter(words: readonly Word[]): string | undefined {
  let filter: string | undefined;
  let chooses = false;
  for (let at = 0; at < words.length; at++) {
    const { shape } = words[at]!;
    if (CHOICES.test(shape)) chooses = true;
    else if (/^-(?:exec|ok)$/.test(shape)) {
      while (at < words.length && !/^[;+]$/.test(words[at]!.shape)) at++;
    } else if (TESTS.test(shape)) {
      const value = words[++at]?.shape;
      if (value === undefined) return undefined;
      if (shape === "-name" && isFixed(value)) filter = fnmatchGlob(value);
    } else if (!FLAGS.test(shape)) return undefined;
  }
  return chooses ? ANY_NAME : filter ?? ANY_NAME;
}

/** A pattern of `find -name`, whose wildcards match a dot at the start of a name too. */
function fnmatchGlob(pattern: string): string {
  if (/[[\]{}]/.test(pattern)) return ANY_NAME;
  if (!pattern.includes("\\") && !pattern.includes("**")) {
    return pattern.replaceAll("*", ANY_NAME).replaceAll("?", ANY_CHAR);
  }
  return pattern.replace(
    /\\(.)|\*+|\?/gs,
    (text, char: string | undefined) =>
      char !== undefined ? escaped(char) : text === "?" ? ANY_CHAR : ANY_NAME,
  );
}

function escaped(text: string): string {
  return text.replace(/[\\*?[\]{}]/g, "\\$&");
}

/** A word of which only the glob is known. */
export function globWord(glob: string): Word {
  return { raw: "…", text: "…", shape: NAME, splits: false, glob };
}

/** The names in one folder, which `ls` prints without it and without hidden ones. */
function namesOfFolder(words: readonly Word[]): ListedNames | undefined {
  const folders = words.filter(({ shape }) => !/^-[1rtS]+$/.test(shape));
  const [folder] = folders;
  if (folders.length > 1) return undefined;
  if (folder === undefined) return { words: () => [globWord("*")], globs: ["*"] };
  const { shape, splits } = folder;
  if (!isFixed(shape) || splits || !/^[^-~]/.test(shape)) return undefined;
  return { words: () => [globWord("*")], globs: [`${escaped(shape.replace(/\/+$/, ""))}/*`] };
}

/** True for a program that prints some of the lines that it reads, unchanged. */
function isFilter(name: string, words: readonly Word[]): boolean {
  const shapes = words.map(({ shape }) => shape);
  if (!shapes.every(isFixed)) return false;
  switch (baseName(name)) {
    case "sort":
      return shapes.every((shape) => /^-[urnV]+$/.test(shape));
    case "uniq":
      return shapes.every((shape) => /^-[ud]$/.test(shape));
    case "head":
    case "tail":
      return /^(?:|-n ?\d+|-\d+)$/.test(shapes.join(" "));
    case "grep": {
      const operands = shapes.filter((shape) => !/^-[vEFGPiwx]+$/.test(shape));
      return operands.length === 1 && !operands[0]!.startsWith("-");
    }
    default:
      return false;
  }
}

/** The delimiters that stand in no plain name. */
const BETWEEN_NAMES: readonly string[] = ["\\n", "\n", "\\0"];

/** True if `xargs` may part a name: by a delimiter that is a character of names. */
export function partsNames({ levels }: SimpleCommand["reading"]): boolean {
  return levels.some(({ args }) =>
    args.options.some(({ option: { name }, value = "" }) =>
      (name === "-d" || name === "--delimiter") && !BETWEEN_NAMES.includes(value)
    )
  );
}
