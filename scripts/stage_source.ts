import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { withOpenMethods } from "./bundle/open_methods.ts";
import { withShortConstructors } from "./bundle/short_constructors.ts";

/** The modules that `cli.ts` imports inside its try block. */
export const START: readonly string[] = ["lib/io/runtime/choose_runtime.ts", "lib/cli/run.ts"];

/** Modules that `check` and `hook` run under any runtime although they are imported on demand; every tool call loads every byte here. */
export const DECISION: readonly string[] = [
  "lib/cli/hook/failure.ts",
  "lib/cli/check/run.ts",
  "lib/cli/check/way_to_allow.ts",
  "lib/cli/hook/run.ts",
  "lib/cli/input/policy_warnings.ts",
  "lib/cli/output/call_notes.ts",
  "lib/cli/output/print.ts",
  "lib/decide/left_to_agent.ts",
  "lib/io/load/policy_texts.ts",
  "lib/io/packages/has_packages.ts",
  "lib/io/runtime/node_runtime.ts",
  "lib/policy/compile/tool_notes.ts",
  "lib/policy/decode/decode_fast.ts",
  "lib/policy/decode/policy_error.ts",
  "lib/report/decision_json.ts",
  "lib/report/decision_text.ts",
  "lib/suggest/awaiting_trust.ts",
];

/** Modules that decisions run under a setting: the audit log of a hook, and `--headless`. They have a file of their own, which is read after `hot.js`. */
export const BY_SETTING: readonly string[] = [
  "lib/cli/hook/log.ts",
  "lib/io/runtime/append_by.ts",
  "lib/suggest/ways_to_allow.ts",
];

/**
 * Modules of which only functions and types are imported, and that few decisions need: the parser, for lines with more than words, quotes, lists
 * and redirections, and what tells why a rule did not match. Code that is there has its price in each call, run or not.
 */
export const ON_CALL: readonly string[] = [
  "lib/decide/protected/check_other_shell.ts",
  "lib/decide/why_not.ts",
  "lib/shell/parse/parse_with_parser.ts",
];

/** Which modules of the source stand where in the bundle, by path from the root. */
export interface Layout {
  /** Imported by `cli.ts` inside of its try: the start of the file that a decision needs. */
  readonly start: readonly string[];
  /** Imported on demand in the source, but run by most decisions: in that file too. */
  readonly hot: readonly string[];
  /** Run by decisions under a setting: a file that shares what the other has. */
  readonly bySetting: readonly string[];
  /** Files of their own, which share nothing. */
  readonly apart: readonly string[];
}

/** A dynamic import of our own module in formatted source; types of a module are none. */
export const IMPORT =
  /(?<!typeof )\bimport\(\s*"(\.[^"]+)"(?:,\s*\{\s*with:\s*\{\s*type:\s*"json",?\s*\},?\s*\})?,?\s*\)/g;

/**
 * Copies the source into a folder and leads its dynamic imports to three new modules: `hot.ts` with all that a decision
 * runs, `setting.ts` with what one runs under a setting, `rest.ts` with everything else. So a bundler, which makes a file of each dynamic import, makes
 * three files. Throws Error where the layout names a module that is not imported on demand.
 */
export function stageSource(
  root: string,
  { folder, layout }: { folder: string; layout: Layout },
): void {
  copySource(root, folder);
  const rest = new Map<string, string>();
  const setting = new Map(layout.bySetting.map((path, index) => [path, `setting${index}`]));
  const found = new Set<string>();
  for (const path of reachable(folder, { path: "cli.ts", apart: layout.apart })) {
    const text = withShortConstructors(withOpenMethods(readFileSync(join(folder, path), "utf8")));
    writeFileSync(
      join(folder, path),
      ledToParts(text, { path, folder, layout, setting, rest, found }),
    );
  }
  const unknown = [...layout.start, ...layout.hot, ...layout.bySetting].find((path) =>
    !found.has(path)
  );
  if (unknown !== undefined) {
    throw new Error(`Cannot bundle "${unknown}": nothing imports it on demand`);
  }
  const start = new Map(layout.start.map((path, index) => [path, `start${index}`]));
  writeFileSync(join(folder, "hot.ts"), namespaces(folder, start));
  // That it names hot.ts makes one file of all that is hot, whatever of it the rest needs.
  const hot = 'import * as hot from "./hot.ts";\nexport { hot };\n';
  writeFileSync(join(folder, "setting.ts"), hot + namespaces(folder, setting));
  const both = `import * as setting from "./setting.ts";\nexport { setting };\n`;
  writeFileSync(join(folder, "rest.ts"), hot + both + namespaces(folder, rest));
}

/** The lines of `cli.ts` that load the modules of a start from source, in formatted source. */
const PRELOAD =
  /^(?: *\/\/ From source, .*\n)? *if \(.*\) await import\("[^"]*\/preload\.ts"\);\n/gm;

