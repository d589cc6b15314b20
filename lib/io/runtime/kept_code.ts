/** A text that Node compiles, and the file that keeps the code of it. */
export interface KeptText {
  /** A script of ASCII. */
  readonly script: string;
  /** The checksum of what the script was made of (`checksumOf`). */
  readonly sum: number;
  /** The name of the script in stack traces. */
  readonly name: string;
  /** The folder (absolute) for compiled code, which is its user's alone (`compile_cache.ts`). */
  readonly folder: string;
}

/** The content of a file of kept code: this many numbers of 32 bits, then the code. */
const HEAD = 4;
const HEAD_BYTES = HEAD * 4;

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

/** CRC-32 of some bytes; undefined where Node cannot tell. */
export function checksumOf(bytes: Uint8Array): number | undefined {
  return (process.getBuiltinModule("node:zlib") as Partial<typeof import("node:zlib")>)
    .crc32?.(bytes);
}

/**
 * Runs a script that is compiled from its text, or taken from the code that an earlier run kept; what is compiled anew is kept at the
 * end of a short process. Node checks that the code is of its own version and flags, and of a text as long; that the text and the code are
 * the same is checked here. Throws what the script throws.
 */
export function runKept(text: KeptText): unknown {
  const { Script } = process.getBuiltinModule("node:vm");
  const path = `${text.folder}/hot-${process.version}-${process.arch}-${hex(text.sum)}.code`;
  const kept = readKept(path, text);
  const script = new Script(text.script, {
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
function readKept(path: string, text: KeptText): Uint8Array | undefined {
  const { closeSync, constants, fstatSync, openSync, readFileSync } = filesOf();
  let file: number | undefined;
  try {
    // A pipe in the place of the file would be waited for.
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(file);
    const isOwn = stats.uid === process.getuid!() && (stats.mode & BY_OTHERS) === 0;
    if (!isOwn || !stats.isFile() || stats.nlink !== 1) return undefined;
    const bytes = readFileSync(file);
    const code = bytes.subarray(HEAD_BYTES);
    const head = headOf(text, code);
    const isSame = head?.every((number, index) => bytes.readUInt32LE(index * 4) === number);
    return isSame === true ? code : undefined;
  } catch {
    // Not swallowed: a start without kept code is slower, and decides the same.
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The numbers that tell of which text a code is, and that it is whole. */
function headOf({ script, sum }: KeptText, code: Uint8Array): readonly number[] | undefined {
  const own = checksumOf(code);
  return own === undefined ? undefined : [script.length, sum, code.length, own];
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
    const head = headOf(text, bytes);
    if (head === undefined) return;
    const whole = Buffer.alloc(HEAD_BYTES + bytes.length);
    head.forEach((number, index) => whole.writeUInt32LE(number, index * 4));
    whole.set(bytes, HEAD_BYTES);
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

function hex(number: number): string {
  return number.toString(16).padStart(8, "0");
}
