import { hash, type Mutant } from "./candidates.ts";
import { instrumented, type Numbered } from "./instrument.ts";

/** The repository's folder, with a `/` at its end. */
export const REPO = decodeURIComponent(new URL("../..", import.meta.url).pathname);

const decoder = new TextDecoder();

/** Runs git in the checkout. Throws Error with its output when it fails. */
export function git(...args: readonly string[]): string {
  const { success, stdout, stderr } = new Deno.Command("git", {
    args: ["-C", REPO, ...args],
  }).outputSync();
  if (!success) throw new Error(`git ${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}

/** The files of the checkout that are not ignored, sorted. */
export function treeFiles(): readonly string[] {
  const files = git("ls-files", "-z", "-co", "--exclude-standard").split("\0");
  return [...new Set(files)].filter((file) => file !== "" && isFile(REPO + file)).toSorted();
}

function isFile(path: string): boolean {
  try {
    return Deno.lstatSync(path).isFile;
  } catch {
    return false;
  }
}

/** The folder outside of the checkout that holds the copied tree and what is known of it. */
export function cacheFolder(): string {
  const base = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME") ?? "/tmp"}/.cache`;
  const folder = `${base}/caliban-mutants/${hash(REPO).toString(36)}`;
  Deno.mkdirSync(folder, { recursive: true });
  return folder;
}

/** Brings the copied tree up to date, with the mutants in it. Only what differs is written. */
export function writeTree(
  root: string,
  files: readonly string[],
  mutants: readonly Numbered[],
): void {
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  const names = [...byFile.keys()];
  const from = (name: string) => `file://${root}scripts/mutants/${name}.ts`;
  for (const file of files) {
    let bytes = Deno.readFileSync(REPO + file);
    const own = byFile.get(file);
    if (own !== undefined) {
      const probe = names.indexOf(file) + 1;
      const text = instrumented(decoder.decode(bytes), {
        mutants: own,
        probe,
        from: from("switch"),
      });
      bytes = new TextEncoder().encode(text);
    } else if (file.startsWith("tests/") && file.endsWith("_test.ts")) {
      const text = decoder.decode(bytes);
      bytes = new TextEncoder().encode(
        text.replaceAll('"node:test"', JSON.stringify(from("collect"))),
      );
    }
    writeIfOther(root + file, bytes);
  }
  const wanted = new Set(files);
  for (const file of filesBelow(root, "")) if (!wanted.has(file)) Deno.removeSync(root + file);
}

function writeIfOther(path: string, bytes: Uint8Array): void {
  try {
    const before = Deno.readFileSync(path);
    if (before.length === bytes.length && before.every((byte, at) => byte === bytes[at])) return;
  } catch {
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  }
  Deno.writeFileSync(path, bytes);
}

function filesBelow(root: string, folder: string): readonly string[] {
  return [...Deno.readDirSync(root + folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesBelow(root, `${folder}${name}/`) : [`${folder}${name}`]
  );
}

/** The module that puts mutants into files. */
const INSTRUMENT = "scripts/mutants/instrument.ts";

/** The content of a test and of everything that it loads, with the mutants in it, as one text. */
export function fingerprints(
  files: readonly string[],
  mutants: readonly Mutant[],
): (test: string) => string {
  const ranks = Map.groupBy(mutants, ({ file }) => file);
  const marks = new Map<string, string>();
  const markOf = (file: string) => {
    const before = marks.get(file);
    if (before !== undefined) return before;
    const text = Deno.readTextFileSync(REPO + file);
    const own = (ranks.get(file) ?? []).map(({ rank }) => rank).join();
    const made = `${hash(text)}.${text.length}.${own}`;
    marks.set(file, made);
    return made;
  };
  const others = files.filter((file) => /^tests\/(?:specs|support)\/|^defaults\//.test(file));
  const load = loads(files);
  return (test) => {
    const more = test.startsWith("tests/io/") ? others : [];
    const all = load([test, INSTRUMENT, ...more]);
    const text = [...all].toSorted().map((file) => `${file} ${markOf(file)}`).join("\n");
    return `${hash(text).toString(36)}${hash(`${text} `).toString(36)}`;
  };
}

/** The files that some files load, themselves among them. */
export function loads(
  files: readonly string[],
): (roots: readonly string[]) => ReadonlySet<string> {
  const known = new Set(files);
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string) => {
    const before = imports.get(file);
    if (before !== undefined) return before;
    const made = importedBy(file, known);
    imports.set(file, made);
    return made;
  };
  return (roots) => {
    const seen = new Set(roots);
    // A set hands out what is added to it on the way.
    for (const file of seen) for (const each of importsOf(file)) seen.add(each);
    return seen;
  };
}

const IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

function importedBy(file: string, known: ReadonlySet<string>): readonly string[] {
  if (!file.endsWith(".ts")) return [];
  return [...Deno.readTextFileSync(REPO + file).matchAll(IMPORT)].flatMap(([, path]) => {
    const found = new URL(path!, `file:///${file}`).pathname.slice(1);
    return known.has(found) ? [found] : [];
  });
}
