import {
  closeSync,
  createWriteStream,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { rotatedAt, rotatedName, rotatedNames } from "../../audit/audit_place.ts";
import { fileError } from "../runtime/file_fault.ts";
import { ifThere, isSame, lstatOf, removeIfThere } from "../runtime/file_calls.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** Options of `rotateAudit`. */
export interface RotateOptions {
  /** The machine. */
  readonly runtime: Runtime;
  /** The size in bytes from which a log is full. */
  readonly full: number;
}

/** The age from which a full log that is no archive belongs to a dead process, in ms. */
const DEAD_AFTER = 10 * 60_000;

/** The name of an unfinished archive. */
const HALF_DONE = /^audit-\d{8}T\d{9}Z-[0-9a-f]{8}\.jsonl\.gz\.[0-9a-f]{8}\.tmp$/;

const CHUNK = 1 << 20;

/**
 * Rotates a full audit log into an archive beside it, and archives logs that dead processes left. Without a lock: a log can
 * be renamed only once, and processes that rotate a log and its successor make one archive too many and lose nothing.
 * Follows no link: a log that is a link stays as it is. Throws FileError.
 */
export async function rotateAudit(path: string, { runtime, full }: RotateOptions): Promise<void> {
  try {
    const folder = dirname(path);
    const now = runtime.now();
    const left = rotatedNames(readdirSync(folder)).filter((name) =>
      name.endsWith(".jsonl") && rotatedAt(name) < now - DEAD_AFTER
    );
    removeDead(folder, now);
    const own = sizeOf(path) < full ? undefined : putAside(path, now);
    for (const name of own === undefined ? left : [own, ...left]) {
      await archive(join(folder, name), { path, runtime });
    }
  } catch (error) {
    throw fileError(error, { path, verb: "write" });
  }
}

/** Removes the unfinished archives of dead processes. */
function removeDead(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    if (!HALF_DONE.test(name)) continue;
    const path = join(folder, name);
    const stats = lstatOf(path);
    if (stats?.isFile() && stats.mtimeMs < now - DEAD_AFTER) removeIfThere(path);
  }
}

/** Renames the log and returns its new name; the next line makes a new log. Undefined if another process did. */
function putAside(path: string, time: number): string | undefined {
  const name = rotatedName({ time, id: crypto.randomUUID().slice(0, 8) });
  return ifThere(() => {
    renameSync(path, join(dirname(path), name));
    return name;
  });
}

/**
 * Archives a renamed log. A writer may have opened it before and write only now, so the log is read to its end after its last
 * name is removed; a later writer notices that and writes its line again.
 */
async function archive(
  full: string,
  { path, runtime }: { readonly path: string; readonly runtime: Runtime },
): Promise<void> {
  // Anything else with an archive's name is not caliban's.
  if (lstatOf(`${full}.gz`)?.isFile() === false) return;
  const file = openedIfThere(full);
  if (file === undefined) return;
  const temporary = `${full}.gz.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    const size = await compress(file, temporary);
    renameSync(temporary, `${full}.gz`);
    removeIfThere(full);
    const late = readFrom(file, size);
    if (late.length > 0) await runtime.append(path, new TextDecoder().decode(late));
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Writes the file's bytes as gzip (RFC 1952) and returns their number. */
async function compress(file: number, target: string): Promise<number> {
  let size = 0;
  function* chunks(): Iterable<Uint8Array> {
    while (true) {
      const bytes = new Uint8Array(CHUNK);
      const count = readSync(file, bytes, 0, CHUNK, size);
      if (count === 0) return;
      size += count;
      yield bytes.subarray(0, count);
    }
  }
  const output = createWriteStream(target, { flags: "wx", mode: 0o600 });
  await pipeline(Readable.from(chunks(), { objectMode: true }), createGzip(), output);
  const written = openSync(target, "r+");
  try {
    fsyncSync(written);
  } finally {
    closeSync(written);
  }
  return size;
}

function readFrom(file: number, start: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, fstatSync(file).size - start));
  const count = bytes.length === 0 ? 0 : readSync(file, bytes, 0, bytes.length, start);
  return bytes.subarray(0, count);
}

/** The size of a regular file; 0 for anything else, a link too. */
function sizeOf(path: string): number {
  const stats = lstatOf(path);
  return stats?.isFile() ? stats.size : 0;
}

/** A regular file, opened; undefined for anything else, even if it was replaced meanwhile. */
function openedIfThere(path: string): number | undefined {
  const stats = lstatOf(path);
  if (!stats?.isFile()) return undefined;
  const file = ifThere(() => openSync(path, "r"));
  if (file === undefined) return undefined;
  if (isSame(stats, fstatSync(file))) return file;
  closeSync(file);
  return undefined;
}
