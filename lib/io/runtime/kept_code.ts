/** A text that Node compiles, and the file that keeps the code of it. */
export interface KeptText {
  /** A script in ASCII. */
  readonly bytes: Buffer;
  /** The name of the script in stack traces. */
  readonly name: string;
  /** The folder (absolute) for compiled code, which is its user's alone (`compile_cache.ts`). */
  readonly folder: string;
}

/**
 * The bytes of the head of a file of kept code: the lengths of the text and of the code, as numbers of 32 bits. Behind it come the text, the code, and
 * the code again.
 */
const HEAD_BYTES = 8;

/** The files of kept code in a folder: each update of caliban leaves one behind. */
const MOST_FILES = 6;
const KEPT = /^hot-[\w.-]+\.code(?:\.\d+)?$/;

/**
 * The most CPU time, in µs, of a run whose code is kept. A longer one, of many calls, has compiled far more than a decision needs, and
 * to load that takes longer than to compile what is missing.
 */
const MOST_TIME = 1_000_000;

/** Bits of a mode that let others than the owner do anything. */
const BY_OTHERS = 0o077;

/** The bytes of a file that are compared at a time: a larger buffer costs more than the comparison. */
const PIECE = 131_072;

/** The most bytes of code: that of the bundle has one million. */
const MOST_CODE = 16_777_216;

/** The most bytes of a text that its file is named by. */
const SAMPLES = 256;

/**
 * Runs a script that is compiled from its text, or taken from the code that an earlier run kept; what is compiled anew is kept at the
 * end of a short process. Node checks that the code is of its own version and flags, and of a text as long; that the text is the same and the code is
 * whole is checked here, by a copy of each: a checksum would need `node:zlib`, and that loads all streams. Throws what the script throws.
 */
export function runKept(text: KeptText): unknown {
  const { Script } = process.getBuiltinModule("node:vm");
  const path = `${text.folder}/hot-${process.version}-${process.arch}-${nameOf(text.bytes)}.code`;
  const kept = readKept(path, text.bytes);
  const script = new Script(text.bytes.toString("latin1"), {
    filename: text.name,
    ...(kept !== undefined && { cachedData: kept }),
  });
  if (kept === undefined || script.cachedDataRejected === true) {
    // Behind the run the code has all functions that it called.
    process.on("exit", () => {
      if (process.cpuUsage().user > MOST_TIME) return;
      keep(path, { text, code: () => script.createCachedData() });
    });
  }
  return script.runInThisContext();
}

/** The code in a file; undefined if it is missing, somebody else's, of another text, or damaged. */
function readKept(path: string, text: Uint8Array): Uint8Array | undefined {
  const { closeSync, constants, fstatSync, openSync } = filesOf();
  let file: number | undefined;
  try {
    // A pipe in the place of the file would be waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    const isOwn = stats.uid === process.getuid!() && (stats.mode & BY_OTHERS) === 0;
    if (!isOwn || !stats.isFile() || stats.nlink !== 1) return undefined;
    const head = nextBytes(file, HEAD_BYTES);
    const [textLength, codeLength] = [head.readUInt32LE(0), head.readUInt32LE(4)];
    const isWhole = codeLength > 0 && codeLength <= MOST_CODE &&
      stats.size === HEAD_BYTES + textLength + 2 * codeLength;
    if (!isWhole || textLength !== text.length || !goesOnWith(file, text)) return undefined;
    const code = nextBytes(file, codeLength);
    return goesOnWith(file, code) ? code : undefined;
  } catch {
    // Not swallowed: a start without kept code is slower, and decides the same.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The next bytes of an open file. Throws Error where it has fewer. */
function nextBytes(file: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const count = filesOf().readSync(file, bytes, at, length - at, null);
    if (count === 0) throw new Error("the file has fewer bytes");
    at += count;
  }
  return bytes;
}

/** True if the next bytes of an open file are these. */
function goesOnWith(file: number, bytes: Uint8Array): boolean {
  const { readSync } = filesOf();
  const piece = Buffer.allocUnsafe(PIECE);
  for (let at = 0; at < bytes.length;) {
    const count = readSync(file, piece, 0, Math.min(PIECE, bytes.length - at), null);
    if (count === 0 || !piece.subarray(0, count).equals(bytes.subarray(at, at + count))) {
      return false;
    }
    at += count;
  }
  return true;
}

/** Writes the code into its file, in one step. Never throws. */
function keep(
  path: string,
  { text, code }: { readonly text: KeptText; readonly code: () => Uint8Array },
): void {
  const { renameSync, rmSync, writeFileSync } = filesOf();
  const temporary = `${path}.${process.pid}`;
  try {
    const bytes = code();
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(text.bytes.length, 0);
    head.writeUInt32LE(bytes.length, 4);
    const whole = Buffer.concat([head, text.bytes, bytes, bytes]);
    try {
      writeFileSync(temporary, whole, { mode: 0o600, flag: "wx" });
      renameSync(temporary, path);
    } catch {
      rmSync(temporary, { force: true });
    }
    removeOldest(text.folder);
  } catch {
    // Not swallowed: a start without kept code is slower, and decides the same.
  }
}

/** Leaves the latest files of kept code. */
function removeOldest(folder: string): void {
  const { readdirSync, rmSync, statSync } = filesOf();
  const paths = readdirSync(folder).filter((name) => KEPT.test(name))
    .map((name) => `${folder}/${name}`);
  const byAge = paths.map((path) => ({ path, time: statSync(path).mtimeMs }))
    .toSorted((one, other) => other.time - one.time);
  for (const { path } of byAge.slice(MOST_FILES)) rmSync(path, { force: true });
}

function filesOf(): typeof import("node:fs") {
  return process.getBuiltinModule("node:fs");
}

/**
 * A name of eight digits for a text and the flags of this process, because V8 refuses code that was compiled under other flags. Two texts may share a
 * name; the later one then replaces the file.
 */
function nameOf(bytes: Buffer): string {
  const step = Math.ceil(bytes.length / SAMPLES);
  let hash = bytes.length;
  const add = (code: number) => void (hash = Math.imul(hash, 31) + code >>> 0);
  for (let at = 0; at < bytes.length; at += step) add(bytes[at]!);
  const flags = [process.env["NODE_OPTIONS"], ...process.execArgv].join(" ");
  for (let at = 0; at < flags.length; at++) add(flags.charCodeAt(at));
  return hash.toString(16).padStart(8, "0");
}
