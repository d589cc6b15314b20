import type { FolderEntry } from "../../pattern/path/shell_glob.ts";
import type { KnownPaths } from "./real_path.ts";

/** An answer that is worked out once for its key, and remembered as long as the looks that it was worked out from. */
export type KeptAnswers = <T>(key: string, workOut: (key: string) => T) => T;

/** The reason why a file could not be read or written. */
export type FileFault =
  | "not-found"
  | "permission"
  | "missing-flag"
  | "not-a-file"
  | "not-utf8"
  | "loop"
  | "too-large"
  | "other";

/** A file could not be read or written. `cause` is the runtime's own error. */
export class FileError extends Error {
  /** The file's path, as it was asked for. */
  readonly path: string;
  /** The reason. */
  readonly fault: FileFault;

  /** Works across the files of a bundle, each of which has its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "FileError" && "fault" in value;
  }

  /** `message` is one sentence without a final full stop. */
  constructor(message: string, options: { path: string; fault: FileFault; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = "FileError";
    this.path = options.path;
    this.fault = options.fault;
  }
}

/** The kind of a path, links followed. */
export type FileKind = "file" | "directory" | "other";

/** The keys of a terminal, for one reader at a time. */
export interface Keys {
  /** The next bytes; undefined at the end of input. Only one call may be pending. */
  read(): Promise<Uint8Array | undefined>;
  /** Restores the terminal. */
  close(): void;
}

/** The machine, as caliban uses it, one implementation per runtime; all paths absolute. */
export interface Runtime {
  readonly name: "deno" | "bun" | "node";
  readonly platform: "linux" | "darwin" | "windows";
  /** An environment variable; undefined when it is not set. Throws FileError `missing-flag` without --allow-env. */
  env(name: string): string | undefined;
  cwd(): string;
  /** The time now, in ms since 1970-01-01T00:00Z. */
  now(): number;
  /**
   * A file's text, UTF-8 checked strictly, a byte order mark kept. Throws FileError; `too-large` above `most` bytes, 64 MiB if left
   * out, of which no more are read, even if the file grows.
   */
  readText(path: string, most?: number): string;
  /** A file's bytes. Throws FileError; `too-large` above 64 MiB. */
  readBytes(path: string): Uint8Array;
  /** True if anything is at the path, a link included; links are not followed. Throws FileError if that is unknown. */
  isThere(path: string): boolean;
  /**
   * Appends text in one write, so that processes that append at once lose nothing, and returns the file's size in bytes.
   * Makes the file (mode 0600) and its folders (0700) if they are missing, and writes again if the file was removed
   * meanwhile. Throws FileError: `not-a-file` for anything but a regular file, `other` for a file that others can read or
   * write.
   */
  append(path: string, text: string): Promise<number>;
  /** The kind of a path; undefined if nothing is there. Throws FileError if that is unknown. */
  stat(path: string): FileKind | undefined;
  /**
   * The path with every link followed, as the kernel would open it (dots resolved after links); for a missing file that of
   * its nearest existing ancestor, plus the rest. Null if the look-up fails otherwise. What `known` holds is taken from it, and what
   * was found is added.
   */
  realPath(path: string, known?: KnownPaths): string | null;
  /**
   * Makes a memory for the answers that one asker works out from looks and from what it alone knows. Left out where no looks are
   * remembered.
   */
  readonly answers?: () => KeptAnswers;
  /**
   * A mark of a folder, links followed, that is another one once a name has come into it or gone from it since. Undefined if that
   * cannot be told: it has changed within the last seconds, others than root may write it, or it cannot be looked at.
   */
  readonly folderMark?: (path: string) => string | undefined;
  /** The entries of a folder, in no order; null if it is not there or cannot be read. */
  listFolder(path: string): readonly FolderEntry[] | null;
  /** Hexadecimal SHA-256 of the text's UTF-8 bytes. */
  sha256(text: string): Promise<string>;
  /** Standard input as it comes, in chunks. */
  stdin(): AsyncIterable<Uint8Array>;
  /**
   * Opens standard input, which must be a terminal, for reading key by key: nothing is echoed, and Ctrl-C is a key. Throws
   * FileError if the terminal cannot be set up.
   */
  keys(): Promise<Keys>;
  /** True if a stream is a terminal. */
  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean;
  /** The terminal's width in columns; 80 when unknown. */
  columns(): number;
  /** Writes all of the text, waiting while the stream is full. Returns false for a closed pipe. Throws FileError. */
  write(stream: "stdout" | "stderr", text: string): Promise<boolean>;
  /** Exits with this status once pending writes finish; pending reads are abandoned. */
  exit(status: number): void;
}

/** Some of the policy's files could not be read. */
export class LoadError extends Error {
  /** The errors, in the order of the sources; never empty. */
  readonly errors: readonly FileError[];

  /** The message is that of all errors, joined by semicolons. */
  constructor(errors: readonly FileError[]) {
    super(errors.map(({ message }) => message).join("; "), { cause: errors[0] });
    this.name = "LoadError";
    this.errors = errors;
  }
}

/** Runs `read` and adds a FileError that it throws to `errors`; other errors are thrown. */
export function collecting<T>(errors: FileError[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    errors.push(error);
    return undefined;
  }
}
