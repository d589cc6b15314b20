import { pathStyle } from "../../policy/sources/path_style.ts";
import type { Surroundings } from "../../policy/sources/source.ts";
import {
  isTrusted,
  parseTrust,
  TRUST_FILES,
  trustPath,
  type TrustRecord,
} from "../../policy/sources/trust.ts";
import { deadLink } from "../runtime/file_fault.ts";
import { isDangling } from "../runtime/real_path.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import type { PolicyLocation } from "./policy_location.ts";

/** Options of `hashTrustFiles`. */
export interface HashOptions {
  /** The workspace's folder, absolute. */
  readonly workspace: string;
  /** The texts of files that were read already, by absolute path; these are hashed as they were read. */
  readonly texts?: ReadonlyMap<string, string>;
}

/** The SHA-256 of each file of the workspace that needs trust, by its path in it. Throws FileError. */
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

/** The trust record at a path; empty if there is none. Throws FileError if it cannot be read or is malformed. */
function readTrust(runtime: Runtime, path: string): TrustRecord {
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

/** True if the workspace is trusted with these texts, as `caliban trust` recorded it. Throws FileError. */
export async function isTrustRecorded(
  runtime: Runtime,
  { surroundings, location, texts }: {
    readonly surroundings: Surroundings;
    readonly location: PolicyLocation;
    readonly texts: ReadonlyMap<string, string>;
  },
): Promise<boolean> {
  const path = trustPath(surroundings);
  if (path === undefined) return false;
  const { workspace, workspaceReal } = location;
  const record = readTrust(runtime, path);
  if (!record.has(workspaceReal)) return false;
  const hashes = await hashTrustFiles(runtime, { workspace, texts });
  return isTrusted(record, { workspace: workspaceReal, hashes });
}

function isThere(runtime: Runtime, path: string): boolean {
  if (runtime.stat(path) !== undefined) return true;
  if (isDangling(runtime, path)) throw deadLink(path, "not-found");
  return false;
}
