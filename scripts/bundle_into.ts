import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const REPO = fileURLToPath(new URL("../", import.meta.url));

/** The modules that use `node:`, by the name of their own file in the bundle. */
const APART: ReadonlyMap<string, string> = new Map([
  ["classifier.js", "lib/io/classifier.ts"],
  ["edit_file.js", "lib/io/edit_file.ts"],
  ["node_runtime.js", "lib/io/node_runtime.ts"],
  ["opinion_cache.js", "lib/auto/opinion_cache.ts"],
  ["read_audit_log.js", "lib/io/read_audit_log.ts"],
]);

/** Writes the bundle into a folder, emptied first. Needs `bun` and its `bun install`. Throws when bun fails. */
export function bundleInto(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const externals = [...APART.values()].flatMap((
    path,
  ) => ["--external", `*/${path.split("/").at(-1)}`]);
  const main = join(folder, "caliban.js");
  build("cli.ts", { out: main, more: externals });
  for (const [name, path] of APART) build(path, { out: join(folder, name), more: [] });
  writeFileSync(main, withOwnPaths(readFileSync(main, "utf8")));
}

function build(entry: string, { out, more }: { out: string; more: readonly string[] }): void {
  const args = [
    "build",
    join(REPO, entry),
    "--target=node",
    "--minify",
    `--outfile=${out}`,
    ...more,
  ];
  execFileSync("bun", args, { cwd: REPO, stdio: ["ignore", "ignore", "inherit"] });
}

/** The text with each module that stands apart imported from the file beside. Throws Error when one is not imported. */
function withOwnPaths(text: string): string {
  return [...APART].reduce((changed, [name, path]) => {
    const file = path.split("/").at(-1)!.replace(".", "\\.");
    const specifier = new RegExp(`import\\("\\.[./a-z]*/${file}"\\)`, "g");
    const result = changed.replace(specifier, `import("./${name}")`);
    if (result === changed) throw new Error(`The bundle does not import ${path}`);
    return result;
  }, text);
}
