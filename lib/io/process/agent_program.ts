import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type CopiedFiles, writeCopy } from "./copy_folder.ts";
import { reading } from "../runtime/file_fault.ts";
import { bundleEntry } from "../runtime/own_program.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import type { LastingProgram } from "./lasting_program.ts";

/** The forms of caliban, the one that starts fastest first. */
export type ProgramForm = "compiled" | "bundle" | "source";

/** A command that starts caliban from any folder, even if the running copy is moved or removed. */
export interface AgentProgram {
  readonly form: ProgramForm;
  /** The first words of a command line: the runtime with its flags and the file that it runs. */
  readonly words: readonly string[];
  /** The file that it runs; of a compiled program, this program. */
  readonly file: string;
  /** The folder of the copy; absent if the program is one file that is not copied. */
  readonly folder?: string;
  /** Writes the copy unless it exists. Throws FileError. */
  write(): void;
}

/** The packages that a decision needs; their dependencies are found. */
const PACKAGES = ["smol-toml", "toml-eslint-parser", "unbash"];

/** Files that Bun uses instead of those in the current folder. */
const OWN_FILES: ReadonlyMap<string, string> = new Map([
  ["bunfig.toml", "env = false\n"],
  ["tsconfig.json", "{}\n"],
  ["deno.json", '{ "nodeModulesDir": "manual", "unstable": ["lazy-dynamic-imports"] }\n'],
  ["package.json", '{ "name": "caliban-hook", "private": true, "type": "module" }\n'],
]);

/** Files of a package that are not needed at run time. */
const NEEDLESS = /\.(?:d\.[cm]?ts|map|md)$/;

/** The choices about the program for agents' settings. */
export interface ProgramOptions {
  /** The folder (absolute) whose `hooks` has the copies. */
  readonly below: string;
  /** The program that lasts. */
  readonly program: Exclude<LastingProgram, { readonly kind: "none" }>;
  /** The folder (absolute) in which it may write, if any. */
  readonly writes?: string;
  /** True if the agents of all people on this machine start it. */
  readonly isShared?: boolean;
}

/** The program that runs caliban now: a runtime, or caliban itself as one compiled program. */
export function runningProgram(): { readonly running: string; readonly isCompiled: boolean } {
  const here = fileURLToPath(import.meta.url);
  const isCompiled = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(here);
  return { running: process.execPath, isCompiled };
}

/**
 * The program for agents' settings. Its copy is in a folder of `hooks` that is named after its contents, so that a new version
 * never changes what an older command runs. Throws FileError if the running program cannot be read.
 */
export function agentProgram(
  runtime: Pick<Runtime, "name">,
  { below, program, writes, isShared = false }: ProgramOptions,
): AgentProgram {
  const here = fileURLToPath(import.meta.url);
  if (runningProgram().isCompiled) return compiledProgram(program, { below, isShared });
  const isSource = here.endsWith(".ts");
  const main = isSource ? "cli.ts" : bundleEntry(runtime.name);
  const files = reading(here, () => isSource ? sourceFiles() : bundleFiles(here));
  const folder = join(below, "hooks", digestOf(files));
  const entry = join(folder, main);
  return {
    form: isSource ? "source" : "bundle",
    words: startWords(runtime, { program: program.path, folder, entry, isSource, writes }),
    file: entry,
    folder,
    write: () => writeCopy(folder, files, { isShared }),
  };
}

function compiledProgram(
  { kind, path }: ProgramOptions["program"],
  { below, isShared }: { readonly below: string; readonly isShared: boolean },
): AgentProgram {
  const form = "compiled";
  if (kind === "path") return { form, words: [path], file: path, write() {} };
  const files = new Map([[PROGRAM, reading(path, () => readFileSync(path))]]);
  const folder = join(below, "hooks", digestOf(files));
  const copy = join(folder, PROGRAM);
  const write = () => writeCopy(folder, files, { isShared, program: PROGRAM });
  return { form, words: [copy], file: copy, folder, write };
}

/** The name of a compiled program in its copy. */
const PROGRAM = "caliban";

interface Starting {
  readonly program: string;
  readonly folder: string;
  readonly entry: string;
  readonly isSource: boolean;
  readonly writes: string | undefined;
}

