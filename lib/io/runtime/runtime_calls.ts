import type { AppendedFile } from "./append_by.ts";
import {
  codeOf,
  decodeText,
  fileError,
  type FileStats,
  isNotFound,
  notFound,
  reading,
  requireReadable,
  untraced,
} from "./file_fault.ts";
import type { FolderEntry } from "../../pattern/path/shell_glob.ts";
import { knownRealPath, type LinkCalls, realPathBy, withoutDots } from "./real_path.ts";
import type { FileKind, Runtime } from "./runtime.ts";

/** The change of a folder: its device, its inode and the time of its last change (ms since 1970), and who may write it. */
export interface FolderChange {
  readonly mark: readonly [device: number, inode: number | null, changed: number | null];
  readonly uid: number | null;
  readonly mode: number | null;
}

/** The calls of a runtime for files and streams; they throw the runtime's own errors. */
export interface RuntimeCalls extends LinkCalls {
  /** The stats of a path, links followed; undefined if nothing is there, where an error would cost more. */
  stat(path: string): (FileStats & { readonly isDirectory: boolean }) | undefined;
  /** As `stat`, but links are not followed. */
  lstat(path: string): { readonly isLink: boolean } | undefined;
  /** The change of what is at a path, links followed; null for a part that the system lacks. */
  changeOf(path: string): FolderChange;
  /** The bytes of a file. */
  readFile(path: string): Uint8Array;
  /** The bytes of a file, and no more than so many of its first. */
  readFirst(path: string, most: number): Uint8Array;
  /** Opens a file with O_APPEND, made with mode 0600 if it is missing. */
  openAppend(path: string): AppendedFile;
  /** Makes a folder and those above it, with mode 0700. */
  makeFolders(path: string): void;
  /** The entries of a folder. */
  readFolder(path: string): Iterable<FolderEntry>;
  /** Writes some of the bytes and returns how many. */
  writeSome(stream: "stdout" | "stderr", bytes: Uint8Array): number;
  /** Standard input, in chunks. */
  stdin(): AsyncIterable<Uint8Array>;
}

/** The methods of Runtime that are the same for every runtime, given its calls. */
export function runtimeMethods(calls: RuntimeCalls) {
  const stat = (path: string) => kindOf(calls, path);
  return {
    now: () => Date.now(),
    readText: (path, most) => readFile(calls, path, { decode: decodeText, most }),
    readBytes: (path) => readFile(calls, path, { decode: (bytes) => bytes }),
    stat,
    isThere: (path) => isThere(calls, path),
    realPath: (path, known) => known ? knownRealPath(calls, path, known) : realPathBy(calls, path),
    folderMark: (path) => folderMark(calls, path),
    listFolder: (path) => listFolder(calls, path),
    sha256,
    stdin: () => stdinOf(calls),
    write: (stream, text) => writeAll(calls, { stream, text }),
    async append(path, text) {
      // Loaded here because no decision needs it.
      const { appendBy } = await import("./append_by.ts");
      return appendBy({ ...calls, platform: calls.platform, stat }, path, text);
    },
  } satisfies Partial<Runtime>;
}

/** Bits of a mode that let others than the owner write. */
const WRITTEN_BY_OTHERS = 0o022;

/** The ms for which a folder must not have changed: some file systems count whole seconds, and FAT every other. */
const QUIET = 5_000;

/**
 * `Runtime.folderMark`. The system sets the time of change itself, and no call sets it back. A later change has a later time, because
 * the one of the mark is over for some seconds. Only a folder that the system's own user alone may write has a mark: in another one an
 * agent could put a program, on a file system that tells no change.
 */
function folderMark(calls: RuntimeCalls, path: string): string | undefined {
  try {
    const { mark, uid, mode } = untraced(() => calls.changeOf(withoutDots(calls, path)));
    const [, , changed] = mark;
    const isQuiet = typeof changed === "number" && changed > 0 && Date.now() - changed > QUIET;
    const isSystems = uid === 0 && mode !== null && (mode & WRITTEN_BY_OTHERS) === 0;
    return isQuiet && isSystems && !mark.includes(null) ? mark.join(" ") : undefined;
  } catch {
    // Not swallowed: undefined reports that nothing may be kept, and callers look at each name.
    return undefined;
  }
}

/** The most entries of a folder; a larger one counts as one that cannot be read. */
const MAX_ENTRIES = 5_000;

