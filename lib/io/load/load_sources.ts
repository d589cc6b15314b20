import type { MergedSources, SourceEntry } from "../../model/rule.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { type MergeOptions, mergeSources } from "../../policy/sources/merge.ts";
import type { SourceOptions, Surroundings } from "../../policy/sources/source.ts";
import {
  findPolicyLocation,
  type LocationOptions,
  type PolicyLocation,
} from "./policy_location.ts";
import { PolicyFiles, type ReadPlaces, readPlaces } from "./read_places.ts";
import { collecting, FileError, LoadError, type Runtime } from "../runtime/runtime.ts";

/** Options of `loadSources`. */
export interface LoadOptions extends LocationOptions, MergeOptions, Partial<SourceOptions> {
  /** `recorded`: the workspace is trusted as `caliban trust` recorded it (the default); `given`: by `--trust`. */
  readonly trust?: "recorded" | "given";
  /** The files that were read already for the same call, with the bound of them all. */
  readonly files?: PolicyFiles;
}

/** All sources together, and where they were found. */
export interface LoadedSources extends PolicyLocation {
  /** True if the workspace is trusted, by the record or for this run, or has no policy file. */
  readonly isTrusted: boolean;
  /** True if the workspace is trusted for this run (`--trust`), also against the record. */
  readonly isTrustGiven: boolean;
  readonly merged: MergedSources;
}

/**
 * Reads and merges all sources. Throws LoadError with every file that could not be read, and SourceError if the environment
 * does not define the path of a source; problems inside files are in `merged.problems`.
 */
export async function loadSources(runtime: Runtime, options: LoadOptions): Promise<LoadedSources> {
  const { files = new PolicyFiles() } = options;
  const location = required(() => findPolicyLocation(runtime, options));
  const surroundings = surroundingsOf(runtime, { location, options });
  const { entries: read, texts, errors } = required(() =>
    readPlaces(runtime, surroundings, { files })
  );
  if (errors.length > 0) throw new LoadError(errors);
  const isAny = read.some(({ text }) => text !== undefined);
  const reader = isAny ? await import("./policy_texts.ts") : undefined;
  const decoded = await reader?.decodeEntries(read, { runtime, location, files }) ?? read;
  const entries = decoded.map((entry) => entryAbove(entry, location));
  // A workspace without a file has nothing to distrust, and trusts what its user writes.
  const isThere = entries.some(({ kind, state }) => isWorkspaceFile(kind) && state === "read");
  const isTrusted = reader === undefined || !isThere || options.trust === "given" ||
    await isRecorded(runtime, { location, texts, reader });
  const merged = mergeSources(isTrusted ? entries.map(trustedEntry) : entries, options);
  return { ...location, isTrusted, isTrustGiven: options.trust === "given", merged };
}

function surroundingsOf(
  runtime: Runtime,
  { location, options }: { location: PolicyLocation; options: LoadOptions },
): Surroundings {
  const { platform, workspace, cwd, home } = location;
  const { cli = [], rules = [], session = [], command = [], off = [] } = options;
  const env = (name: string) => runtime.env(name);
  return { platform, workspace, cwd, home, env, options: { cli, rules, session, command, off } };
}

/** The entry with the repository that is below its folder, for a file of the workspace. */
function entryAbove(entry: SourceEntry, { repository }: PolicyLocation): SourceEntry {
  const concerned = repository !== undefined && isWorkspaceFile(entry.kind);
  return concerned ? { ...entry, repository } : entry;
}

/** The entry as it counts in a trusted workspace. */
export function trustedEntry(entry: SourceEntry): SourceEntry {
  return isWorkspaceFile(entry.kind) ? { ...entry, trusted: true } : entry;
}

async function isRecorded(
  runtime: Runtime,
  { reader, ...recorded }: Pick<ReadPlaces, "texts"> & {
    readonly location: PolicyLocation;
    readonly reader: Pick<typeof import("./policy_texts.ts"), "isTrustRecorded">;
  },
): Promise<boolean> {
  try {
    return await reader.isTrustRecorded(runtime, recorded);
  } catch (error) {
    throw error instanceof FileError ? new LoadError([error]) : error;
  }
}

function required<T>(read: () => T): T {
  const errors: FileError[] = [];
  const value = collecting(errors, read);
  if (value === undefined) throw new LoadError(errors);
  return value;
}
