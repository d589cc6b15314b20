/** The part of `node:module` that is needed, which Node has from 22.1 on. */
interface ModuleCalls {
  readonly enableCompileCache?: (folder: string) => unknown;
}

/** The bits of a mode that let others write, and those that let them read, enter or write. */
const WRITTEN = 0o022;
const ENTERED = 0o077;

/**
 * The folder in which Node may keep the code that it compiles for the next start, `~/.cache/caliban/node`; undefined on Windows, and if
 * the folder is not its user's alone. Never throws.
 *
 * INVARIANT: code in the folder runs as caliban does, so anyone who writes there decides for caliban. The user database names the
 * home folder, and no variable moves it, which a clone's settings may set for an agent's hooks; no part below the home folder is a
 * link, all of it is the user's, only the user writes above it, and only the user enters it. For agents it is a protected place:
 * those follow `HOME`, so caliban keeps no code if `HOME` names another folder.
 */
export function codeFolder(): string | undefined {
  try {
    if (process.getuid === undefined) return undefined;
    const { homedir } = process.getBuiltinModule("node:os").userInfo();
    if (process.env.HOME !== homedir) return undefined;
    return privateFolder(homedir, process.getuid());
  } catch {
    // Not swallowed: a start without kept code is slower, and decides the same.
    return undefined;
  }
}

/** Has Node keep the code of the modules that are loaded from now on, where it can. Never throws. */
export function keepModules(folder: string): void {
  try {
    const { enableCompileCache } = process.getBuiltinModule("node:module") as ModuleCalls;
    enableCompileCache?.(folder);
  } catch {
    // Not swallowed: a start without kept code is slower, and decides the same.
  }
}

/** The folder for compiled code below a home folder, made if it is missing; undefined if it is not one user's alone. */
export function privateFolder(home: string, user: number): string | undefined {
  // An import would make all that the module has.
  const { lstatSync, mkdirSync } = process.getBuiltinModule("node:fs");
  const cache = `${home}/.cache`;
  const own = `${cache}/caliban`;
  const folder = `${own}/node`;
  const parts = [[home, WRITTEN], [cache, WRITTEN], [own, WRITTEN], [folder, ENTERED]] as const;
  for (const [path, byOthers] of parts) {
    // One by one, so that nothing is made behind a link.
    if (path !== home && lstatSync(path, { throwIfNoEntry: false }) === undefined) {
      mkdirSync(path, { mode: 0o700 });
    }
    const stats = lstatSync(path);
    if (!stats.isDirectory() || stats.uid !== user || (stats.mode & byOthers) !== 0) {
      return undefined;
    }
  }
  return folder;
}
