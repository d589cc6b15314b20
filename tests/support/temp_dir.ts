import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs `use` with a new folder (its real path) in `parent` and removes the folder afterwards, whatever happened. */
export async function withTempDir<T>(
  use: (folder: string) => T | Promise<T>,
  parent = tmpdir(),
): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(parent, "caliban-test-")));
  try {
    return await use(folder);
  } finally {
    await removeFolder(folder);
  }
}

const ATTEMPTS = 5;

/** Removes a folder. A process that was ended may write into it for a moment, so it tries again. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1;; attempt++) {
    try {
      return rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50 * attempt));
    }
  }
}
