import { FileError, type FileFault } from "./runtime.ts";

/** A use of a file, as messages name it. */
export type FileVerb = "read" | "write";

const MIB = 1024 * 1024;

/** The largest file that is read, in bytes. */
export const MAX_BYTES = 64 * MIB;

/** Folders of devices and processes, for which Deno wants every permission. */
const DEVICES = /^\/(?:dev|proc|sys)\//;

/** The FileError for an error that a runtime threw for a path. */
export function fileError(error: unknown, about: { path: string; verb: FileVerb }): FileError {
  if (error instanceof FileError) return error;
  const fault = faultOf(error);
  const { path, verb } = about;
  const detail = fault !== "missing-flag"
    ? detailOf(error, fault)
    : verb === "read" && DEVICES.test(path)
    ? "Deno reads there with --allow-all only; save what it holds as a file first"
    : `run with ${flagsFor(verb)}`;
  return new FileError(`Cannot ${verb} "${path}": ${detail}`, { path, fault, cause: error });
}

/** Runs a call that reads a path. Throws FileError in place of the runtime's own errors. */
export function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}

/**
 * Runs a look at a path, whose errors have no stack traces: most looks are at files that are not there, and a trace takes longer than
 * the look.
 */
export function untraced<T>(look: () => T): T {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return look();
  } finally {
    Error.stackTraceLimit = before;
  }
}

/** The error for a path that is, or goes through, a link to nothing. */
export function deadLink(path: string, fault: FileFault): FileError {
  const message = `Cannot read "${path}": it is or goes through a link that leads nowhere`;
  return new FileError(message, { path, fault });
}

/** The error for a path at which something other than a file is. */
export function notAFile(path: string, verb: FileVerb): FileError {
  return new FileError(`Cannot ${verb} "${path}": it is not a file`, { path, fault: "not-a-file" });
}

/** The error for a pipe or device in a file's place, which could block or never end. */
function pipeError(path: string): FileError {
  const message = `Cannot read "${path}": it is a pipe or device, not a file; ` +
    "save what it holds as a file first";
  return new FileError(message, { path, fault: "not-a-file" });
}

/** The error for a path at which nothing is. */
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

/** The fault of a runtime's error: by its code, or by its name if Deno itself refuses. */
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

/** True if a runtime's error says that nothing is at the path. */
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
      return codeOf(error) === "EFBIG"
        ? "the system allows no larger file"
        : `it is larger than ${MAX_BYTES / MIB} MiB`;
    case "missing-flag":
    case "not-utf8":
    case "other":
      return error instanceof Error ? error.message : String(error);
  }
}

/** The stats that are checked before a file is opened. */
export interface FileStats {
  /** True for a regular file; anything else could block (FIFO) or never end (device). */
  readonly isFile: boolean;
  /** True for a folder; false if it is not known. */
  readonly isDirectory?: boolean;
  /** Its size in bytes. */
  readonly size: number;
}

/** Throws FileError unless it is a regular file of at most `most` bytes, 64 MiB if left out. */
export function requireReadable(
  stats: FileStats,
  about: { path: string; verb: FileVerb },
  most = MAX_BYTES,
): void {
  const { path, verb } = about;
  if (!stats.isFile) {
    throw verb === "read" && stats.isDirectory === false ? pipeError(path) : notAFile(path, verb);
  }
  if (stats.size <= most) return;
  const bound = most % MIB === 0 ? `${most / MIB} MiB` : `${most.toLocaleString("en-US")} bytes`;
  const message = `Cannot ${verb} "${path}": it is larger than ${bound}`;
  throw new FileError(message, { path, fault: "too-large" });
}

/** The text of a file's bytes, a byte order mark kept; throws FileError `not-utf8`, and `too-large` above 64 MiB. */
export function decodeText(bytes: Uint8Array, about: { path: string; verb: FileVerb }): string {
  // A file can grow after it was measured, and some (in /proc) say 0.
  requireReadable({ isFile: true, size: bytes.byteLength }, about);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const { path, verb } = about;
    const message = `Cannot ${verb} "${path}": it is not UTF-8`;
    throw new FileError(message, { path, fault: "not-utf8", cause });
  }
}
