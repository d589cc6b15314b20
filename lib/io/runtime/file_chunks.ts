import { createReadStream, statSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { fileError, notAFile } from "./file_fault.ts";

/** What is told of a file while it is read. */
export interface ChunkOptions {
  /** Told how many bytes of the file itself were read since it was told last. */
  readonly onRead?: (bytes: number) => void;
}

/** A file's bytes in chunks, unpacked where its name ends in `.gz`; any length. Throws FileError. */
export async function* fileChunks(
  path: string,
  { onRead = () => {} }: ChunkOptions = {},
): AsyncIterable<Uint8Array> {
  try {
    const file = createReadStream(path, { highWaterMark: 1 << 18 });
    let told = 0;
    for await (const chunk of path.endsWith(".gz") ? unpacked(file) : file) {
      onRead(file.bytesRead - told);
      told = file.bytesRead;
      yield chunk;
    }
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}

function unpacked(file: Readable): Readable {
  const gunzip = createGunzip();
  // What fails is thrown by whoever reads the last stream.
  pipeline(file, gunzip, () => {});
  return gunzip;
}

/** A regular file's size in bytes; opening anything else could wait for ever. Throws FileError. */
export function fileSize(path: string): number {
  try {
    const facts = statSync(path);
    if (!facts.isFile()) throw notAFile(path, "read");
    return facts.size;
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}
