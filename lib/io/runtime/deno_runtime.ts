import { faultOf, reading } from "./file_fault.ts";
import { FileError, type Keys, type Runtime } from "./runtime.ts";
import { firstBytes, type RuntimeCalls, runtimeMethods } from "./runtime_calls.ts";

/** Deno as a Runtime, by its own and the web's calls only: any `node:` module would double the start-up time. */
export function denoRuntime(): Runtime {
  return {
    ...runtimeMethods(calls),
    name: "deno",
    platform: calls.platform,
    env: readEnv,
    cwd: () => reading(".", () => Deno.cwd()),
    keys,
    isTerminal: (stream) => Deno[stream].isTerminal(),
    columns,
    exit,
  };
}

// The bundle loads this file under every runtime, so nothing of Deno is touched before denoRuntime() is called.
const calls: RuntimeCalls = {
  get platform() {
    return platformOf(Deno.build.os);
  },
  realPath: (path) => Deno.realPathSync(path),
  readLink: (path) => Deno.readLinkSync(path),
  stat: (path) => Deno.statSync(path),
  lstat: (path) => ({ isLink: Deno.lstatSync(path).isSymlink }),
  changeOf(path) {
    const { dev, ino, ctime, uid, mode } = Deno.statSync(path);
    return { mark: [dev, ino, ctime?.getTime() ?? null], uid, mode };
  },
  readFile: (path) => Deno.readFileSync(path),
  readFirst(path, most) {
    const file = Deno.openSync(path);
    try {
      return firstBytes(most, {
        size: file.statSync().size,
        read: (into) => file.readSync(into) ?? 0,
      });
    } finally {
      file.close();
    }
  },
  *readFolder(path) {
    for (const { name, isSymlink, isDirectory } of Deno.readDirSync(path)) {
      yield { name, kind: isSymlink ? "link" : isDirectory ? "folder" : "other" };
    }
  },
  makeFolders: (path) => Deno.mkdirSync(path, { recursive: true, mode: 0o700 }),
  openAppend(path) {
    const file = Deno.openSync(path, { append: true, create: true, mode: 0o600 });
    return {
      write: (bytes) => file.writeSync(bytes),
      stats() {
        const { size, nlink, mode } = file.statSync();
        return { size, names: nlink ?? 1, mode: Deno.build.os === "windows" ? 0 : mode ?? 0 };
      },
      close: () => file.close(),
    };
  },
  writeSome: (stream, bytes) => Deno[stream].writeSync(bytes),
  stdin,
};

/** The bytes of the first chunk of standard input, and the most: a chunk that was filled is followed by one of twice the size. */
const FIRST_CHUNK = 65_536;
const MOST_CHUNK = 524_288;

/** Standard input, read by calls: Deno loads its streams for `Deno.stdin.readable`. */
async function* stdin(): AsyncIterable<Uint8Array> {
  stdinIsOpen = true;
  for (let size = FIRST_CHUNK;;) {
    const bytes = new Uint8Array(size);
    const count = await Deno.stdin.read(bytes);
    if (count === null) return;
    yield bytes.subarray(0, count);
    if (count === size) size = Math.min(size * 2, MOST_CHUNK);
  }
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

let stdinIsOpen = false;

/**
 * Deno keeps the compiled code for the next start only if a program ends by itself. A pending read would prevent that, and
 * the exit handler of the lock's library would turn an error's status into 0.
 */
function exit(status: number): void {
  if (stdinIsOpen || status > 2) Deno.exit(status);
  Deno.exitCode = status;
}

async function keys(): Promise<Keys> {
  const { openKeys } = await import("./terminal_keys.ts");
  return openKeys();
}

function columns(): number {
  // Deno throws if none of the streams is a terminal.
  const shown = Deno.stdout.isTerminal() || Deno.stderr.isTerminal() || Deno.stdin.isTerminal();
  return shown ? Deno.consoleSize().columns || 80 : 80;
}
