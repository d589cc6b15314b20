import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** One import of a module. */
export interface Import {
  /** The imported module, as written. */
  readonly specifier: string;
  /** `type` imports are not loaded; `dynamic` ones only when they are reached. */
  readonly kind: "static" | "type" | "dynamic";
  /** Line, from 1. */
  readonly line: number;
}

/** One module of the repository. */
export interface Module {
  /** Its path from the root, with slashes. */
  readonly path: string;
  /** Its lines, comments left empty. */
  readonly lines: readonly string[];
  /** Its imports and re-exports. */
  readonly imports: readonly Import[];
}

const STATIC = /^(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\s+from\s+)?"([^"]+)"/gm;
const DYNAMIC = /\bimport\(\s*((?:"[^"]+"(?: \+ )?)*)/g;

/** Every TypeScript file below a folder (from the root), sorted by path. */
export function modulesBelow(root: string, folder: string): readonly Module[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => moduleAt(root, `${folder}/${name.replaceAll("\\", "/")}`))
    .sort((one, other) => one.path < other.path ? -1 : 1);
}

/** One module, by its path from the root. */
export function moduleAt(root: string, path: string): Module {
  const lines = withoutComments(readFileSync(join(root, path), "utf8").split("\n"));
  const text = lines.join("\n");
  const lineOf = (index: number) => text.slice(0, index).split("\n").length;
  const imports: Import[] = [];
  for (const match of text.matchAll(STATIC)) {
    const kind = match[1] === undefined ? "static" : "type";
    imports.push({ specifier: match[2] ?? "", kind, line: lineOf(match.index) });
  }
  for (const match of text.matchAll(DYNAMIC)) {
    const specifier = (match[1] ?? "").replaceAll(/["+ ]/g, "");
    imports.push({ specifier, kind: "dynamic", line: lineOf(match.index) });
  }
  return { path, lines, imports };
}

/** The path from the root of the file that a relative import names; undefined for a package. */
export function importedPath(module: Module, { specifier }: Import): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return relative("/", join("/", dirname(module.path), specifier)).replaceAll("\\", "/");
}

/** The name of the package that an import names: `zod` for `zod/mini`. */
export function packageName(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** The modules that are loaded with some: these, their static imports, and the imports of those. */
export function loadedWith(root: string, paths: readonly string[]): readonly Module[] {
  const found = new Map<string, Module>();
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path) || !path.endsWith(".ts")) continue;
    const module = moduleAt(root, path);
    found.set(path, module);
    for (const each of module.imports) {
      const next = each.kind === "static" ? importedPath(module, each) : undefined;
      if (next !== undefined) open.push(next);
    }
  }
  return [...found.values()];
}

/** By line, as `deno fmt` leaves them: a block comment has lines of its own, and ` // ` ends the code of a line. */
function withoutComments(lines: readonly string[]): readonly string[] {
  let inBlock = false;
  return lines.map((line) => {
    const text = line.trim();
    const comment = inBlock || text.startsWith("/*") || text.startsWith("//");
    if (text.startsWith("/*")) inBlock = true;
    if (inBlock && text.endsWith("*/")) inBlock = false;
    return comment ? "" : line.replace(/\s\/\/\s.*$/, "");
  });
}
