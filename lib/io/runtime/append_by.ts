import { pathStyle } from "../../policy/sources/path_style.ts";
import { fileError, isNotFound, notAFile } from "./file_fault.ts";
import { FileError, type Runtime } from "./runtime.ts";
import type { RuntimeCalls } from "./runtime_calls.ts";

/** A file that was opened for appending. */
export interface AppendedFile {
  /** Writes some of the bytes at the file's current end, and returns how many. */
  write(bytes: Uint8Array): number;
  /** The file's size in bytes, the number of its names (none once it was removed), and its mode; 0 where there are no modes. */
  stats(): { readonly size: number; readonly names: number; readonly mode: number };
  /** Closes it. */
  close(): void;
}

/** The calls for appending. */
export type AppendCalls =
  & Pick<RuntimeCalls, "platform" | "openAppend" | "makeFolders">
  & Pick<Runtime, "stat">;

/** The most attempts to write a line whose file is removed each time. */
const ATTEMPTS = 5;

/** `Runtime.append` by a runtime's own calls. */
export function appendBy(calls: AppendCalls, path: string, text: string): number {
  try {
    const kind = calls.stat(path);
    // Opening a FIFO would wait for its reader.
    if (kind !== undefined && kind !== "file") throw notAFile(path, "write");
    const bytes = new TextEncoder().encode(text);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const size = written(opened(calls, path), { path, bytes });
      if (size !== undefined) return size;
    }
  } catch (error) {
    // `stat` reports its failures as those of reading.
    const cause = error instanceof FileError ? error.cause ?? error : error;
    throw fileError(cause, { path, verb: "write" });
  }
  const message = `Cannot write "${path}": another process removes it again and again`;
  throw new FileError(message, { path, fault: "other" });
}

function opened(calls: AppendCalls, path: string): AppendedFile {
  try {
    return calls.openAppend(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const style = pathStyle(calls.platform);
    const { root, segments } = style.split(path);
    calls.makeFolders(style.build({ root, segments: segments.slice(0, -1) }));
    return calls.openAppend(path);
  }
}

/** The bits of a mode that let others than the owner read, write or run a file. */
const OTHERS = 0o077;

/** The file's size after the bytes were written, in one call unless the disk is full; undefined if it was removed. */
function written(
  file: AppendedFile,
  { path, bytes }: { readonly path: string; readonly bytes: Uint8Array },
): number | undefined {
  try {
    const { mode } = file.stats();
    if ((mode & OTHERS) !== 0) throw notPrivate(path, mode);
    for (let at = 0; at < bytes.length;) at += file.write(bytes.subarray(at));
    const { size, names } = file.stats();
    return names === 0 ? undefined : size;
  } finally {
    file.close();
  }
}

function notPrivate(path: string, mode: number): FileError {
  const octal = (mode & 0o777).toString(8).padStart(4, "0");
  const message = `Cannot write "${path}": others can read or change it (mode ${octal}); ` +
    `"chmod 600 ${path}" makes it yours alone`;
  return new FileError(message, { path, fault: "other" });
}
