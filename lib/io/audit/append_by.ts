import { pathStyle } from "../../policy/sources/path_style.ts";
import { fileError, isNotFound, notAFile } from "../runtime/file_fault.ts";
import { FileError, type FileKind, type Runtime } from "../runtime/runtime.ts";

/** A file that was opened to be appended to. */
export interface AppendedFile {
  /** Writes some of the bytes at the file's end, wherever that is by then, and answers how many. */
  write(bytes: Uint8Array): number;
  /** The file's size in bytes, and how many names it has: none once it was removed. */
  facts(): { readonly size: number; readonly names: number };
  /** Closes it. */
  close(): void;
}

/** The calls with which a runtime appends; they throw the runtime's own errors. */
export interface AppendCalls {
  /** The platform. */
  readonly platform: Runtime["platform"];
  /** What stands there, links followed; undefined when nothing does. */
  stat(path: string): FileKind | undefined;
  /** Opens a file with O_APPEND, made with mode 0600 when it is missing. */
  open(path: string): AppendedFile;
  /** Makes a folder and those above it, with mode 0700. */
  makeFolders(path: string): void;
}

/** How often a line is written again whose file was removed meanwhile. */
const ATTEMPTS = 5;

/** `Runtime.append` by a runtime's own calls. */
export function appendBy(calls: AppendCalls, path: string, text: string): number {
  try {
    const kind = calls.stat(path);
    // Opening a FIFO would wait for its reader.
    if (kind !== undefined && kind !== "file") throw notAFile(path, "write");
    const bytes = new TextEncoder().encode(text);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const size = written(opened(calls, path), bytes);
      if (size !== undefined) return size;
    }
  } catch (error) {
    // Looking at what stands there fails as reading does.
    const cause = error instanceof FileError ? error.cause ?? error : error;
    throw fileError(cause, { path, verb: "write" });
  }
  const message = `Cannot write "${path}": it is removed as often as it is made`;
  throw new FileError(message, { path, fault: "other" });
}

function opened(calls: AppendCalls, path: string): AppendedFile {
  try {
    return calls.open(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const style = pathStyle(calls.platform);
    const { root, segments } = style.split(path);
    calls.makeFolders(style.build({ root, segments: segments.slice(0, -1) }));
    return calls.open(path);
  }
}

/** The file's size after the bytes were written, all in one call unless the disk is full; undefined when it was removed. */
function written(file: AppendedFile, bytes: Uint8Array): number | undefined {
  try {
    for (let at = 0; at < bytes.length;) at += file.write(bytes.subarray(at));
    const { size, names } = file.facts();
    return names === 0 ? undefined : size;
  } finally {
    file.close();
  }
}
