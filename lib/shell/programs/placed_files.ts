import { alternativesOf, isFixed, type Word } from "../parse/tree.ts";
import type { ProgramTable } from "./program_table.ts";
import type { ProgramUse } from "./program_use.ts";
import type { Arguments } from "./read_options.ts";

const NONE: readonly ProgramUse[] = [];

/** A name that only a folder has. */
const FOLDER = /(?:^|\/)\.{0,2}$|^~$/;

/**
 * The files that a command writes in a folder under the names of those that it reads: `cp a/x out/` writes `out/x`. A name
 * without a slash at its end is a folder where the program takes several files to it, or an option says so.
 */
export function placedFiles(
  { table, uses }: { readonly table: ProgramTable; readonly uses: readonly ProgramUse[] },
): readonly ProgramUse[] {
  const sources = uses.filter(({ kind, isListed }) => kind === "read" && !isListed);
  if (sources.length === 0) return NONE;
  const read = new Set(sources.map(({ lastWord }) => lastWord));
  const places = table.write?.includes("--target-directory") === true;
  const many = sources.length > 1 || sources.some(({ value }) => mayBeSeveral(value));
  const targets = uses.filter(({ kind, lastWord }) => kind === "write" && !read.has(lastWord));
  return targets.flatMap((target): readonly ProgramUse[] => {
    const { text, value } = target;
    const isFolder = value.glob !== undefined || isFixed(value.shape) &&
        (FOLDER.test(value.shape) || places && (many || text !== value.raw));
    if (!isFolder) return [];
    const placed = sources.flatMap(({ value: source }) => alternativesOf(source))
      .flatMap((source) => below(value, source) ?? []);
    // Of the names that a wildcard stands for only the last is the target.
    const others = value.glob === undefined ? [] : [{ ...target, kind: "read" as const }];
    return [...placed.map((each) => ({ ...target, value: each })), ...others];
  });
}

/**
 * The files that a wildcard or braces in an option's value add to the operands: `sort -o f* a` reads every match but the first.
 */
export function spilledFiles(
  { words, table, args }: {
    readonly words: readonly Word[];
    readonly table: ProgramTable;
    readonly args: Pick<Arguments, "options">;
  },
): readonly ProgramUse[] {
  const many = args.options.filter(({ first, last, value }) =>
    value !== undefined && last !== first && isMany(words[last]!)
  );
  if (many.length === 0) return NONE;
  const kinds = new Set(table.operands?.filter((kind) => kind.endsWith("*")));
  const reads = kinds.has("read*") || kinds.has("move*");
  const writes = kinds.has("write*") || kinds.has("move*") || kinds.has("output*");
  const accesses = [...(reads ? ["read" as const] : []), ...(writes ? ["write" as const] : [])];
  return many.flatMap(({ last }) => {
    const word = words[last]!;
    return accesses.map((kind) => ({ kind, text: word.raw, value: word, lastWord: last }));
  });
}

function isMany({ glob, splits, raw }: Word): boolean {
  return glob !== undefined || splits && raw.includes("{");
}

function mayBeSeveral({ choices, glob, splits }: Word): boolean {
  return choices !== undefined || glob !== undefined || splits;
}

/** The file in a folder that has the name of another; undefined for one that ends in no name. */
function below(folder: Word, source: Word): Word | undefined {
  const name = lastOf(source.shape);
  if (/^\.{0,2}$/.test(name)) return undefined;
  const shape = inFolder(folder.shape, name);
  const isGlob = folder.glob !== undefined || source.glob !== undefined;
  if (!isGlob) return { ...source, text: shape, shape };
  const { glob: _, ...plain } = source;
  // Text that the line does not fix is no glob.
  if (source.glob === undefined && !isFixed(name)) return { ...plain, text: shape, shape };
  const first = folder.glob ?? escaped(folder.shape);
  const last = source.glob === undefined ? escaped(name) : lastOf(source.glob);
  return {
    ...source,
    text: shape,
    shape: folder.glob ? folder.shape : shape,
    glob: inFolder(first, last),
  };
}

function inFolder(folder: string, name: string): string {
  return `${folder.replace(/\/*$/, "")}/${name}`;
}

function escaped(text: string): string {
  return text.replace(/[\\*?[\]{}]/g, "\\$&");
}

function lastOf(path: string): string {
  return path.replace(/\/+$/, "").replace(/^.*\//s, "");
}
