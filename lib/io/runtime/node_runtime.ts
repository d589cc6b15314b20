import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
  writeSync,
} from "node:fs";
import process from "node:process";
import { isatty } from "node:tty";
import { reading } from "./file_fault.ts";
import type { LinkCalls } from "./real_path.ts";
import type { Runtime } from "./runtime.ts";
import { firstBytes, type RuntimeCalls, runtimeMethods } from "./runtime_calls.ts";
import { openKeys } from "./terminal_keys.ts";

export { openKeys } from "./terminal_keys.ts";

/** Bun or Node (from 22.18) as a Runtime. */
export function nodeRuntime(): Runtime {
  return {
    ...runtimeMethods(calls),
    name: process.versions["bun"] === undefined ? "node" : "bun",
    platform: links.platform,
    env: (name) => process.env[name],
    cwd: () => reading(".", () => process.cwd()),
    // As under Deno, a failure is a rejection.
    keys: () => new Promise((resolve) => resolve(openKeys())),
    isTerminal: (stream) => isatty(NUMBERS[stream]),
    columns: () => process.stdout.columns || process.stderr.columns || 80,
    exit: (status) => process.exit(status),
  };
}

const NUMBERS = { stdin: 0, stdout: 1, stderr: 2 } as const;

/** The calls with which Bun, Node and Deno's Node layer follow links. */
export const links: LinkCalls = {
  platform: platformOf(process.platform),
  realPath: (path) => realpathSync.native(path),
  readLink: (path) => readlinkSync(path),
};

const calls: RuntimeCalls = {
  ...links,
  stat(path) {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats && { isFile: stats.isFile(), isDirectory: stats.isDirectory(), size: stats.size };
  },
  lstat(path) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats && { isLink: stats.isSymbolicLink() };
  },
  readFile: (path) => readFileSync(path),
  readFirst(path, most) {
    const file = openSync(path, "r");
    try {
      return firstBytes(most, { size: fstatSync(file).size, read: (into) => readSync(file, into) });
    } finally {
      closeSync(file);
    }
  },
  readFolder: (path) =>
    readdirSync(path, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      kind: entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "folder" : "other",
    })),
  makeFolders: (path) => mkdirSync(path, { recursive: true, mode: 0o700 }),
  openAppend(path) {
    const file = openSync(path, "a", 0o600);
    return {
      write: (bytes) => writeSync(file, bytes),
      stats() {
        const { size, nlink, mode } = fstatSync(file);
        return { size, names: nlink, mode: process.platform === "win32" ? 0 : mode };
      },
      close: () => closeSync(file),
    };
  },
  writeSome: (stream, bytes) => writeSync(NUMBERS[stream], bytes),
  stdin: () => process.stdin,
};

function platformOf(os: string): Runtime["platform"] {
  if (os === "win32") return "windows";
  return os === "darwin" ? "darwin" : "linux";
}
