// The beginning of `start.js`, which `caliban.js` imports and which loads `hot.js`.
import { codeFolder, keepModules } from "../../lib/io/runtime/compile_cache.ts";
import { checksumOf, runKept } from "../../lib/io/runtime/kept_code.ts";
import { LINK, type Link } from "./link.ts";
import { scriptOf } from "./script_of.ts";

type Exports = Readonly<Record<string, unknown>>;

/** The exports of `hot.js`, which `load` imports as a module; Node runs it as a script where it may keep the code of one. */
export async function begin(load: () => Promise<Exports>): Promise<Exports> {
  const link: Link = { files: await nodeFiles() };
  Object.defineProperty(globalThis, Symbol.for(LINK), { value: link });
  return link.hot = keptHot(link) ?? await load();
}

/** The calls of `node:fs`; undefined under Deno. Node from 20.16 on has them without all that an import makes. */
async function nodeFiles(): Promise<Link["files"]> {
  if ("Deno" in globalThis) return undefined;
  const own = "Bun" in globalThis ? undefined : process.getBuiltinModule?.("node:fs");
  return own ?? await import("node:fs");
}

/** The exports of `hot.js` run as a script; undefined where no code may be kept, and where it cannot be run that way. */
function keptHot({ files }: Link): Exports | undefined {
  if (files === undefined || "Bun" in globalThis) return undefined;
  const folder = process.getBuiltinModule === undefined ? undefined : codeFolder();
  if (folder === undefined) return undefined;
  try {
    const { href } = new URL("./hot.js", import.meta.url);
    const bytes = files.readFileSync(new URL(href));
    const sum = checksumOf(bytes);
    const script = scriptOf(bytes.toString("latin1"));
    if (sum === undefined || script === undefined) return undefined;
    const run = runKept({ script, sum, name: href, folder }) as (...of: unknown[]) => Exports;
    return run((name: string) => {
      keepModules(folder);
      return import(name);
    }, href);
  } catch {
    // Not swallowed: the module is loaded instead, and says what is wrong with it.
    return undefined;
  }
}
