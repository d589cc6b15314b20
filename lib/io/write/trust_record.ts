import { dirname, join } from "node:path";
import { TRUST_FILES, type TrustRecord } from "../../policy/sources/trust.ts";
import { formatTrust, withTrusted } from "../../policy/sources/trust_edit.ts";
import type { PolicyLocation } from "../load/policy_location.ts";
import {
  hashesOf,
  isOwnRecord,
  isThere,
  readTrust,
  recordPathOf,
  trustFilePath,
  trustOf,
} from "../load/trust_files.ts";
import { lstatOf, namesIn, removeIfThere } from "../runtime/file_calls.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { editFile, type FileChange } from "./edit_file.ts";

/** Only the person reads their record and the texts beside it. */
const OWN = { within: null, newFolders: 5, mode: 0o600 } as const;

/** The folder beside the record in which the trusted texts are kept, each under its SHA-256. */
const TEXTS = "trusted";

const HASH = /^[0-9a-f]{64}$/;

/** A text that no record names is kept for so long: another process may be about to record it. */
const SPARED_MS = 60_000;

/** The texts of a workspace's files that need trust, by their path in it; a byte order mark kept. Throws FileError. */
export function readTrustFiles(runtime: Runtime, workspace: string): ReadonlyMap<string, string> {
  return new Map(TRUST_FILES.flatMap((file) => {
    const path = trustFilePath(file, { runtime, workspace });
    return isThere(runtime, path) ? [[file, runtime.readText(path)] as const] : [];
  }));
}

/** Edits the trust record at a path. Throws FileError if it cannot be read or written. */
export async function editTrust(
  path: string,
  change: (record: TrustRecord) => TrustRecord,
): Promise<void> {
  let record: TrustRecord = new Map();
  await editFile(path, (text) => {
    record = change(text === undefined ? new Map() : trustOf(text, path));
    return formatTrust(record);
  }, OWN);
  removeUnnamed(path, record);
}

/**
 * Records a workspace as trusted with exactly these texts, by their path in it, and keeps the texts, for a later comparison.
 * Throws FileError.
 */
export async function recordTrust(
  runtime: Runtime,
  { path, workspace, texts }: {
    /** The record. */
    readonly path: string;
    /** The workspace's real path. */
    readonly workspace: string;
    readonly texts: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const files = await hashesOf(runtime, texts);
  const at = new Date(runtime.now()).toISOString();
  await editTrust(path, (record) => withTrusted(record, { workspace, trusted: { files, at } }));
  for (const [file, text] of texts) await keepText(path, { hash: files.get(file)!, text });
}

/** The texts that a workspace was trusted with; undefined if one of them is not kept, or was changed. Throws FileError. */
export async function trustedTexts(
  runtime: Runtime,
  { path, files }: { readonly path: string; readonly files: ReadonlyMap<string, string> },
): Promise<ReadonlyMap<string, string> | undefined> {
  const texts = new Map<string, string>();
  for (const [file, hash] of files) {
    const kept = join(dirname(path), TEXTS, hash);
    if (runtime.stat(kept) !== "file") return undefined;
    const text = runtime.readText(kept);
    if (await runtime.sha256(text) !== hash) return undefined;
    texts.set(file, text);
  }
  return texts;
}

/** A policy file that its user has written, to be called under its lock. */
interface OwnChange extends FileChange {
  readonly location: PolicyLocation;
  /** The file's absolute path. */
  readonly path: string;
}

/**
 * Keeps the trust of a workspace whose user has changed one of its files, and gives it to one that had no policy before. A
 * file that was not trusted as it stood stays so. Returns what a person must know, one sentence without a full stop;
 * never throws FileError, since the file is written by now.
 */
export async function keepTrust(
  runtime: Runtime,
  { location, path, before, after }: OwnChange,
): Promise<string | undefined> {
  const { workspace, workspaceReal } = location;
  const own = TRUST_FILES.find((file) => trustFilePath(file, { runtime, workspace }) === path);
  if (own === undefined) return undefined;
  try {
    const isFirst = before === undefined &&
      TRUST_FILES.every((file) =>
        file === own || !runtime.isThere(trustFilePath(file, { runtime, workspace }))
      );
    const record = recordPathOf(runtime, location);
    if (record !== undefined && isOwnRecord(runtime, { path: record, location })) return undefined;
    if (record === undefined) {
      return isFirst
        ? "the home folder is unknown, so nothing in the workspace is trusted"
        : undefined;
    }
    if (isFirst) {
      await recordTrust(runtime, {
        path: record,
        workspace: workspaceReal,
        texts: new Map([[own, after]]),
      });
      return undefined;
    }
    const [old, now] = [
      before === undefined ? undefined : await runtime.sha256(before),
      await runtime.sha256(after),
    ];
    const isOld = (trust: TrustRecord) => {
      const files = trust.get(workspaceReal)?.files;
      return files !== undefined && files.get(own) === old;
    };
    if (!isOld(readTrust(runtime, record))) return undefined;
    const at = new Date(runtime.now()).toISOString();
    await editTrust(record, (trust) => {
      if (!isOld(trust)) return trust;
      const files = new Map([...trust.get(workspaceReal)!.files, [own, now] as const]);
      return withTrusted(trust, { workspace: workspaceReal, trusted: { files, at } });
    });
    await keepText(record, { hash: now, text: after });
    return undefined;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return `trust the workspace again with "caliban trust": ${error.message}`;
  }
}

async function keepText(
  record: string,
  { hash, text }: { readonly hash: string; readonly text: string },
): Promise<void> {
  try {
    await editFile(join(dirname(record), TEXTS, hash), () => text, OWN);
  } catch (error) {
    // The workspace is trusted by now; a later comparison finds no text and says so.
    if (!(error instanceof FileError)) throw error;
  }
}

/** Removes kept texts that no record names any more. */
function removeUnnamed(path: string, record: TrustRecord): void {
  const folder = join(dirname(path), TEXTS);
  if (lstatOf(folder)?.isDirectory() !== true) return;
  const named = new Set([...record.values()].flatMap(({ files }) => [...files.values()]));
  for (const name of namesIn(folder)) {
    if (!HASH.test(name) || named.has(name)) continue;
    const stats = lstatOf(join(folder, name));
    const isOld = stats?.isFile() && Math.abs(Date.now() - stats.mtimeMs) > SPARED_MS;
    if (isOld) removeIfThere(join(folder, name));
  }
}
