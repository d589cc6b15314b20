import { pathStyle } from "./path_style.ts";
import { LOCAL_FILE, POLICY_FOLDER, PROJECT_FILE, type Surroundings } from "./source.ts";
import { userFolder } from "./source_order.ts";

/** The name of a file of hooks, in the workspace's policy folder and in the user's. */
export const HOOKS_FILE = "hooks.json";

/** The files of a workspace that need trust, relative to it, `/` between segments. */
export const TRUST_FILES: readonly string[] = [
  PROJECT_FILE,
  LOCAL_FILE,
  "auto-mode.toml",
  HOOKS_FILE,
]
  .map((name) => `${POLICY_FOLDER}/${name}`);

/** The files of one workspace that a person trusted. */
export interface TrustedWorkspace {
  /** Hexadecimal SHA-256 by the file's path relative to the workspace; only of files that were there. */
  readonly files: ReadonlyMap<string, string>;
  /** The time, as RFC 3339. */
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
 * True if the files of a workspace (by its real path) are exactly those that were trusted: none changed, added or removed,
 * since a removed file may be the one that denied.
 */
export function isTrusted(
  record: TrustRecord,
  { workspace, hashes }: { workspace: string; hashes: ReadonlyMap<string, string> },
): boolean {
  const files = record.get(workspace)?.files;
  if (files === undefined || files.size !== hashes.size) return false;
  return [...hashes].every(([path, hash]) => files.get(path) === hash);
}

const HASH = /^[0-9a-f]{64}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/**
 * Reads the text of a trust record. Strict, since what is read here loosens: throws SyntaxError for anything that
 * `formatTrust` would not write.
 */
export function parseTrust(text: string): TrustRecord {
  const { version, workspaces } = membersOf(JSON.parse(text), {
    what: "the record",
    keys: ["version", "workspaces"],
  });
  if (version !== 1) throw new SyntaxError(`the version is ${JSON.stringify(version)}, not 1`);
  return new Map(
    Object.entries(objectOf(workspaces, '"workspaces"'))
      .map(([path, value]) => [path, trustedWorkspace(value, path)]),
  );
}

function trustedWorkspace(value: unknown, path: string): TrustedWorkspace {
  const what = `the workspace "${path}"`;
  const { files, at } = membersOf(value, { what, keys: ["files", "at"] });
  if (typeof at !== "string" || !TIME.test(at)) {
    throw new SyntaxError(`${what} has no time in "at"`);
  }
  const hashes = Object.entries(objectOf(files, `"files" of ${what}`));
  return { files: new Map(hashes.map(([file, hash]) => [file, hashOf(hash, file)])), at };
}

function hashOf(value: unknown, file: string): string {
  if (typeof value === "string" && HASH.test(value)) return value;
  throw new SyntaxError(`the hash of "${file}" is not 64 hexadecimal digits`);
}

function membersOf(
  value: unknown,
  { what, keys }: { what: string; keys: readonly string[] },
): Readonly<Record<string, unknown>> {
  const members = objectOf(value, what);
  const unknown = Object.keys(members).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new SyntaxError(`${what} has an unknown key "${unknown}"`);
  return members;
}

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SyntaxError(`${what} is not an object`);
  }
  return { ...value };
}
