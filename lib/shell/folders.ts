import { isFixed } from "./parse/parse_word.ts";
import type { Word } from "./parse/tree.ts";

/** The folders that a command may run in. Immutable. */
export interface Folders {
  /** Paths from the folder of the call, which is ""; at least one. */
  readonly paths: readonly string[];
  /** Whether it may be any other. */
  readonly open: boolean;
}

/** Where a line begins. */
export const START: Folders = { paths: [""], open: false };

/** How many folders are kept apart; more are any. */
const MAX_FOLDERS = 16;

/** Both. */
export function eitherFolders(a: Folders, b: Folders): Folders {
  if (a === b) return a;
  const paths = [...new Set([...a.paths, ...b.paths])];
  if (paths.length > MAX_FOLDERS) return { paths: a.paths, open: true };
  return { paths, open: a.open || b.open };
}

/** Whether it surely is still the folder that the line began in. */
export function isStart({ paths, open }: Folders): boolean {
  return !open && paths.length === 1 && paths[0] === "";
}

/** The folders after `cd` with these words; undefined when it names no folder that the line fixes. */
export function afterCd(words: readonly Word[], folders: Folders): Folders | undefined {
  const target = cdTarget(words);
  if (target === undefined) return undefined;
  return { paths: folders.paths.map((path) => joined(path, target)), open: folders.open };
}

/** The folder that `cd` names: `cd web`, `cd -P -- web`; undefined when the line does not fix it. */
export function cdTarget(words: readonly Word[]): string | undefined {
  let at = 1;
  while (/^-[LPe]+$/.test(words[at]?.shape ?? "")) at++;
  if (words[at]?.shape === "--") at++;
  if (at >= words.length) return "~";
  const { shape } = words[at]!;
  // CDPATH is left out of account for what begins with a dot or a slash; else the folder may be another of that name.
  const fixed = isFixed(shape) && !shape.startsWith("-");
  return fixed && shape !== "" && words.length === at + 1 ? shape : undefined;
}

/** A path from the folder of the call; an absolute one, or one from the home folder, stays as it is. */
export function joined(folder: string, path: string): string {
  if (folder === "" || /^[/~]/.test(path)) return path;
  return path === "." ? folder : `${folder.replace(/\/$/, "")}/${path}`;
}
