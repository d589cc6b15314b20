import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ENGINES = new URL("engines/node_modules/@openai/", import.meta.url).pathname;

/** The program in Codex's package for this machine; undefined without it. */
export const CODEX: string | undefined = listed(ENGINES)
  .filter((name) => name.startsWith("codex-"))
  .flatMap((name) => {
    const vendor = join(ENGINES, name, "vendor");
    return listed(vendor).map((target) => join(vendor, target, "bin/codex"));
  })
  .find((path) => existsSync(path));

function listed(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** Writes a file, and makes its folders. */
export function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The files below a folder, by path, with their text. */
export function filesBelow(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((path) => [path, readFileSync(path, "utf8")]));
}
