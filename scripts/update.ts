import "../lib/shell/parse/loaded_parser.ts";
import { generatedFiles } from "./generated_files.ts";

/** The repository's root. */
const ROOT = new URL("../", import.meta.url);

/** Paths, from the root, of the generated files whose text is not what it should be; each is written unless `--check`. */
async function update(mode: "write" | "check"): Promise<readonly string[]> {
  const stale: string[] = [];
  for (const [path, text] of await generatedFiles(read)) {
    if (current(path) === text) continue;
    stale.push(path);
    if (mode === "write") {
      const url = new URL(path, ROOT);
      Deno.mkdirSync(new URL("./", url), { recursive: true });
      Deno.writeTextFileSync(url, text);
    }
  }
  return stale;
}

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}

/** The file's text; undefined when there is none. */
function current(path: string): string | undefined {
  try {
    return read(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

if (import.meta.main) {
  const unknown = Deno.args.find((arg) => arg !== "--check");
  if (unknown !== undefined) {
    console.error(`Unknown argument "${unknown}"; only --check is known`);
    Deno.exit(64);
  }
  const mode = Deno.args.includes("--check") ? "check" : "write";
  const stale = await update(mode);
  for (const path of stale) console.log(mode === "check" ? `stale: ${path}` : `wrote: ${path}`);
  if (mode === "check" && stale.length > 0) {
    console.error('Run "deno task update" and commit the result');
    Deno.exit(1);
  }
}
