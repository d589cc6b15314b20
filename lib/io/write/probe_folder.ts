import { lstatSync, mkdirSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileError } from "../runtime/file_fault.ts";
import { isSame, lstatOf } from "./lstat_of.ts";

/** Two new folders for trying a hook: one with a policy, and an empty one. */
export interface ProbeFolders {
  /** The folder of the policy. */
  readonly folder: string;
  /** The empty one. */
  readonly elsewhere: string;
}

/** Runs `use` with a policy in a new folder, and removes that afterwards, whatever happened. Throws FileError. */
export async function withProbeFolder<T>(
  policy: string,
  use: (folders: ProbeFolders) => Promise<T>,
): Promise<T> {
  const top = join(tmpdir(), `caliban-doctor-${crypto.randomUUID()}`);
  const folders = { folder: join(top, "project"), elsewhere: join(top, "elsewhere") };
  let made: Stats;
  try {
    mkdirSync(top, { mode: 0o700 });
    made = lstatSync(top);
    mkdirSync(join(folders.folder, ".caliban"), { recursive: true });
    mkdirSync(folders.elsewhere);
    writeFileSync(join(folders.folder, ".caliban/permissions.toml"), policy);
  } catch (error) {
    throw fileError(error, { path: top, verb: "write" });
  }
  try {
    return await use(folders);
  } finally {
    // What is tried may have put anything in its place.
    const now = lstatOf(top);
    if (now !== undefined && isSame(made, now)) rmSync(top, { recursive: true, force: true });
  }
}
