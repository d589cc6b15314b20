import { createReadStream, statSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { fileError, notAFile } from "./file_fault.ts";

/** Options of `fileChunks`. */
export interface ChunkOptions {
  /** Called with the number of bytes of the file itself that were read since the last call. */
  readonly onRead?: (bytes: number) => void;
}

/** A file's bytes in chunks, unpacked where its name ends in `.gz`; any length. Throws FileError. */
export async function* fileChunks(
  path: string,
  { onRead = () => {} }: ChunkOptions = {},
): AsyncIterable<Uint8Array> {
  try {
    const file = createReadStream(path, { highWaterMark: 1 << 18 });
    let reported = 0;
    for await (const chunk of path.endsWith(".gz") ? unpacked(file) : file) {
      onRead(file.bytesRead - reported);
      reported = file.bytesRead;
      yield chunk;
    }
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}

/** A file's bytes, unpacked. */
export function unpacked(file: Readable): Readable {
  const gunzip = createGunzip();
  // Errors are thrown by the reader of the last stream.
  pipeline(file, gunzip, () => {});
  return gunzip;
}

/** A regular file's size in bytes; opening anything else could block. Throws FileError. */
export function fileSize(path: string): number {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw notAFile(path, "read");
    return stats.size;
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}
