import { pathStyle } from "../../policy/sources/path_style.ts";
import { FileError, type Runtime } from "./runtime.ts";

/** The bundler's name for the commit of what it built; not defined in source. */
declare const CALIBAN_COMMIT: string | undefined;

/** The caliban that runs. */
export interface OwnProgram {
  /** `source`: the files of a clone or of a hook's copy; `bundle`: one made of them; `compiled`: a program of its own. */
  readonly form: "source" | "bundle" | "compiled";
  /** The file that starts it under this runtime, as an absolute path. */
  readonly file: string;
  /** The folder of its files. */
  readonly folder: string;
}

/** Returns the caliban that runs, by the place of this module. */
export function ownProgram({ platform, name }: Pick<Runtime, "name" | "platform">): OwnProgram {
  const { join } = pathStyle(platform);
  const { url } = import.meta;
  if (/\/(?:\$bunfs|~BUN)\//.test(decodeURI(url).replaceAll("\\", "/"))) {
    const file = process.execPath;
    return { form: "compiled", file, folder: file.replace(/[\\/][^\\/]*$/, "") };
  }
  const isSource = url.endsWith(".ts");
  const { pathname } = new URL(isSource ? "../../../" : "./", url);
  const path = decodeURIComponent(pathname).replace(/(?<=.)\/$/, "");
  const folder = platform === "windows" ? path.replace(/^\/(?=[A-Za-z]:)/, "") : path;
  const file = isSource ? "cli.ts" : bundleEntry(name);
  return { form: isSource ? "source" : "bundle", file: join(folder, file), folder };
}

/** The file that starts a bundle. Node starts a script, which loads no module. */
export function bundleEntry(name: Runtime["name"]): "caliban.js" | "caliban.cjs" {
  return name === "node" ? "caliban.cjs" : "caliban.js";
}

/** The runtime with its version: `deno 2.9.6`. */
export function runtimeVersion({ name }: Pick<Runtime, "name">): string {
  return `${name} ${name === "deno" ? Deno.version.deno : process.versions[name]}`;
}

/**
 * The commit that the running caliban was built from, or that its clone has checked out, read without git; undefined if it is
 * unknown. Changes that are not committed do not show.
 */
export function ownCommit(runtime: Runtime): string | undefined {
  if (typeof CALIBAN_COMMIT !== "undefined") return CALIBAN_COMMIT || undefined;
  const { form, folder } = ownProgram(runtime);
  return form === "source" ? commitOf(runtime, folder) : undefined;
}

/** A commit's full name. */
const COMMIT = /^[0-9a-f]{40,64}$/;

/** The most links from one ref to another. */
const MOST_REFS = 5;

/** The files that the look for a commit reads. */
type Reading = Pick<Runtime, "platform" | "readText" | "stat">;

/** The commit of the repository in a folder; undefined if there is none, or it cannot be read. */
export function commitOf(runtime: Reading, folder: string): string | undefined {
  try {
    return headOf(runtime, folder);
  } catch (error) {
    // Nothing depends on the commit.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

function headOf(runtime: Reading, folder: string): string | undefined {
  const { join, absolute } = pathStyle(runtime.platform);
  const textAt = (path: string) =>
    runtime.stat(path) === "file" ? runtime.readText(path).trim() : undefined;
  const dot = join(folder, ".git");
  const named = /^gitdir:\s*(.+)$/.exec(textAt(dot) ?? "")?.[1];
  const own = named === undefined ? dot : absolute(named, folder);
  const common = textAt(join(own, "commondir"));
  const shared = common === undefined ? own : absolute(common, own);
  let text = textAt(join(own, "HEAD"));
  for (let links = 0; text !== undefined && links < MOST_REFS; links++) {
    if (COMMIT.test(text)) return text;
    const ref = /^ref:\s*(refs\/[\w./@+-]+)$/.exec(text)?.[1];
    if (ref === undefined || ref.split("/").includes("..")) return undefined;
    text = textAt(join(own, ref)) ?? textAt(join(shared, ref)) ??
      packed(textAt(join(shared, "packed-refs")) ?? "", ref);
  }
  return undefined;
}

function packed(refs: string, ref: string): string | undefined {
  return refs.split("\n").find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
}