function listFolder(calls: RuntimeCalls, path: string): readonly FolderEntry[] | null {
  const entries: FolderEntry[] = [];
  try {
    for (const entry of calls.readFolder(path)) {
      if (entries.push(entry) > MAX_ENTRIES) return null;
    }
  } catch {
    // Not swallowed: null reports that the folder cannot be read, and callers take the stricter answer.
    return null;
  }
  return entries;
}

function readFile<T>(
  calls: RuntimeCalls,
  path: string,
  { decode, most }: {
    readonly decode: (
      bytes: Uint8Array,
      about: { readonly path: string; readonly verb: "read" },
    ) => T;
    readonly most?: number | undefined;
  },
): T {
  return reading(path, () => {
    const about = { path, verb: "read" } as const;
    const opened = withoutDots(calls, path);
    const stats = calls.stat(opened);
    if (stats === undefined) throw notFound(path, "read");
    requireReadable(stats, about, most);
    if (most === undefined) return decode(calls.readFile(opened), about);
    // One byte more tells that the file has grown since.
    const bytes = calls.readFirst(opened, most + 1);
    requireReadable({ isFile: true, size: bytes.length }, about, most);
    return decode(bytes, about);
  });
}

/** The first bytes of an open file, at most so many; `size` is that of the file when it was opened. */
export function firstBytes(
  most: number,
  { size, read }: { readonly size: number; readonly read: (into: Uint8Array) => number },
): Uint8Array {
  let bytes = new Uint8Array(Math.min(most, size + 1));
  let length = 0;
  while (length < most) {
    if (length === bytes.length) {
      const larger = new Uint8Array(Math.min(most, length * 2));
      larger.set(bytes);
      bytes = larger;
    }
    const count = read(bytes.subarray(length));
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
}

function kindOf(calls: RuntimeCalls, path: string): FileKind | undefined {
  return ifThere(path, () => {
    const stats = calls.stat(withoutDots(calls, path));
    if (stats === undefined) return undefined;
    const { isFile, isDirectory } = stats;
    return isFile ? "file" : isDirectory ? "directory" : "other";
  });
}

function isThere(calls: RuntimeCalls, path: string): boolean {
  return ifThere(path, () => calls.lstat(withoutDots(calls, path)) !== undefined) ?? false;
}

/** The result of a look-up; undefined if nothing is at the path. Throws FileError. */
function ifThere<T>(path: string, look: () => T): T | undefined {
  try {
    return untraced(look);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw fileError(error, { path, verb: "read" });
  }
}

async function* stdinOf(calls: RuntimeCalls): AsyncIterable<Uint8Array> {
  try {
    yield* calls.stdin();
  } catch (error) {
    throw fileError(error, { path: "standard input", verb: "read" });
  }
}

/** Returns the hexadecimal SHA-256 of a text's UTF-8 bytes, by Web Crypto. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

const RETRY_MS = 5;

/** The bytes of a long text that are written together, and the length in UTF-16 code units above which a text is long. */
const PIECE = 131_072;
const LONG = 4_096;

/** The bytes of pieces, which are allocated once; undefined while a text is being written. */
let spare: Uint8Array<ArrayBuffer> | undefined;

/** Writes a whole text. Waits while the stream is full; false if its reader is gone. Throws FileError. */
async function writeAll(
  calls: RuntimeCalls,
  { stream, text }: { readonly stream: "stdout" | "stderr"; readonly text: string },
): Promise<boolean> {
  const encoder = new TextEncoder();
  if (text.length < LONG) return await writeBytes(calls, { stream, bytes: encoder.encode(text) });
  const piece = spare ?? new Uint8Array(PIECE);
  spare = undefined;
  try {
    for (let at = 0; at < text.length;) {
      const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), piece);
      at += read;
      const bytes = piece.subarray(0, written);
      if (!await writeBytes(calls, { stream, bytes })) return false;
    }
    return true;
  } finally {
    spare = piece;
  }
}

async function writeBytes(
  calls: RuntimeCalls,
  { stream, bytes }: { readonly stream: "stdout" | "stderr"; readonly bytes: Uint8Array },
): Promise<boolean> {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += calls.writeSome(stream, bytes.subarray(written));
    } catch (error) {
      switch (codeOf(error)) {
        case "EPIPE":
        case "EOF":
          return false;
        case "EINTR":
          break;
        case "EAGAIN":
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          break;
        default:
          throw fileError(error, { path: stream, verb: "write" });
      }
    }
  }
  return true;
}
