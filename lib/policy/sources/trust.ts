import { pathStyle } from "./path_style.ts";
import type { Surroundings } from "./source.ts";
import { userFolder } from "./user_folder.ts";
import { LOCAL_FILE, POLICY_FOLDER, PROJECT_FILE } from "./workspace.ts";

/** The files of a workspace that trust is about, relative to it, `/` between segments. */
export const TRUST_FILES: readonly string[] = [PROJECT_FILE, LOCAL_FILE, "auto-mode.toml"]
  .map((name) => `${POLICY_FOLDER}/${name}`);

/** What a person trusted in one workspace. */
export interface TrustedWorkspace {
  /** Hexadecimal SHA-256 by the file's path relative to the workspace; only of files that were there. */
  readonly files: ReadonlyMap<string, string>;
  /** When, as RFC 3339. */
  readonly at: string;
}

/** The workspaces that a person trusted, by real path. */
export type TrustRecord = ReadonlyMap<string, TrustedWorkspace>;

/** Absolute path of the record; undefined when the environment names no folder for it. */
export function trustPath(surroundings: Surroundings): string | undefined {
  const folder = surroundings.platform === "windows"
    ? userFolder(surroundings, { variable: "LOCALAPPDATA", below: ["AppData", "Local"] })
    : userFolder(surroundings, { variable: "XDG_STATE_HOME", below: [".local", "state"] });
  return folder && pathStyle(surroundings.platform).join(folder, "trust.json");
}

/**
 * Whether the files of a workspace (by its real path) are exactly those that were trusted: none changed, none more and
 * none less, since a file taken away may be the one that denied.
 */
export function isTrusted(
  record: TrustRecord,
  { workspace, hashes }: { workspace: string; hashes: ReadonlyMap<string, string> },
): boolean {
  const files = record.get(workspace)?.files;
  if (files === undefined || files.size !== hashes.size) return false;
  return [...hashes].every(([path, hash]) => files.get(path) === hash);
}

/** The record with one workspace's files trusted as they now are, in place of what was recorded for it. */
export function withTrusted(
  record: TrustRecord,
  { workspace, trusted }: { workspace: string; trusted: TrustedWorkspace },
): TrustRecord {
  return new Map([...record, [workspace, trusted]]);
}

/** The record without a workspace. */
export function withoutTrusted(record: TrustRecord, workspace: string): TrustRecord {
  return new Map([...record].filter(([path]) => path !== workspace));
}
