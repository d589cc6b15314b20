/**
 * Makes the documentation site in `dist/site`: the pages of docs with search, and the reference of the library below `api`.
 * `deno task docs [FOLDER]`. Needs `npm`, and installs the generator in a folder of its own, `scripts/site/node_modules`. Fails on a link that
 * leads nowhere.
 */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { replaceFolder } from "../replace_folder.ts";
import { siteConfig } from "./config.ts";
import { firstPage, SECTIONS, sitePage } from "./pages.ts";

const REPO = fileURLToPath(new URL("../../", import.meta.url));
const HERE = join(REPO, "scripts/site");
const ENTRIES = ["mod.ts", "lib/core.ts", "lib/pattern/patterns.ts", "lib/adapters/adapters.ts"];

makeSite(resolve(process.argv[2] ?? join(REPO, "dist/site")));

function makeSite(target: string): void {
  checkReplaceable(target);
  const run = (command: string, args: readonly string[], cwd: string) =>
    execFileSync(command, args, { cwd, stdio: "inherit" });
  run("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], HERE);
  const work = mkdtempSync(join(HERE, "pages-"));
  try {
    writePages(work);
    mkdirSync(join(work, ".vitepress"));
    writeFileSync(join(work, ".vitepress/config.mjs"), siteConfig());
    run(join(HERE, "node_modules/.bin/vitepress"), ["build", work], HERE);
    const made = join(work, ".vitepress/dist");
    const api = ["doc", "--html", "--name=caliban", `--output=${join(made, "api")}`, ...ENTRIES];
    run("deno", api, REPO);
    replaceFolder(target, { by: made });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Throws Error for a folder with other files than a site. */
function checkReplaceable(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  if (existsSync(join(folder, "hashmap.json")) && existsSync(join(folder, "api"))) return;
  throw new Error(`Cannot write the site into "${folder}": it holds other files`);
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
