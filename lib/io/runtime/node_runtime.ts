import { reading } from "./file_fault.ts";
import { linksBy } from "./node_links.ts";
import type { Runtime } from "./runtime.ts";
import { firstBytes, type RuntimeCalls, runtimeMethods } from "./runtime_calls.ts";

type Files = typeof import("node:fs");

/**
 * Bun or Node as a Runtime. Loads no module of theirs but `node:fs` before it is needed: `node:tty` and the stream of standard
 * input take longer than a decision.
 */
export async function nodeRuntime(): Promise<Runtime> {
  const files = await loadFiles();
  const calls = callsOf(files);
  return {
    ...runtimeMethods(calls),
    name: BUN === undefined ? "node" : "bun",
    platform: calls.platform,
    env: (name) => process.env[name],
    cwd: () => reading(".", () => process.cwd()),
    async keys() {
      const { openKeys } = await import("./terminal_keys.ts");
      return openKeys();
    },
    isTerminal: (stream) => isTerminal(stream, files),
    columns: () => process.stdout.columns || process.stderr.columns || 80,
    exit: (status) => process.exit(status),
  };
}

const NUMBERS = { stdin: 0, stdout: 1, stderr: 2 } as const;

/** The part of Bun that is needed. */
interface BunCalls {
  readonly stdin: { stream(): AsyncIterable<Uint8Array> };
}

const { Bun: BUN } = globalThis as { readonly Bun?: BunCalls };

/**
 * The calls of `node:fs`. Node makes all that the module has for an import of it, streams among them; from 20.16 on there is another
 * way, which is the slower one in Bun.
 */
async function loadFiles(): Promise<Files> {
  const own = BUN === undefined ? process.getBuiltinModule?.("node:fs") : undefined;
  return own ?? await import("node:fs");
}

/** True if a stream is a terminal. Most are the null device, or no device of characters, so that `node:tty` is loaded for few. */
function isTerminal(stream: keyof typeof NUMBERS, { fstatSync, statSync }: Files): boolean {
  try {
    const stats = fstatSync(NUMBERS[stream]);
    if (!stats.isCharacterDevice() || stats.rdev === statSync("/dev/null").rdev) return false;
  } catch {
    // Not swallowed: a stream without stats, such as a console of Windows, is asked in another way.
  }
  const tty = process.getBuiltinModule?.("node:tty");
  return tty === undefined ? process[stream].isTTY : tty.isatty(NUMBERS[stream]);
}

function callsOf(files: Files): RuntimeCalls {
  const { closeSync, fstatSync, openSync, readSync, writeSync } = files;
  return {
    ...linksBy(files),
    stat(path) {
      const stats = files.statSync(path, { throwIfNoEntry: false });
      return stats && {
        isFile: stats.isFile(),
        isDirectory: stats.isDirectory(),
        size: stats.size,
      };
    },
    lstat(path) {
      const stats = files.lstatSync(path, { throwIfNoEntry: false });
      return stats && { isLink: stats.isSymbolicLink() };
    },
    changeOf(path) {
      const { dev, ino, ctimeMs, uid, mode } = files.statSync(path);
      return { mark: [dev, ino, ctimeMs], uid, mode };
    },
    readFile: (path) => files.readFileSync(path),
    readFirst(path, most) {
      const file = openSync(path, "r");
      try {
        const { size } = fstatSync(file);
        return firstBytes(most, { size, read: (into) => readSync(file, into) });
      } finally {
        closeSync(file);
      }
    },
    readFolder: (path) =>
      files.readdirSync(path, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "folder" : "other",
      })),
    makeFolders: (path) => files.mkdirSync(path, { recursive: true, mode: 0o700 }),
    openAppend: (path) => openAppend(path, files),
    writeSome: (stream, bytes) => writeSync(NUMBERS[stream], bytes),
    stdin: () => BUN === undefined ? process.stdin : BUN.stdin.stream(),
  };
}

function openAppend(
  path: string,
  { openSync, writeSync, fstatSync, closeSync }: Files,
): ReturnType<RuntimeCalls["openAppend"]> {
  const file = openSync(path, "a", 0o600);
  return {
    write: (bytes) => writeSync(file, bytes),
    stats() {
      const { size, nlink, mode } = fstatSync(file);
      return { size, names: nlink, mode: process.platform === "win32" ? 0 : mode };
    },
    close: () => closeSync(file),
  };
}
