import { type FileVerb, MAX_BYTES, notAFile } from "./file_fault.ts";
import { FileError } from "./runtime.ts";

/** What must be known of a file before it is opened. */
export interface FileFacts {
  /** Whether it is a regular file; anything else could block (FIFO) or never end (device). */
  readonly isFile: boolean;
  /** Its size in bytes. */
  readonly size: number;
}

/** Throws FileError unless it is a regular file of at most 64 MiB. */
export function requireReadable(facts: FileFacts, about: { path: string; verb: FileVerb }): void {
  const { path, verb } = about;
  if (!facts.isFile) throw notAFile(path, verb);
  if (facts.size <= MAX_BYTES) return;
  const message = `Cannot ${verb} "${path}": it is larger than ${MAX_BYTES / 1024 / 1024} MiB`;
  throw new FileError(message, { path, fault: "too-large" });
}

/** The text of a file's bytes, a byte order mark kept; throws FileError `not-utf8`, and `too-large` above 64 MiB. */
export function decodeText(bytes: Uint8Array, about: { path: string; verb: FileVerb }): string {
  // A file can grow after it was measured, and some (in /proc) say 0.
  requireReadable({ isFile: true, size: bytes.byteLength }, about);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const { path, verb } = about;
    const message = `Cannot ${verb} "${path}": it is not UTF-8`;
    throw new FileError(message, { path, fault: "not-utf8", cause });
  }
}