function startWords(
  { name }: Pick<Runtime, "name">,
  { program, folder, entry, isSource, writes }: Starting,
): readonly string[] {
  switch (name) {
    case "deno":
      return [
        program,
        "run",
        "--quiet",
        "--no-prompt",
        "--no-lock",
        "--no-remote",
        isSource ? `--config=${join(folder, "deno.json")}` : "--no-config",
        "--allow-read",
        "--allow-env",
        ...(writes === undefined ? [] : [`--allow-write=${writes}`]),
        entry,
      ];
    case "bun":
      return [
        program,
        "--no-env-file",
        `--config=${join(folder, "bunfig.toml")}`,
        `--tsconfig-override=${join(folder, "tsconfig.json")}`,
        entry,
      ];
    case "node":
      return [program, entry];
  }
}

/** The bundle's main files and every file beside them that one of its files loads. */
function bundleFiles(here: string): CopiedFiles {
  const folder = dirname(here);
  const files = new Map(ownFiles());
  const wanted = ["caliban.js", "caliban.cjs"];
  for (const name of wanted) {
    const path = join(folder, name);
    const bytes = reading(path, () => readFileSync(path));
    files.set(name, bytes);
    const names = [...bytes.toString("utf8").matchAll(/["'`]\.\/([a-z_]+\.(?:c?js|txt))["'`]/g)];
    for (const [, found = ""] of names) {
      if (!wanted.includes(found) && existsSync(join(folder, found))) wanted.push(found);
    }
  }
  return files;
}

/** The command line with everything that it may load, and the packages that a decision needs. */
function sourceFiles(): CopiedFiles {
  const root = fileURLToPath(new URL("../../../", import.meta.url));
  const files = new Map(ownFiles());
  files.set("cli.ts", readFileSync(join(root, "cli.ts")));
  addBelow(files, { from: join(root, "lib"), to: "lib", keep: (name) => name.endsWith(".ts") });
  const isJson = (name: string) => name.endsWith(".json");
  addBelow(files, { from: join(root, "defaults"), to: "defaults", keep: isJson });
  if (existsSync(join(root, "schema"))) {
    addBelow(files, { from: join(root, "schema"), to: "schema", keep: isJson });
  }
  for (const [name, from] of packageFolders()) {
    const keep = (file: string) => !NEEDLESS.test(file);
    addBelow(files, { from, to: `node_modules/${name}`, keep });
  }
  return files;
}

function ownFiles(): readonly (readonly [string, Uint8Array])[] {
  return [...OWN_FILES].map(([name, text]) => [name, new TextEncoder().encode(text)] as const);
}

interface Adding {
  readonly from: string;
  readonly to: string;
  keep(name: string): boolean;
}

function addBelow(files: Map<string, Uint8Array>, { from, to, keep }: Adding): void {
  for (const name of readdirSync(from).toSorted()) {
    const path = join(from, name);
    if (statSync(path).isDirectory()) {
      if (name !== "node_modules") addBelow(files, { from: path, to: `${to}/${name}`, keep });
    } else if (keep(name)) {
      files.set(`${to}/${name}`, reading(path, () => readFileSync(path)));
    }
  }
}

/** The folders of the packages and of their dependencies. */
function packageFolders(): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  const pending = PACKAGES.map((name) => ({
    name,
    from: fileURLToPath(import.meta.resolve(name)),
  }));
  for (const { name, from } of pending) {
    if (folders.has(name)) continue;
    const folder = folderOf(from, name);
    folders.set(name, folder);
    const { dependencies = {} }: { dependencies?: Record<string, string> } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    for (const needed of Object.keys(dependencies)) {
      pending.push({ name: needed, from: createRequire(from).resolve(needed) });
    }
  }
  return folders;
}

/** The folder above a package's file that has its package.json. */
function folderOf(file: string, name: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, "package.json");
    if (existsSync(path) && JSON.parse(readFileSync(path, "utf8")).name === name) return folder;
  }
  throw new FileError(`Cannot read the package "${name}": it has no package.json`, {
    path: file,
    fault: "not-found",
  });
}

/** The name of a copy with these contents. */
export function digestOf(files: CopiedFiles): string {
  const hash = createHash("sha256");
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => a < b ? -1 : 1)) {
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex").slice(0, 12);
}
