import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";

/**
 * Throws Error for a folder with other files than such an output, so that nothing is lost of one that was named by mistake. A folder
 * that is missing or empty is fine.
 */
export function checkReplaceable(
  folder: string,
  { output, isOurs }: {
    /** The name of the output in the message: "the bundle". */
    readonly output: string;
    /** True for the names of all entries of an earlier output. */
    readonly isOurs: (names: readonly string[]) => boolean;
  },
): void {
  const names = existsSync(folder) ? readdirSync(folder).toSorted() : [];
  if (names.length === 0 || isOurs(names)) return;
  throw new Error(
    `Cannot write ${output} into "${folder}": it holds other files, such as "${
      names[0]
    }"; name an empty folder`,
  );
}

/** Replaces a folder by a copy of another one, with the files that stay; the copy is made beside it, under a free name. */
export function replaceFolder(
  folder: string,
  { by, keeps = () => false }: {
    readonly by: string;
    /** True for the name of a file that stays; none by default. */
    readonly keeps?: (name: string) => boolean;
  },
): void {
  mkdirSync(dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}.`);
  try {
    const copy = join(work, "copy");
    cpSync(by, copy, { recursive: true });
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      if (keeps(name)) cpSync(join(folder, name), join(copy, name), { recursive: true });
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(copy, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
