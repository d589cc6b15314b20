import { pathStyle } from "../../policy/sources/path_style.ts";
import { NO_OPTIONS } from "../../policy/sources/source.ts";
import {
  isTrusted,
  parseTrust,
  TRUST_FILES,
  trustPath,
  type TrustRecord,
} from "../../policy/sources/trust.ts";
import { deadLink } from "../runtime/file_fault.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { WORKSPACE_BOUND } from "./read_places.ts";
import { kindAt } from "./load_looks.ts";
import type { PolicyLocation } from "./policy_location.ts";

/** The absolute path of a file that needs trust. */
export function trustFilePath(
  file: string,
  { runtime: { platform }, workspace }: {
    readonly runtime: Pick<Runtime, "platform">;
    readonly workspace: string;
  },
): string {
  return pathStyle(platform).join(workspace, ...file.split("/"));
}

/** The SHA-256 of each text. */
export async function hashesOf(
  runtime: Runtime,
  texts: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const [file, text] of texts) hashes.set(file, await runtime.sha256(text));
  return hashes;
}

/** The trust record's path on this machine; undefined when the environment names no folder for it. */
export function recordPathOf(
  runtime: Runtime,
  { platform, workspace, cwd, home }: PolicyLocation,
): string | undefined {
  const env = (name: string) => runtime.env(name);
  return trustPath({ platform, workspace, cwd, home, env, options: NO_OPTIONS });
}

/** The trust record at a path; empty if there is none. Throws FileError if it cannot be read or is malformed. */
export function readTrust(runtime: Runtime, path: string): TrustRecord {
  return isThere(runtime, path) ? trustOf(runtime.readText(path), path) : new Map();
}

/** The record that a text is. Throws FileError if it is malformed. */
export function trustOf(text: string, path: string): TrustRecord {
  try {
    return parseTrust(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const message = `Cannot read the trust record "${path}": ${cause.message}`;
    throw new FileError(message, { path, fault: "other", cause });
  }
}

/**
 * True if the workspace is trusted in its current state, as `caliban trust` recorded it. `texts` are those that were read
 * already, by absolute path: they are hashed as they were read. Throws FileError.
 */
export async function isTrustRecorded(
  runtime: Runtime,
  { location, texts = new Map() }: {
    readonly location: PolicyLocation;
    readonly texts?: ReadonlyMap<string, string>;
  },
): Promise<boolean> {
  const path = recordPathOf(runtime, location);
  if (path === undefined) return false;
  const { workspace, workspaceReal } = location;
  if (isOwnRecord(runtime, { path, location })) return false;
  const record = readTrust(runtime, path);
  if (!record.has(workspaceReal)) return false;
  const current = TRUST_FILES.flatMap((file) => {
    const at = trustFilePath(file, { runtime, workspace });
    const text = texts.get(at) ??
      (isThere(runtime, at) ? runtime.readText(at, WORKSPACE_BOUND.bytes) : undefined);
    return text === undefined ? [] : [[file, text] as const];
  });
  const hashes = await hashesOf(runtime, new Map(current));
  return isTrusted(record, { workspace: workspaceReal, hashes });
}

/**
 * True if a record stands in the very workspace: a clone could bring it, if a variable for the agent leads there. A workspace
 * that holds the home folder is its user's own.
 */
export function isOwnRecord(
  runtime: Runtime,
  { path, location }: { readonly path: string; readonly location: PolicyLocation },
): boolean {
  const { workspaceReal, homeReal, platform } = location;
  const style = pathStyle(platform);
  const isIn = (inner: string) => {
    const [one, other] = [style.split(inner), style.split(workspaceReal)];
    return one.root === other.root &&
      other.segments.every((segment, index) => segment === one.segments[index]);
  };
  return isIn(runtime.realPath(path) ?? path) && (homeReal === undefined || !isIn(homeReal));
}

/** True if there is a file, links followed. Throws FileError for a dead link. */
export function isThere(runtime: Runtime, path: string): boolean {
  const kind = kindAt(runtime, path);
  if (kind === "dead") throw deadLink(path, "not-found");
  return kind !== undefined;
}
