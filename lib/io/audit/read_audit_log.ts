import { closeSync, createReadStream, fstatSync, openSync, readSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { rotatedAt, rotatedNames } from "../../audit/audit_place.ts";
import { fileError, isNotFound, notAFile, reading } from "../runtime/file_fault.ts";
import { unpacked } from "../runtime/file_chunks.ts";
import { namesIn } from "../runtime/file_calls.ts";

/** The part of the log to read. */
export interface ReadAuditOptions {
  /** Full logs without an entry of this time or later are skipped; ms since 1970-01-01T00:00Z. */
  readonly since?: number;
  /** At the end, `wait` for new lines or `stop`. */
  readonly end: "wait" | "stop";
}

/** The interval at which a waiting reader looks for new lines, in ms. */
const PAUSE = 200;

/** The most that a full log's newest entry may be younger than its name, because of clocks and slow writers, in ms. */
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
  // Opened first, so that a log that is rotated meanwhile is not missed.
  let file = opened(path);
  try {
    yield* fullLogs(path, { file, since: options.since ?? -Infinity });
    while (true) {
      yield* rest(path, file);
      const next = followerOf(path, file);
      if (next !== undefined) {
        // Lines that were written between the last look and the renaming.
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

/** A log that is read up to an offset. */
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
  for (const name of rotatedNames(reading(folder, () => namesIn(folder)))) {
    const full = join(folder, name);
    if (rotatedAt(name) + SLACK < since || isSame(full, file)) continue;
    yield* fullLog(full);
    yield NEWLINE;
  }
}

async function* fullLog(path: string): AsyncIterable<Uint8Array> {
  try {
    const file = createReadStream(path);
    yield* path.endsWith(".gz") ? unpacked(file) : file;
  } catch (error) {
    // It was archived after its folder was read; nothing of it was read yet.
    if (isNotFound(error) && !path.endsWith(".gz")) yield* fullLog(`${path}.gz`);
    else throw fileError(error, { path, verb: "read" });
  }
}

/** The unread rest of a log. */
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
  return reading(path, () => readSync(file.number ?? -1, bytes, 0, bytes.length, file.at));
}

/** The log that has replaced another one; undefined if none has. */
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

/** A longer line is cut, in bytes. */
const LONGEST = 1 << 20;

/**
 * The lines of a text in chunks, without their newlines, each as soon as it is complete; the rest behind the last newline is
 * a line too. Invalid UTF-8 becomes U+FFFD. Keeps one line in memory, at most 1 MiB of it.
 */
export async function* chunkLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    if (size < LONGEST && part.length > 0) parts.push(part.slice(0, LONGEST - size));
    size += part.length;
  };
  const line = () => {
    const text = joined(parts);
    parts = [];
    size = 0;
    return text;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      keep(chunk.subarray(start, end));
      yield line();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (size > 0) yield line();
}

function joined(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const texts = parts.map((part) => decoder.decode(part, { stream: true }));
  return texts.join("") + decoder.decode();
}
