import {
  closeSync,
  createWriteStream,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { rotatedAt, rotatedName, rotatedNames } from "../../audit/audit_place.ts";
import { fileError, isNotFound } from "../runtime/file_fault.ts";
import { isSame, lstatOf } from "../write/lstat_of.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** What rotating must be told. */
export interface RotateOptions {
  /** The machine. */
  readonly runtime: Runtime;
  /** The size in bytes from which a log is full. */
  readonly full: number;
}

/** A full log that is no archive after this time belongs to a process that died, in ms. */
const DEAD_AFTER = 10 * 60_000;

/** An archive that is not done yet. */
const HALF_DONE = /^audit-\d{8}T\d{9}Z-[0-9a-f]{8}\.jsonl\.gz\.[0-9a-f]{8}\.tmp$/;

const CHUNK = 1 << 20;

/**
 * Puts a full audit log away, as an archive beside it, and those that processes left which died at it. Without a lock: a
 * rename can only happen to a log once, and processes that do it to a log and to the one that has just taken its place
 * make one archive too many and lose nothing. No link is followed: a log that is one stays as it is. Throws FileError.
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

/** Removes the archives that processes left half done which died at it. */
function removeDead(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    if (!HALF_DONE.test(name)) continue;
    const path = join(folder, name);
    const facts = lstatOf(path);
    if (facts?.isFile() && facts.mtimeMs < now - DEAD_AFTER) removeIfThere(path);
  }
}

/** Gives the log another name, which it answers; the next line makes a new one. Undefined where another process did. */
function putAside(path: string, time: number): string | undefined {
  const name = rotatedName({ time, id: crypto.randomUUID().slice(0, 8) });
  try {
    renameSync(path, join(dirname(path), name));
    return name;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/**
 * Makes an archive of a log that was put aside. A writer may have opened it before and write only now, so nothing of it is
 * given up before it has no name any more: such a writer then finds that out, and writes its line again.
 */
async function archive(
  full: string,
  { path, runtime }: { readonly path: string; readonly runtime: Runtime },
): Promise<void> {
  // What has an archive's name and is none, is somebody's.
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

/** Writes the file's bytes as gzip (RFC 1952) and answers how many they were. */
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
  const facts = lstatOf(path);
  return facts?.isFile() ? facts.size : 0;
}

/** A regular file, opened; undefined for anything else, also when it has become that meanwhile. */
function openedIfThere(path: string): number | undefined {
  const facts = lstatOf(path);
  if (!facts?.isFile()) return undefined;
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  if (isSame(facts, fstatSync(file))) return file;
  closeSync(file);
  return undefined;
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
