import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";
import { ALL, LINK } from "./bundle/link.ts";
import { scriptsForNode } from "./bundle/node_scripts.ts";
import { makeLate } from "./bundle/late_package.ts";
import { namedParts } from "./bundle/named_parts.ts";
import { setAside } from "./bundle/set_aside.ts";
import { HEAD, scriptOf } from "./bundle/script_of.ts";
import { textLines } from "./bundle/text_lines.ts";
import { commitFlags } from "./commit_flags.ts";
import { COMMON, functionsRun, type Run, TYPICAL } from "./functions_run.ts";
import { checkReplaceable, replaceFolder } from "./replace_folder.ts";
import { parseTables } from "./bundle/parse_tables.ts";
import { BY_SETTING, DECISION, nodeModules, stageSource, START } from "./stage_source.ts";
import { withWarmFunctions } from "./warm_functions.ts";

const REPO = fileURLToPath(new URL("../", import.meta.url));

/** Modules of a decision: those of any runtime, Deno's own, and the hook of every agent. */
const HOT: readonly string[] = [
  ...DECISION,
  "lib/io/runtime/deno_runtime.ts",
  ...readdirSync(join(REPO, "lib/agents")).map((name) => `lib/agents/${name}/hook.ts`)
    .filter((path) => existsSync(join(REPO, path))),
];

/** The file of large texts, and the module that finds a line of it. */
const TEXTS = "texts.txt";
const BY_LINE = "lib/shell/programs/texts/program_texts.ts";

/** The module of the package that parses lines with more than words, quotes, lists and redirections; most calls have none. */
const PARSER = "lib/shell/parse/unbash.ts";

/** The list of the bundle's own files, which is empty in source. */
const CHECKSUMS = "lib/cli/errors/checksums.ts";

/** Modules that import a package that uses `node:`, or a large one. Those that import `node:` themselves are found. */
const BY_PACKAGE: readonly string[] = [
  CHECKSUMS,
  "lib/io/classifier/classifier.ts",
  "lib/io/write/edit_file.ts",
  "lib/gate/auto/opinion_cache.ts",
  "lib/gate/hooks/regex_matcher.ts",
];

/** The modules that stand apart, by the name of their own file in the bundle. */
const APART: ReadonlyMap<string, string> = new Map(
  [...BY_PACKAGE, ...nodeModules(REPO, BY_PACKAGE)]
    .map((path) => [`${path.slice(path.lastIndexOf("/") + 1, -3)}.js`, path]),
);

/**
 * Writes the bundle into a folder, emptied first: `caliban.js`, `start.js` which loads the rest, `caliban.cjs` and `start.cjs` for Node,
 * `hot.js` with what decisions run, `setting.js` with what a setting adds, `texts.txt` with the tables of programs, `rest.js` with all else, and the files that stand apart. Needs `bun` and its `bun install`, and `deno`. Throws Error when one of them fails, and
 * for a folder with other files in it, which is then as it was.
 */
