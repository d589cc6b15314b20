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

/** Replaces a folder by a copy of another one, with the files that stay; the copy is made beside it, under a name that is free. */
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
