import { readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { copySource, DECISION, IMPORT, ON_CALL, reachable, START } from "../stage_source.ts";

/**
 * Copies the source into a folder so that a bundler makes one piece of all that a decision runs: `hot.ts`, which every other module
 * that is imported on demand imports too. By itself it would make a piece of each set of modules that the same others need, some
 * sixty for a decision, and each costs as much as a small module. What few decisions need is loaded when a function of it is
 * called. Tables of JSON are parsed part by part, when each is asked for. Throws Error where a module of the lists is not imported so.
 */
export function stageProgram(root: string, folder: string): void {
  copySource(root, folder);
  const found = new Set<string>();
  const tables = new Set<string>();
  const called = new Set<string>();
  for (const path of reachable(folder, { path: "cli.ts", apart: [] })) {
    const file = join(folder, path);
    const text = withHotModules(readFileSync(file, "utf8"), { path, found });
    writeFileSync(file, withTables(withCalls(text, { path, called }), { path, tables }));
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
  const uncalled = ON_CALL.find((path) => !called.has(path));
  if (uncalled !== undefined) throw new Error(`Cannot compile "${uncalled}": nothing imports it`);
  for (const path of [...found, ...called]) {
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

/** A plain import of values in formatted source, with or without types among them. */
const NAMED = /^import \{([^{}]+)\} from "(\.[^"]+\.ts)";$/gm;

/**
 * The text of a module with functions that load their module in the place of those that it imports from a module of `ON_CALL`; `called`:
 * those so far; grows.
 */
function withCalls(
  text: string,
  { path, called }: { readonly path: string; readonly called: Set<string> },
): string {
  return text.replace(NAMED, (written, names: string, wanted: string) => {
    const target = posix.join(posix.dirname(path), wanted);
    if (!ON_CALL.includes(target)) return written;
    called.add(target);
    const kept = `__${posix.basename(wanted, ".ts")}`;
    const functions = names.split(",").map((each) => each.trim()).filter(Boolean).map((name) => {
      if (name.startsWith("type ")) return `import type {${name.slice(4)} } from "${wanted}";`;
      if (!/^[a-z]\w*$/.test(name)) {
        throw new Error(`Cannot compile "${path}": "${name}" is no function`);
      }
      return `function ${name}(...of) { return (${kept} ??= require("${wanted}")).${name}(...of); }`;
    });
    return [`var ${kept};`, ...functions].join("\n");
  });
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
