import { pathStyle } from "../../policy/sources/path_style.ts";
import { TRUST_FILES, type TrustRecord } from "../../policy/sources/trust.ts";
import { parseTrust } from "../../policy/sources/trust_text.ts";
import { isDangling } from "../runtime/dangling.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** What hashing a workspace's files must be told. */
export interface HashOptions {
  /** The workspace's folder, absolute. */
  readonly workspace: string;
  /** The text of files that were read already, by absolute path: what was read is what is hashed. */
  readonly texts?: ReadonlyMap<string, string>;
}

/** SHA-256 of each file of the workspace that trust is about and that is there, by its path in it. Throws FileError. */
export async function hashTrustFiles(
  runtime: Runtime,
  { workspace, texts = new Map() }: HashOptions,
): Promise<ReadonlyMap<string, string>> {
  const { join } = pathStyle(runtime.platform);
  const hashes = new Map<string, string>();
  for (const file of TRUST_FILES) {
    const path = join(workspace, ...file.split("/"));
    const text = texts.get(path) ?? (isThere(runtime, path) ? runtime.readText(path) : undefined);
    if (text !== undefined) hashes.set(file, await runtime.sha256(text));
  }
  return hashes;
}

/** The trust record at a path; empty when there is none. Throws FileError when it cannot be read or is malformed. */
export function readTrust(runtime: Runtime, path: string): TrustRecord {
  if (!isThere(runtime, path)) return new Map();
  const text = runtime.readText(path);
  try {
    return parseTrust(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const message = `Cannot read the trust record "${path}": ${cause.message}`;
    throw new FileError(message, { path, fault: "other", cause });
  }
}

function isThere(runtime: Runtime, path: string): boolean {
  if (runtime.stat(path) !== undefined) return true;
  if (!isDangling(runtime, path)) return false;
  const message = `Cannot read "${path}": it is or goes through a link that leads nowhere`;
  throw new FileError(message, { path, fault: "not-found" });
}