/** Copies all that a bundler reads of the source into a folder. Nothing loads `preload.ts` there. Throws Error if `cli.ts` has no lines that do. */
export function copySource(root: string, folder: string): void {
  for (const name of ["lib", "defaults", "schema", "package.json"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  const cli = readFileSync(join(root, "cli.ts"), "utf8");
  const own = cli.replace(PRELOAD, "");
  if (own === cli || own.includes("preload")) {
    throw new Error('Cannot bundle "cli.ts": its lines with a preload.ts are not read');
  }
  writeFileSync(join(folder, "cli.ts"), own);
  nameParser(root, folder);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
}

/** Has the copied source import its parser plainly: the stages load what is `ON_CALL` in ways of their own. Throws Error if `parse_line.ts` does not import the parser. */
function nameParser(root: string, folder: string): void {
  cpSync(join(root, "scripts/bundle/load_parser.ts"), join(folder, "lib/cli/input/load_parser.ts"));
  const path = join(folder, "lib/shell/parse/parse_line.ts");
  const text = readFileSync(path, "utf8");
  const named = text.replace('from "./parser_on_call.ts"', 'from "./parse_with_parser.ts"');
  if (named === text) throw new Error(`Cannot bundle "${path}": it does not import the parser`);
  writeFileSync(path, named);
}

/**
 * The modules that are imported on demand and use `node:` modules, by path from the root: those on the way from `cli.ts` that
 * does not go through the ones in `known`.
 */
export function nodeModules(root: string, known: readonly string[]): readonly string[] {
  const paths = reachable(root, { path: "cli.ts", apart: known });
  const wanted = new Set(paths.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const targets = [...text.matchAll(IMPORT)].map(([, target]) => target!);
    return targets.map((target) => posix.join(posix.dirname(path), target));
  }));
  return [...wanted].filter((path) => {
    return /^(?:import (?!type\b)|\} )[^;]*from "node:/m.test(
      readFileSync(join(root, path), "utf8"),
    );
  }).filter((path) => !known.includes(path)).sort();
}

/** Our modules that `path` leads to in any way, itself included, but not through those that stand apart. */
export function reachable(
  folder: string,
  { path, apart }: { path: string; apart: readonly string[] },
): readonly string[] {
  const reached = new Set([path]);
  for (const each of reached) {
    if (!each.endsWith(".ts") || apart.includes(each)) continue;
    const text = readFileSync(join(folder, each), "utf8");
    for (const [, specifier] of text.matchAll(/(?:\bfrom |\bimport\(\s*)"(\.[^"]+)"/g)) {
      reached.add(posix.join(posix.dirname(each), specifier!));
    }
  }
  return [...reached].filter((each) => each.endsWith(".ts") && !apart.includes(each));
}

interface Leading {
  readonly path: string;
  /** Of the source. */
  readonly folder: string;
  readonly layout: Layout;
  /** The name of each module in `setting.ts`. */
  readonly setting: ReadonlyMap<string, string>;
  /** The name of each module in `rest.ts`; grows. */
  readonly rest: Map<string, string>;
  /** The modules imported so far. */
  readonly found: Set<string>;
}

/** The text of a module with its dynamic imports led to the three. */
function ledToParts(text: string, { path, folder, layout, setting, rest, found }: Leading): string {
  const heads: string[] = [];
  const from = posix.dirname(path);
  const led = text.replace(IMPORT, (written, specifier: string) => {
    const target = posix.join(from, specifier);
    found.add(target);
    if (layout.apart.includes(target)) return written;
    if (layout.start.includes(target)) {
      return namedIn("hot.ts", { from, name: `start${layout.start.indexOf(target)}` });
    }
    if (layout.hot.includes(target)) {
      const name = `__hot${heads.length}`;
      heads.push(`import * as ${name} from "${specifier}";\n`);
      return `Promise.resolve(${valuesOf(name, readFileSync(join(folder, target), "utf8"))})`;
    }
    if (setting.has(target)) return namedIn("setting.ts", { from, name: setting.get(target)! });
    if (!rest.has(target)) rest.set(target, `rest${rest.size}`);
    return namedIn("rest.ts", { from, name: rest.get(target)! });
  });
  return heads.join("") + led;
}

/**
 * An object literal with the values that a module exports, where `name` is the module. It takes the place of the module's own object, for which the
 * bundler makes a getter and a setter for each value at each start. Throws Error for an export whose value may change, or that is not read here.
 */
export function valuesOf(name: string, text: string): string {
  const other = /^export (?!type\b|interface\b|declare\b|\{).*/gm;
  const read = /^export (?:async )?(?:function\*?|const|(?:abstract )?class) (\w+)/;
  const unread = [...text.matchAll(other)].find(([line]) => !read.test(line))?.[0];
  if (unread !== undefined) throw new Error(`Cannot bundle "${unread}": it has no name that stays`);
  const declared = text.matchAll(new RegExp(read, "gm"));
  const handedOn = [...text.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list]) => {
    return list!.split(",").map((each) => each.trim()).filter((each) => !/^(?:type |$)/.test(each))
      .map((each) => each.split(/\s+as\s+/).at(-1)!);
  });
  const values = [...[...declared].map(([, each]) => each!), ...handedOn]
    .map((each) => `${each}: ${name}.${each}`);
  return `{ ${values.join(", ")} }`;
}

function namedIn(file: string, { from, name }: { from: string; name: string }): string {
  const path = posix.relative(from, file);
  return `import("${path.startsWith(".") ? path : `./${path}`}").then((all) => all.${name})`;
}

/** A module that exports the values of whole modules, by name. */
function namespaces(folder: string, modules: ReadonlyMap<string, string>): string {
  return [...modules].map(([path, name]) => {
    if (path.endsWith(".json")) {
      return `import * as ${name} from "./${path}" with { type: "json" };\nexport { ${name} };\n`;
    }
    const values = valuesOf(`all_${name}`, readFileSync(join(folder, path), "utf8"));
    return `import * as all_${name} from "./${path}";\nexport const ${name} = ${values};\n`;
  }).join("");
}
