import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** An import or export of another module, or the type of one. */
const SPECIFIER = /(\bfrom |\bimport\()"([^"]+)"/g;

/** An import for its effect alone, which a declaration has no use for. */
const EFFECT = /^import "[^"]+";\n/gm;

interface Declarations {
  /** The modules that programs import, from the root. */
  readonly entries: readonly string[];
  /** The folder that they are written to, at the same paths. */
  readonly folder: string;
}

/**
 * Writes the declarations of some entries, and of the modules that they name. Throws Error where a type of another package would have
 * to come along.
 */
export function writeDeclarations(root: string, { entries, folder }: Declarations): void {
  const work = mkdtempSync(join(tmpdir(), "caliban-types-"));
  try {
    emit(root, { entries, folder: work });
    const seen = new Set<string>();
    const open = entries.map((path) => path.replace(/\.ts$/, ".d.ts"));
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const text = readFileSync(join(work, path), "utf8").replaceAll(EFFECT, "");
      open.push(...namedIn(text, { path, folder: work }));
      const target = join(folder, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, withoutExtensions(text));
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The declarations that one names, by their paths from the folder. */
function namedIn(
  text: string,
  { path, folder }: { readonly path: string; readonly folder: string },
): readonly string[] {
  return specifiersIn(text).flatMap((specifier) => {
    if (specifier.endsWith(".json")) return [];
    if (!specifier.startsWith(".")) {
      throw new Error(`Cannot pack ${path}: it names a type of "${specifier}"`);
    }
    const named = join(dirname(path), specifier).replace(/\.ts$/, ".d.ts");
    if (!existsSync(join(folder, named))) throw new Error(`Cannot pack ${path}: no ${named}`);
    return [named];
  });
}

/** The modules that a declaration names; those of examples in comments are none. */
function specifiersIn(text: string): readonly string[] {
  return [...text.replaceAll(/\/\*[^]*?\*\//g, "").matchAll(SPECIFIER)].map(([, , name]) => name!);
}

/** TypeScript reads `./a.js` beside `a.d.ts` under every way of resolution. */
function withoutExtensions(text: string): string {
  return text.replaceAll(
    SPECIFIER,
    (all, before: string, name: string) =>
      name.startsWith(".") ? `${before}"${name.replace(/\.ts$/, ".js")}"` : all,
  );
}

function emit(root: string, { entries, folder }: Declarations): void {
  const config = join(folder, "tsconfig.json");
  const options = {
    target: "ES2023",
    lib: ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    declaration: true,
    emitDeclarationOnly: true,
    // Deno has checked the types; here its global is not known.
    noCheck: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    types: [],
    rootDir: root,
    outDir: folder,
  };
  const files = entries.map((path) => join(root, path));
  writeFileSync(config, JSON.stringify({ compilerOptions: options, files }));
  const compiler = join(root, "node_modules/typescript/lib/tsc.js");
  execFileSync("bun", [compiler, "-p", config], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
}
