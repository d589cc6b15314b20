import { FileError, type FileFault } from "./runtime.ts";

/** What was to be done to a file, as it stands in messages. */
export type FileVerb = "read" | "write";

/** The largest file that is read, in bytes. */
export const MAX_BYTES = 64 * 1024 * 1024;

/** Makes a FileError of what a runtime threw for a path. */
export function fileError(error: unknown, about: { path: string; verb: FileVerb }): FileError {
  if (error instanceof FileError) return error;
  const fault = faultOf(error);
  const { path, verb } = about;
  const detail = fault === "missing-flag" ? `run with ${flagsFor(verb)}` : detailOf(error, fault);
  return new FileError(`Cannot ${verb} "${path}": ${detail}`, { path, fault, cause: error });
}

/** Says that what stands at a path is not a file. */
export function notAFile(path: string, verb: FileVerb): FileError {
  return new FileError(`Cannot ${verb} "${path}": it is not a file`, { path, fault: "not-a-file" });
}

/** Says that nothing stands at a path. */
export function notFound(path: string, verb: FileVerb): FileError {
  return new FileError(`Cannot ${verb} "${path}": there is no such file`, {
    path,
    fault: "not-found",
  });
}

/** The `code` of an error of the operating system (`ENOENT`); undefined for any other. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Why a runtime could not read or write: by the error's code, and by its name where Deno itself refuses. */
export function faultOf(error: unknown): FileFault {
  if (error instanceof Error && error.name === "NotCapable") return "missing-flag";
  switch (codeOf(error)) {
    case "ENOENT":
    case "ENOTDIR":
      return "not-found";
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return "permission";
    case "EISDIR":
      return "not-a-file";
    case "ELOOP":
      return "loop";
    case "EFBIG":
      return "too-large";
    default:
      return "other";
  }
}

/** Whether a runtime's error says that nothing stands at the path. */
export function isNotFound(error: unknown): boolean {
  return faultOf(error) === "not-found";
}

function flagsFor(verb: FileVerb): string {
  return verb === "read" ? "--allow-read" : "--allow-read --allow-write --allow-env";
}

function detailOf(error: unknown, fault: FileFault): string {
  switch (fault) {
    case "not-found":
      return "there is no such file";
    case "permission":
      return codeOf(error) === "EROFS" ? "the file system is read-only" : "permission denied";
    case "not-a-file":
      return "it is not a file";
    case "loop":
      return "its links lead in a circle";
    case "too-large":
      return `it is larger than ${MAX_BYTES / 1024 / 1024} MiB`;
    case "missing-flag":
    case "not-utf8":
    case "other":
      return error instanceof Error ? error.message : String(error);
  }
}
