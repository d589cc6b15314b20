import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";

/** A file that the command line names. */
export interface NamedFile {
  /** Its absolute path. */
  readonly path: string;
  /** Its text, without a byte order mark. */
  readonly text: string;
}

/** Reads a file that the command line names. Throws FileError. */
export function readNamedFile(name: string, runtime: Runtime): NamedFile {
  const path = pathStyle(runtime.platform).absolute(name, runtime.cwd());
  if (runtime.stat(path) === undefined) {
    throw new FileError(`Cannot read "${name}": there is no such file`, {
      path,
      fault: "not-found",
    });
  }
  return { path, text: runtime.readText(path).replace(/^\ufeff/, "") };
}
