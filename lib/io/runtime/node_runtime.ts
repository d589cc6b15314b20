import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeSync,
} from "node:fs";
import process from "node:process";
import { isatty } from "node:tty";
import type { AppendCalls } from "../audit/append_by.ts";
import { faultOf, fileError, isNotFound } from "./file_fault.ts";
import { decodeText, requireReadable } from "./file_text.ts";
import { type LinkCalls, realPathBy, withoutDots } from "./real_path.ts";
import type { FileKind, Keys, Runtime } from "./runtime.ts";
import { sha256 } from "./sha256.ts";
import { openKeys } from "./terminal_keys.ts";
import { writeAll } from "./write_all.ts";

export { openKeys } from "./terminal_keys.ts";

/** Bun or Node (from 22.18) as a Runtime. */
export function nodeRuntime(): Runtime {
  return {
    name: process.versions["bun"] === undefined ? "node" : "bun",
    platform: links.platform,
    env: (name) => process.env[name],
    cwd: () => reading(".", () => process.cwd()),
    now: () => Date.now(),
    readText,
    append,
    stat,
    realPath: (path) => realPathBy(links, path),
    sha256,
    stdin: readStdin,
    keys,
    isTerminal: (stream) => isatty(NUMBERS[stream]),
    columns: () => process.stdout.columns || process.stderr.columns || 80,
    isThere,
    exit: (status) => process.exit(status),
    write(stream, text) {
      const write = (bytes: Uint8Array) => writeSync(NUMBERS[stream], bytes);
      return writeAll(new TextEncoder().encode(text), { name: stream, write });
    },
  };
}

const NUMBERS = { stdin: 0, stdout: 1, stderr: 2 } as const;

/** The calls with which Bun, Node and Deno's Node layer follow links. */
export const links: LinkCalls = {
  platform: platformOf(process.platform),
  realPath: (path) => realpathSync.native(path),
  readLink: (path) => readlinkSync(path),
};

const appendCalls: AppendCalls = {
  platform: links.platform,
  stat,
  makeFolders: (path) => mkdirSync(path, { recursive: true, mode: 0o700 }),
  open(path) {
    const file = openSync(path, "a", 0o600);
    return {
      write: (bytes) => writeSync(file, bytes),
      facts() {
        const { size, nlink } = fstatSync(file);
        return { size, names: nlink };
      },
      close: () => closeSync(file),
    };
  },
};

// Deno awaits the same; what fails is a rejection in both.
async function keys(): Promise<Keys> {
  return await Promise.resolve(openKeys());
}

async function append(path: string, text: string): Promise<number> {
  // Loaded here because it is of no use to a decision.
  const { appendBy } = await import("../audit/append_by.ts");
  return appendBy(appendCalls, path, text);
}

function platformOf(os: string): Runtime["platform"] {
  if (os === "win32") return "windows";
  return os === "darwin" ? "darwin" : "linux";
}

function isThere(path: string): boolean {
  try {
    lstatSync(withoutDots(links, path));
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw fileError(error, { path, verb: "read" });
  }
}

function readText(path: string): string {
  return reading(path, () => {
    const about = { path, verb: "read" } as const;
    const opened = withoutDots(links, path);
    const facts = statSync(opened);
    requireReadable({ isFile: facts.isFile(), size: facts.size }, about);
    return decodeText(readFileSync(opened), about);
  });
}

function stat(path: string): FileKind | undefined {
  try {
    const facts = statSync(withoutDots(links, path));
    if (facts.isFile()) return "file";
    return facts.isDirectory() ? "directory" : "other";
  } catch (error) {
    if (faultOf(error) === "not-found") return undefined;
    throw fileError(error, { path, verb: "read" });
  }
}

async function* readStdin(): AsyncIterable<Uint8Array> {
  try {
    yield* process.stdin;
  } catch (error) {
    throw fileError(error, { path: "standard input", verb: "read" });
  }
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}
