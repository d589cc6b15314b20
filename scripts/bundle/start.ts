// The beginning of `start.js`, which `caliban.js` imports and which loads `hot.js`.
import { codeFolder, keepModules } from "../../lib/io/runtime/compile_cache.ts";
import { runKept } from "../../lib/io/runtime/kept_code.ts";
import { LINK, type Link } from "./link.ts";

type Exports = Readonly<Record<string, unknown>>;

/** The exports of `hot.js`, which `load` imports as a module; Node runs it as a script where it may keep the code of one. */
export async function begin(load: () => Promise<Exports>): Promise<Exports> {
  const { href: here } = new URL("./hot.js", import.meta.url);
  const link: Link = { files: await nodeFiles(), here, load: (name) => import(name) };
  Object.defineProperty(globalThis, Symbol.for(LINK), { value: link });
  if (runKeptHot(link)) return link.hot!;
  const exported = await load();
  // While the bundle is made, hot.js exports by itself.
  return link.hot ??= exported;
}

/** The calls of `node:fs`; undefined under Deno. Node from 20.16 on has them without all that an import makes. */
async function nodeFiles(): Promise<Link["files"]> {
  if ("Deno" in globalThis) return undefined;
  const own = "Bun" in globalThis ? undefined : process.getBuiltinModule?.("node:fs");
  return own ?? await import("node:fs");
}

/** Runs `hot.js` as a script; false where no code may be kept, and where it cannot be run that way. */
function runKeptHot(link: Link): boolean {
  const { files, here } = link;
  if (files === undefined || "Bun" in globalThis) return false;
  const folder = process.getBuiltinModule === undefined ? undefined : codeFolder();
  if (folder === undefined) return false;
  try {
    const bytes = files.readFileSync(new URL(here));
    link.load = (name) => {
      keepModules(folder);
      return import(name);
    };
    runKept({ bytes, name: here, folder });
    return link.hot !== undefined;
  } catch {
    // Not swallowed: the module is loaded instead, and says what is wrong with it.
    return false;
  }
}
