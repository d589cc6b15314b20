/**
 * Makes the documentation site in `dist/site`: the pages of docs with search, and the reference of the library below `api`.
 * `deno task docs [FOLDER]`. Needs `npm`, and installs the generator in a folder of its own, `scripts/site/node_modules`. Fails on a link that
 * leads nowhere, and on a page that cannot be rendered.
 */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { checkReplaceable, replaceFolder } from "../replace_folder.ts";
import { siteConfig } from "./config.ts";
import { firstPage, renderFault, SECTIONS, sitePage } from "./pages.ts";

const REPO = fileURLToPath(new URL("../../", import.meta.url));
const HERE = join(REPO, "scripts/site");
const ENTRIES = ["mod.ts", "lib/core.ts", "lib/pattern/patterns.ts", "lib/adapters/adapters.ts"];

makeSite(resolve(process.argv[2] ?? join(REPO, "dist/site")));

function makeSite(target: string): void {
  checkReplaceable(target, {
    output: "the site",
    isOurs: (names) => names.includes("hashmap.json") && names.includes("api"),
  });
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: "inherit" });
  run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], HERE);
  const work = mkdtempSync(join(HERE, "pages-"));
  try {
    writePages(work);
    mkdirSync(join(work, ".vitepress"));
    writeFileSync(join(work, ".vitepress/config.mjs"), siteConfig());
    render(work);
    const made = join(work, ".vitepress/dist");
    const api = ["doc", "--html", "--name=caliban", `--output=${join(made, "api")}`, ...ENTRIES];
    run("deno", api, REPO);
    replaceFolder(target, { by: made });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Renders the pages of a folder. Throws Error if one of them fails, which VitePress prints and does not count. */
function render(folder: string): void {
  const { status, stdout, stderr } = spawnSync(
    join(HERE, "node_modules/.bin/vitepress"),
    ["build", folder],
    { cwd: HERE, encoding: "utf8" },
  );
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  const fault = renderFault(stdout + stderr);
  if (status !== 0 || fault !== undefined) {
    throw new Error(`Cannot render the site: ${fault ?? `VitePress ended with ${status}`}`);
  }
}

/** Writes the Markdown of the site. Throws Error for a page of docs that is in no section. */
function writePages(folder: string): void {
  const docs = join(REPO, "docs");
  const listed = SECTIONS.flatMap(([, pages]) => pages.map(([name]) => `${name}.md`));
  for (const name of readdirSync(docs)) {
    if (!name.endsWith(".md")) {
      cpSync(join(docs, name), join(folder, name), { recursive: true });
      continue;
    }
    if (!listed.includes(name)) throw new Error(`docs/${name} stands in no section of the site`);
    writeFileSync(join(folder, name), sitePage(readFileSync(join(docs, name), "utf8")));
  }
  writeFileSync(join(folder, "index.md"), firstPage(readFileSync(join(REPO, "README.md"), "utf8")));
}
