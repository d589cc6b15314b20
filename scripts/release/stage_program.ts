import { readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { copySource, DECISION, IMPORT, reachable, START } from "../stage_source.ts";

/**
 * Copies the source into a folder so that a bundler makes one piece of all that a decision runs: `hot.ts`, which every other module
 * that is imported on demand imports too. By itself it would make a piece of each set of modules that the same others need, some
 * sixty for a decision, and each costs as much as a small module. Tables of JSON are parsed part by part, when each is asked for.
 * Throws Error where a module of the list is not imported on demand.
 */
export function stageProgram(root: string, folder: string): void {
  copySource(root, folder);
  const found = new Set<string>();
  const tables = new Set<string>();
  for (const path of reachable(folder, { path: "cli.ts", apart: [] })) {
    const file = join(folder, path);
    const text = withHotModules(readFileSync(file, "utf8"), { path, found });
    writeFileSync(file, withTables(text, { path, tables }));
  }
  for (const table of tables) {
    writeFileSync(
      join(folder, `${table}.ts`),
      tableModule(readFileSync(join(folder, table), "utf8")),
    );
  }
  const missing = [...START, ...DECISION].find((path) => !found.has(path));
  if (missing !== undefined) {
    throw new Error(`Cannot compile "${missing}": nothing imports it on demand`);
  }
  for (const path of found) {
    if (!path.endsWith(".ts") || START.includes(path) || DECISION.includes(path)) continue;
    const file = join(folder, path);
    writeFileSync(file, `import "${specifier(path, "hot.ts")}";\n${readFileSync(file, "utf8")}`);
  }
  writeFileSync(
    join(folder, "hot.ts"),
    START.map((path) => `export * from "./${path}";\n`).join(""),
  );
}

interface Staging {
  readonly path: string;
  /** The modules that are imported on demand; grows. */
  readonly found: Set<string>;
}

/** The text of a module with its hot imports on demand made plain ones, and those of the start led to `hot.ts`. */
function withHotModules(text: string, { path, found }: Staging): string {
  const heads: string[] = [];
  const led = text.replace(IMPORT, (written, wanted: string) => {
    const target = posix.join(posix.dirname(path), wanted);
    found.add(target);
    if (START.includes(target)) return `import("${specifier(path, "hot.ts")}")`;
    if (!DECISION.includes(target)) return written;
    const name = `__hot${heads.length}`;
    heads.push(`import * as ${name} from "${wanted}";\n`);
    return `Promise.resolve(${name})`;
  });
  return heads.join("") + led;
}

/** A plain import of a table of JSON in formatted source. */
const TABLE = /^import (\w+) from "(\.[^"]+\.json)" with \{ type: "json" \};$/gm;

/** The text of a module that imports its tables from modules which parse them on demand; `tables`: those so far; grows. */
function withTables(
  text: string,
  { path, tables }: { readonly path: string; readonly tables: Set<string> },
): string {
  return text.replace(TABLE, (_, name: string, wanted: string) => {
    tables.add(posix.join(posix.dirname(path), wanted));
    return `import ${name} from "${wanted}.ts";`;
  });
}

/** The module of a table of JSON. A bundler would write all of it as code, which makes every part at each start. */
function tableModule(text: string): string {
  const parts = Object.entries<unknown>(JSON.parse(text)).map(([key, value]) => {
    const [name, part] = [JSON.stringify(key), JSON.stringify(value)];
    if (typeof value === "string") return `${name}: ${part}`;
    return `get ${name}() { return kept[${name}] ??= JSON.parse(${JSON.stringify(part)}); }`;
  });
  return `const kept = {};\nexport default {\n${parts.join(",\n")}\n};\n`;
}

function specifier(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}
