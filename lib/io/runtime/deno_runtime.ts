import type { AppendCalls } from "../audit/append_by.ts";
import { faultOf, fileError } from "./file_fault.ts";
import { decodeText, requireReadable } from "./file_text.ts";
import { type LinkCalls, realPathBy, withoutDots } from "./real_path.ts";
import { FileError, type FileKind, type Keys, type Runtime } from "./runtime.ts";
import { sha256 } from "./sha256.ts";
import { writeAll } from "./write_all.ts";

/** Deno as a Runtime, by its own and the web's calls only: any `node:` module would double the start-up time. */
export function denoRuntime(): Runtime {
  return {
    name: "deno",
    platform: links.platform,
    env: readEnv,
    cwd: () => reading(".", () => Deno.cwd()),
    now: () => Date.now(),
    readText,
    append,
    stat,
    realPath: (path) => realPathBy(links, path),
    sha256,
    stdin: readStdin,
    keys,
    isTerminal: (stream) => Deno[stream].isTerminal(),
    columns,
    isThere,
    exit,
    write(stream, text) {
      const write = (bytes: Uint8Array) => Deno[stream].writeSync(bytes);
      return writeAll(new TextEncoder().encode(text), { name: stream, write });
    },
  };
}

// The bundle loads this file under every runtime, so nothing of Deno is touched before denoRuntime() is called.
const links: LinkCalls = {
  get platform() {
    return platformOf(Deno.build.os);
  },
  realPath: (path) => Deno.realPathSync(path),
  readLink: (path) => Deno.readLinkSync(path),
};

const appendCalls: AppendCalls = {
  get platform() {
    return links.platform;
  },
  stat,
  makeFolders: (path) => Deno.mkdirSync(path, { recursive: true, mode: 0o700 }),
  open(path) {
    const file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
    return {
      write: (bytes) => file.writeSync(bytes),
      facts() {
        const { size, nlink } = file.statSync();
        return { size, names: nlink ?? 1 };
      },
      close: () => file.close(),
    };
  },
};

async function append(path: string, text: string): Promise<number> {
  // Loaded here because it is of no use to a decision.
  const { appendBy } = await import("../audit/append_by.ts");
  return appendBy(appendCalls, path, text);
}

function platformOf(os: typeof Deno.build.os): Runtime["platform"] {
  return os === "windows" || os === "darwin" ? os : "linux";
}

function readEnv(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch (cause) {
    const message = `Cannot read the environment variable "${name}": run with --allow-env`;
    throw new FileError(message, { path: name, fault: faultOf(cause), cause });
  }
}

function readText(path: string): string {
  return reading(path, () => {
    const about = { path, verb: "read" } as const;
    const opened = withoutDots(links, path);
    requireReadable(Deno.statSync(opened), about);
    return decodeText(Deno.readFileSync(opened), about);
  });
}

function stat(path: string): FileKind | undefined {
  try {
    const { isFile, isDirectory } = Deno.statSync(withoutDots(links, path));
    if (isFile) return "file";
    return isDirectory ? "directory" : "other";
  } catch (error) {
    if (faultOf(error) === "not-found") return undefined;
    throw fileError(error, { path, verb: "read" });
  }
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(withoutDots(links, path));
    return true;
  } catch (error) {
    if (faultOf(error) === "not-found") return false;
    throw fileError(error, { path, verb: "read" });
  }
}

/**
 * Deno keeps the compiled code for the next start only when a program ends by itself; a pending read would hold it up, and
 * what the lock's library does at the end would make 0 of an error's status.
 */
function exit(status: number): void {
  if (stdinIsOpen || status > 2) Deno.exit(status);
  Deno.exitCode = status;
}

let stdinIsOpen = false;

async function* readStdin(): AsyncIterable<Uint8Array> {
  stdinIsOpen = true;
  try {
    yield* Deno.stdin.readable;
  } catch (error) {
    throw fileError(error, { path: "standard input", verb: "read" });
  }
}

async function keys(): Promise<Keys> {
  const { openKeys } = await import("./terminal_keys.ts");
  return openKeys();
}

function columns(): number {
  // Asking for the size of what is no terminal throws.
  const shown = Deno.stdout.isTerminal() || Deno.stderr.isTerminal() || Deno.stdin.isTerminal();
  return shown ? Deno.consoleSize().columns || 80 : 80;
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}