export function bundleInto(folder: string): void {
  checkReplaceable(resolve(folder), { output: "the bundle", isOurs: isBundle });
  const work = mkdtempSync(join(tmpdir(), "caliban-bundle-"));
  try {
    const [stage, built, out, runs] = ["stage", "built", "out", "runs"].map((name) => {
      mkdirSync(join(work, name));
      return join(work, name);
    }) as [string, string, string, string];
    const apart = [...APART.values()];
    checkNames(apart);
    stageSource(REPO, {
      folder: stage,
      layout: { start: START, hot: HOT, bySetting: BY_SETTING, apart },
    });
    const externals = apart.flatMap((path) => ["--external", `*/${path.split("/").at(-1)}`]);
    makeLate(stage, PARSER);
    const texts = stageTexts(stage, out);
    build(stage, ["cli.ts", "--splitting", `--outdir=${built}`, ...texts, ...externals]);
    writeNamed(built, out);
    writeStart(out);
    for (const [name, path] of APART) build(REPO, [path, `--outfile=${join(out, name)}`]);
    setIdleAside(out, runs);
    warm(out, join(runs, "typical"));
    writeForNode(out);
    writeChecksums(out);
    // The output of `deno task compile` stays: a hook may start it.
    const keeps = (name: string) => !/\.c?js$/.test(name) && name !== TEXTS;
    replaceFolder(resolve(folder), { by: out, keeps });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The folders that other tasks write beside the bundle. */
const BESIDE: readonly string[] = ["npm", "release", "site"];

/** True for the names of a bundle, or of what other tasks write before there is one. */
function isBundle(names: readonly string[]): boolean {
  if (names.includes("caliban.js") && names.includes("checksums.js")) return true;
  return names.every((name) => name.startsWith("caliban") || BESIDE.includes(name));
}

/** Has the staged source read its large texts from a file, and writes that. Returns the flags that the bundler needs for it. */
function stageTexts(stage: string, out: string): readonly string[] {
  const shell = join(stage, "defaults/shell.json");
  const { programs, ...rest } = JSON.parse(readFileSync(shell, "utf8")) as { programs: string };
  const about = JSON.parse(readFileSync(join(stage, "defaults/about.json"), "utf8"));
  const { text, mark, lines } = textLines([
    ["*about", JSON.stringify(about)],
    ...programs.split("\n").slice(1).map((line) => {
      const end = line.indexOf(" ");
      return [line.slice(0, end), line.slice(end + 1).replaceAll("`", '"')] as const;
    }),
  ]);
  const forms = ` ${Object.keys(about).join(" ")} `;
  writeFileSync(shell, JSON.stringify(rest));
  parseTables(stage);
  writeFileSync(join(out, TEXTS), text);
  for (const name of ["link.ts", "program_texts.ts"]) {
    cpSync(join(REPO, "scripts/bundle", name), join(stage, dirname(BY_LINE), name));
  }
  return ["--define", `CALIBAN_TEXTS=${JSON.stringify({ mark, lines, forms })}`];
}

function build(root: string, args: readonly string[]): void {
  const flags = ["--target=node", "--minify", ...commitFlags(REPO)];
  execFileSync("bun", ["build", ...flags, ...args], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** Writes what was built under the names that the bundle has for it. Throws Error when it is something else. */
function writeNamed(built: string, folder: string): void {
  const files = readdirSync(built).map((name) =>
    [name, readFileSync(join(built, name), "utf8")] as const
  );
  for (const [name, text] of namedParts(new Map(files))) {
    const own = onDemand(withOwnPaths(text));
    writeFileSync(join(folder, name), inAscii(name === "hot.js" ? asScript(own) : linked(own)));
  }
  chmodSync(join(folder, "caliban.js"), 0o755);
}

/** The text with the modules that stand apart imported from the files beside. */
function withOwnPaths(text: string): string {
  return text.replace(/\bimport\("\.[./a-z_]*\/(\w+)\.ts"\)/g, (written, name: string) => {
    const path = APART.get(`${name}.js`);
    if (path === undefined) throw new Error(`Cannot bundle ${written}: nothing stands there`);
    return `import("./${name}.js")`;
  });
}

/**
 * The text with its imports on demand written so that Deno does not see their files before: it reads those of plain imports at each
 * start, whatever runs. The file that every start needs stays plain.
 */
function onDemand(text: string): string {
  return text.replace(
    /\bimport\("((?:\.\/(?!start\.js)|node:)[\w/]+(?:\.js)?)"\)/g,
    'import(["$1"][0])',
  );
}

/** The text of `hot.js` with what only a module has in its first line. */
function asScript(text: string): string {
  const led = text.replace(/\bimport\(\["([^"]+)"\]\[0\]\)/g, '__load("$1")')
    .replaceAll("import.meta.url", "__here").replaceAll("import.meta", "({url:__here})");
  if (/\bimport(?:\(|\.meta)/.test(led)) {
    throw new Error("Cannot bundle hot.js: it has an import that no script has");
  }
  return HEAD + led;
}

/** The text of another file, with what it has of `hot.js` taken from there: under Node that is no module. */
function linked(text: string): string {
  return text.replace(
    /(^|;|\n)import\{([\w$, ]+)\}from"\.\/hot\.js";/,
    (_, before: string, names: string) => {
      const taken = names.replace(/([\w$]+) as ([\w$]+)/g, "$1:$2");
      const exports = `((hot)=>hot.${ALL}?.()??hot)(globalThis[Symbol.for("${LINK}")].hot)`;
      return `${before}var{${taken}}=${exports};`;
    },
  );
}

/** Writes the file that loads `hot.js`, in the place of the one that the bundler made, which names what `caliban.js` needs of it. */
function writeStart(folder: string): void {
  const path = join(folder, "start.js");
  const named = [...readFileSync(path, "utf8").matchAll(/([\w$]+) as (start\d+)/g)];
  build(REPO, ["scripts/bundle/start.ts", `--outfile=${path}`]);
  const names = named.map(([, name, start]) => `${name}:${start}`).join(",");
  const text = readFileSync(path, "utf8").replace(/export\{(\w+) as begin\};?\s*$/, (_, begin) => {
    const own = named.map(([, , start]) => start).join(",");
    return `var{${names}}=await ${begin}(()=>import("./hot.js"));export{${own}};\n`;
  });
  if (named.length !== START.length || !text.includes('import("./hot.js")')) {
    throw new Error("Cannot bundle start.js: the bundler wrote something else");
  }
  writeFileSync(path, text);
}

/** The names of the exports of `hot.js` that `start.js` takes. */
function startNames(folder: string): readonly string[] {
  const text = readFileSync(join(folder, "start.js"), "utf8");
  return [...text.matchAll(/([\w$]+):start\d+/g)].map(([, name]) => name!);
}

/** A text of which V8 needs one byte a character; its strings say the same. */
function inAscii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** Sets aside what no typical call runs: V8 makes none of it at a start, and keeps nothing of what no common call runs. */
function setIdleAside(folder: string, runs: string): void {
  const ranOf = (name: string, calls: readonly Run[]) =>
    functionsRun(join(folder, "caliban.js"), { folder: join(runs, name), calls })
      .get("hot.js")!.ran;
  const path = join(folder, "hot.js");
  const text = setAside(readFileSync(path, "utf8"), {
    typical: ranOf("idle", TYPICAL),
    common: ranOf("common", COMMON),
  });
  writeFileSync(path, text);
}

/** Has V8 keep the compiled functions of typical decisions. */
function warm(folder: string, runs: string): void {
  const ran = functionsRun(join(folder, "caliban.js"), { folder: runs, calls: TYPICAL });
  for (const [name, functions] of ran) {
    if (name === "setting.js" || name === "rest.js" || APART.has(name)) continue;
    const path = join(folder, name);
    const warm = withWarmFunctions(readFileSync(path, "utf8"), functions);
    const text = name === "hot.js" ? scriptOf(warm, startNames(folder)) : warm;
    // Throws where Node could not run it.
    if (name === "hot.js") new Script(text);
    writeFileSync(path, text);
  }
}

/** Writes the first files of a start under Node. */
function writeForNode(folder: string): void {
  const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
  const { main, start } = scriptsForNode({ main: textOf("caliban.js"), start: textOf("start.js") });
  writeFileSync(join(folder, "start.cjs"), start);
  writeFileSync(join(folder, "caliban.cjs"), main, { mode: 0o755 });
}

/** Writes the checksums of all other files, which are read when something fails, and before they are copied for a hook. */
function writeChecksums(folder: string): void {
  const names = readdirSync(folder).filter((name) => name !== "checksums.js").toSorted();
  const sums = names.map((name) => {
    const bytes = readFileSync(join(folder, name));
    return [name, createHash("sha256").update(bytes).digest("hex")];
  });
  const text = `export const CHECKSUMS=${JSON.stringify(Object.fromEntries(sums))};\n`;
  writeFileSync(join(folder, "checksums.js"), text);
}

/** Throws Error where a module that stands apart shares its file name with another: the bundler tells them by name alone. */
function checkNames(apart: readonly string[]): void {
  const names = readdirSync(join(REPO, "lib"), { recursive: true, encoding: "utf8" })
    .map((path) => path.split(/[\\/]/).at(-1));
  for (const path of apart) {
    const name = path.split("/").at(-1);
    if (names.filter((other) => other === name).length > 1) {
      throw new Error(`Cannot bundle "${path}": another module is named "${name}"`);
    }
  }
}
