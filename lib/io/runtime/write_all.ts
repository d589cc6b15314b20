import { codeOf, fileError } from "./file_fault.ts";

const RETRY_MS = 5;

/**
 * Writes all bytes with a synchronous call that may take only some of them and returns how many. Waits while the stream
 * is full; false when its reader is gone. Throws FileError for what fails otherwise.
 */
export async function writeAll(
  bytes: Uint8Array,
  stream: { readonly name: string; readonly write: (bytes: Uint8Array) => number },
): Promise<boolean> {
  let written = 0;
  while (written < bytes.length) {
    try {
      written += stream.write(bytes.subarray(written));
    } catch (error) {
      switch (codeOf(error)) {
        case "EPIPE":
        case "EOF":
          return false;
        case "EINTR":
          break;
        case "EAGAIN":
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          break;
        default:
          throw fileError(error, { path: stream.name, verb: "write" });
      }
    }
  }
  return true;
}
