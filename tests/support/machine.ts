import { type LinkCalls, realPathBy } from "../../lib/io/runtime/real_path.ts";
import { FileError, type Runtime } from "../../lib/io/runtime/runtime.ts";

/** The files of a machine by their path: a text, or a link; a path that ends in a slash is a folder. */
export type Files = Readonly<Record<string, string | { readonly link: string }>>;

type Machine = Pick<
  Runtime,
  "platform" | "env" | "cwd" | "stat" | "isThere" | "readText" | "realPath"
>;

/** An error of the operating system. */
export function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/** The calls for links of a machine; each look-up of a real path is counted. */
export function linksOf(files: Files): LinkCalls & { count: number } {
  const paths = Object.keys(files);
  const isFolder = (path: string) =>
    path === "/" || paths.some((each) => each.startsWith(`${path}/`) && !isLink(path));
  const isLink = (path: string) => typeof files[path] === "object";
  const calls = {
    platform: "linux" as const,
    count: 0,
    realPath(path: string): string {
      calls.count++;
      return followed(path.split("/").filter((name) => name !== ""), 0);
    },
    readLink(path: string): string {
      const file = files[path];
      if (typeof file === "object") return file.link;
      throw failure(file === undefined && !isFolder(path) ? "ENOENT" : "EINVAL");
    },
  };
  const followed = (rest: readonly string[], depth: number): string => {
    if (depth > 40) throw failure("ELOOP");
    let at = "";
    for (const [index, name] of rest.entries()) {
      if (name === "..") {
        at = at.slice(0, at.lastIndexOf("/"));
        continue;
      }
      const path = `${at}/${name}`;
      const file = files[path];
      if (typeof file === "object") {
        const to = file.link.startsWith("/") ? file.link : `${at}/${file.link}`;
        const names = to.split("/").filter((each) => each !== "");
        return followed([...names, ...rest.slice(index + 1)], depth + 1);
      }
      if (typeof file !== "string" && !isFolder(path)) throw failure("ENOENT");
      at = path;
    }
    return at === "" ? "/" : at;
  };
  return calls;
}

/** A machine with these files and variables. */
export function machine(files: Files, variables: Readonly<Record<string, string>> = {}): Runtime {
  const calls = linksOf(files);
  const realOf = (path: string) => {
    try {
      return calls.realPath(path);
    } catch {
      return undefined;
    }
  };
  const own: Machine = {
    platform: "linux",
    env: (name) => variables[name],
    cwd: () => "/w",
    stat(path) {
      const real = realOf(path);
      if (real === undefined) return undefined;
      return typeof files[real] === "string" ? "file" : "directory";
    },
    isThere(path) {
      const folder = realOf(path.slice(0, path.lastIndexOf("/")) || "/");
      if (folder === undefined) return false;
      const at = `${folder === "/" ? "" : folder}/${path.slice(path.lastIndexOf("/") + 1)}`;
      return files[at] !== undefined || realOf(at) !== undefined;
    },
    readText(path) {
      const text = files[realOf(path) ?? ""];
      if (typeof text === "string") return text;
      throw new FileError(`Cannot read "${path}"`, { path, fault: "not-found" });
    },
    realPath: (path) => realPathBy(calls, path),
  };
  return own as Runtime;
}
