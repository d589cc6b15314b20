/** Why a file could not be read or written. */
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
  /** Why. */
  readonly fault: FileFault;

  /** A bundle holds this class once in each of its files, and an error of one of them is one in the other. */
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

/** What stands at a path, links followed. */
export type FileKind = "file" | "directory" | "other";

/** What is typed, while nobody else reads it. */
export interface Keys {
  /** The bytes that were typed next; undefined at the end of input. At most one call is under way. */
  read(): Promise<Uint8Array | undefined>;
  /** Gives the terminal back as it was, and with it what is typed from then on. */
  close(): void;
}

/** Everything that caliban asks of the machine, one implementation per runtime; all paths absolute. */
export interface Runtime {
  /** The runtime's name. */
  readonly name: "deno" | "bun" | "node";
  /** The platform. */
  readonly platform: "linux" | "darwin" | "windows";
  /** An environment variable; undefined when it is not set. Throws FileError `missing-flag` without --allow-env. */
  env(name: string): string | undefined;
  /** The current directory. */
  cwd(): string;
  /** The time now, in ms since 1970-01-01T00:00Z. */
  now(): number;
  /** A file's text, UTF-8 checked strictly, a byte order mark kept. Throws FileError; `too-large` above 64 MiB. */
  readText(path: string): string;
  /** Whether a link stands there, or anything else: links are not followed. Throws FileError when that cannot be told. */
  isThere(path: string): boolean;
  /**
   * Appends text in one write, so that of processes that append at once none loses what another wrote, and answers the
   * file's size in bytes. Makes the file (mode 0600) and its folders (0700) when they are missing, and writes again where
   * the file was removed meanwhile. Throws FileError, `not-a-file` for what is no regular file.
   */
  append(path: string, text: string): Promise<number>;
  /** What stands there; undefined when nothing does. Throws FileError when that cannot be told. */
  stat(path: string): FileKind | undefined;
  /**
   * The path with every link followed, as the kernel would open it (dots resolved after links); for what does not exist
   * yet that of its nearest existing ancestor, plus the rest. Null when the look-up fails otherwise.
   */
  realPath(path: string): string | null;
  /** Hexadecimal SHA-256 of the text's UTF-8 bytes. */
  sha256(text: string): Promise<string>;
  /** Standard input as it comes, in chunks. */
  stdin(): AsyncIterable<Uint8Array>;
  /**
   * What is typed on standard input, which must be a terminal, key by key until it is closed: nothing is echoed, and
   * Ctrl-C is a key. Throws FileError when the terminal cannot be set so.
   */
  keys(): Promise<Keys>;
  /** Whether a stream is a terminal. */
  isTerminal(stream: "stdin" | "stdout" | "stderr"): boolean;
  /** The terminal's width in columns; 80 when unknown. */
  columns(): number;
  /** Writes all of the text and waits until the stream takes more. A closed pipe is not an error: false says so. Throws FileError. */
  write(stream: "stdout" | "stderr", text: string): Promise<boolean>;
  /** Ends the process with that status as soon as nothing is left to be done; what is still being read does not hold it up. */
  exit(status: number): void;
}
