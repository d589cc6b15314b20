import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { rotatedAt, rotatedNames } from "../../audit/audit_place.ts";
import { fileError, isNotFound, notAFile } from "../runtime/file_fault.ts";

/** Which part of the log is read. */
export interface ReadAuditOptions {
  /** Full logs without an entry of that time or later are passed over; ms since 1970-01-01T00:00Z. */
  readonly since?: number;
  /** Whether the reader waits for new lines at the end, or is done. */
  readonly end: "wait" | "stop";
}

/** How long a reader sleeps that waits, in ms. */
const PAUSE = 200;

/** What clocks and slow writers may make a full log's newest entry younger than its name, in ms. */
const SLACK = 60_000;

const CHUNK = 1 << 16;
const NEWLINE = new Uint8Array([0x0a]);

/**
 * The bytes of the audit log in chunks, oldest first: the full logs beside it, archives unpacked, then the one in use, also
 * while other processes write and rotate it. Each log ends in a newline. Throws FileError.
 */
export async function* readAuditLog(
  path: string,
  options: ReadAuditOptions,
): AsyncIterable<Uint8Array> {
  // Opened first, so that a log that is put away meanwhile is not missed.
  let file = opened(path);
  try {
    yield* fullLogs(path, { file, since: options.since ?? -Infinity });
    while (true) {
      yield* rest(path, file);
      const next = followerOf(path, file);
      if (next !== undefined) {
        // What was written between the last look and the change of names.
        yield* rest(path, file);
        yield NEWLINE;
        close(file);
        file = next;
      } else if (options.end === "stop") return;
      else await new Promise((go) => setTimeout(go, PAUSE));
    }
  } finally {
    close(file);
  }
}

/** A log that is read up to a place. */
interface OpenLog {
  /** Its number; undefined while there is none. */
  readonly number: number | undefined;
  /** Bytes that were read. */
  at: number;
}

function opened(path: string): OpenLog {
  try {
    // Opening a FIFO would wait for its writer.
    if (!statSync(path).isFile()) throw notAFile(path, "read");
    return { number: openSync(path, "r"), at: 0 };
  } catch (error) {
    if (isNotFound(error)) return { number: undefined, at: 0 };
    throw fileError(error, { path, verb: "read" });
  }
}

function close({ number }: OpenLog): void {
  if (number !== undefined) closeSync(number);
}

async function* fullLogs(
  path: string,
  { file, since }: { readonly file: OpenLog; readonly since: number },
): AsyncIterable<Uint8Array> {
  const folder = dirname(path);
  for (const name of rotatedNames(namesIn(folder))) {
    const full = join(folder, name);
    if (rotatedAt(name) + SLACK < since || isSame(full, file)) continue;
    yield* fullLog(full);
    yield NEWLINE;
  }
}

async function* fullLog(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* path.endsWith(".gz") ? unpacked(path) : createReadStream(path);
  } catch (error) {
    // It was made an archive after its folder was read; then nothing of it was read yet.
    if (isNotFound(error) && !path.endsWith(".gz")) yield* fullLog(`${path}.gz`);
    else throw fileError(error, { path, verb: "read" });
  }
}

function unpacked(path: string): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip();
  // What fails is thrown by whoever reads the last stream.
  pipeline(createReadStream(path), gunzip, () => {});
  return gunzip;
}

/** What is there of a log and was not read yet. */
function* rest(path: string, file: OpenLog): Iterable<Uint8Array> {
  if (file.number === undefined) return;
  if (fstatSync(file.number).size < file.at) file.at = 0; // Somebody emptied it.
  while (true) {
    const bytes = new Uint8Array(CHUNK);
    const count = read(path, { file, bytes });
    if (count === 0) return;
    file.at += count;
    yield bytes.subarray(0, count);
  }
}

function read(path: string, { file, bytes }: { file: OpenLog; bytes: Uint8Array }): number {
  try {
    return readSync(file.number ?? -1, bytes, 0, bytes.length, file.at);
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}

/** The log that has taken another's place; undefined while none has. */
function followerOf(path: string, file: OpenLog): OpenLog | undefined {
  if (isSame(path, file)) return undefined;
  const next = opened(path);
  return next.number === undefined ? undefined : next;
}

function isSame(path: string, { number }: OpenLog): boolean {
  if (number === undefined) return false;
  try {
    const [one, other] = [statSync(path), fstatSync(number)];
    return one.ino === other.ino && one.dev === other.dev;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw fileError(error, { path, verb: "read" });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw fileError(error, { path: folder, verb: "read" });
  }
}
