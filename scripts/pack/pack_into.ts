import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { completionScript, type Shell } from "../../lib/cli/completions/scripts.ts";
import { VERBS } from "../../lib/cli/registry.ts";
import { VERSION } from "../../lib/cli/version.ts";
import { bundleInto } from "../bundle_into.ts";
import { checkReplaceable, replaceFolder } from "../replace_folder.ts";
import { writeDeclarations } from "./declarations.ts";
import { licenceTexts } from "./licences.ts";
import { manPage } from "./man_page.ts";
import { manifestOf, MANUAL, type SourceManifest } from "./manifest.ts";

const REPO = fileURLToPath(new URL("../../", import.meta.url));

/** The entries that a program imports, as `deno.json` names them; the command line is the bundle. */
const ENTRIES: Readonly<Record<string, string>> = {
  ".": "mod.ts",
  "./core": "lib/core.ts",
  "./patterns": "lib/pattern/patterns.ts",
  "./adapters": "lib/adapters/adapters.ts",
};

/** Files that come along as they are. */
const COPIED = [
  "LICENSE",
  "CHANGELOG.md",
  "SECURITY.md",
  "docs",
  "schema",
];

/** Files that stand in every package. */
const WRITTEN = ["bin", "completions", "package.json", "THIRD_PARTY_LICENSES.txt"];

/** Files by which a tag of the package is an action of GitHub and a repository of hooks for pre-commit. */
const INTEGRATIONS = ["action.yml", ".pre-commit-hooks.yaml"];

/**
 * Writes the npm package into a folder, emptied first: JavaScript with source maps and declarations for each entry, the bundle in
 * `bin`, the manual page and completions. Needs `bun` and its `bun install`, and `deno`. Throws Error when one of them fails, and for a folder with other files in
 * it, which is then as it was.
 */
export async function packInto(folder: string): Promise<void> {
  const target = resolve(folder);
  checkReplaceable(target, {
    output: "the package",
    isOurs: (names) => WRITTEN.every((name) => names.includes(name)),
  });
  const work = mkdtempSync(join(tmpdir(), "caliban-pack-"));
  try {
    const out = join(work, "npm");
    mkdirSync(out);
    buildEntries(out);
    writeDeclarations(REPO, { entries: Object.values(ENTRIES), folder: out });
    packProgram(out);
    await writeShellFiles(out);
    write(join(out, "README.md"), readmeForUsers(readFileSync(join(REPO, "README.md"), "utf8")));
    for (const name of COPIED) cpSync(join(REPO, name), join(out, name), { recursive: true });
    write(join(out, "THIRD_PARTY_LICENSES.txt"), licenceTexts(REPO, sourcesIn(out)));
    replaceFolder(target, { by: out });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The README without its pages for contributors, which only the repository has. Throws Error if it does not name them. */
function readmeForUsers(readme: string): string {
  const text = readme.replace(/^\[CONTRIBUTING\.md\]\(.*\n(?:.+\n)*/m, "MIT.\n");
  if (text === readme) throw new Error("Cannot pack README.md: no paragraph names CONTRIBUTING.md");
  return text;
}

/** Writes the part of the package that is started: the bundle in `bin`, and what the action and pre-commit need. */
export function packProgram(out: string): void {
  bundleInto(join(out, "bin"));
  execFileSync(
    "bun",
    ["build", "scripts/action/comment.ts", "--target=node", `--outdir=${join(out, "action")}`],
    { cwd: REPO, stdio: ["ignore", "ignore", "inherit"] },
  );
  for (const name of INTEGRATIONS) cpSync(join(REPO, name), join(out, name));
  const source = JSON.parse(readFileSync(join(REPO, "package.json"), "utf8")) as SourceManifest;
  write(join(out, "package.json"), `${JSON.stringify(manifestOf(source, ENTRIES), null, 2)}\n`);
}

/** The completions, by the names that the shells look for. */
const COMPLETIONS: ReadonlyMap<Shell, string> = new Map([
  ["bash", "caliban.bash"],
  ["zsh", "_caliban"],
  ["fish", "caliban.fish"],
  ["powershell", "caliban.ps1"],
]);

/** Writes the manual page and the completions of each shell, from the tables of the verbs. */
async function writeShellFiles(out: string): Promise<void> {
  for (const [shell, name] of COMPLETIONS) {
    mkdirSync(join(out, "completions"), { recursive: true });
    write(join(out, "completions", name), completionScript(shell, VERBS));
  }
  mkdirSync(join(out, "man"));
  const date = new Date().toISOString().slice(0, 10);
  write(join(out, MANUAL), await manPage(VERBS, { version: VERSION, date }));
}

/** The modules of all entries, with what they share in files of their own; `openai` is left to who asks a model. */
function buildEntries(folder: string): void {
  const flags = ["--splitting", "--format=esm", "--target=node", "--sourcemap=linked"];
  execFileSync(
    "bun",
    [
      "build",
      ...Object.values(ENTRIES),
      ...flags,
      "--root=.",
      "--chunk-naming=chunks/[name]-[hash].[ext]",
      "--external=openai",
      `--outdir=${folder}`,
    ],
    { cwd: REPO, stdio: ["ignore", "ignore", "inherit"] },
  );
  for (const path of filesBelow(folder).filter((each) => each.endsWith(".js.map"))) relate(path);
}

/** The sources of a map have no place in the package: their text stands in the map, under a name from the repository's root. */
function relate(path: string): void {
  const map = JSON.parse(readFileSync(path, "utf8")) as { sources: string[] };
  const sources = map.sources.map((each) => each.replace(/^(?:\.\.?\/)+/, ""));
  write(path, JSON.stringify({ ...map, sources }));
}

/** The names of the sources in all maps of a folder. */
function sourcesIn(folder: string): readonly string[] {
  return filesBelow(folder).filter((path) => path.endsWith(".js.map")).flatMap((path) =>
    (JSON.parse(readFileSync(path, "utf8")) as { sources: readonly string[] }).sources
  );
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    join(folder, name)
  );
}

function write(path: string, text: string): void {
  writeFileSync(path, text);
}
