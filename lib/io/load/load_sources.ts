import type { MergedSources, SourceEntry } from "../../model/source_entry.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { type MergeOptions, mergeSources } from "../../policy/sources/merge.ts";
import type { SourceOptions, Surroundings } from "../../policy/sources/source.ts";
import { isTrusted, trustPath } from "../../policy/sources/trust.ts";
import { type FactsOptions, findFacts, type PolicyFacts } from "./find_facts.ts";
import { collecting, LoadError } from "./load_error.ts";
import { decodeEntries, readPlaces } from "./read_places.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { hashTrustFiles, readTrust } from "./trust_files.ts";

/** What loading must be told. */
export interface LoadOptions extends FactsOptions, MergeOptions, Partial<SourceOptions> {
  /** `recorded`: the workspace is trusted as `caliban trust` recorded it (the default); `given`: by `--trust`. */
  readonly trust?: "recorded" | "given";
}

/** All sources together, and where they were found. */
export interface LoadedSources extends PolicyFacts {
  /** What the sources say. */
  readonly merged: MergedSources;
}

/**
 * Reads and merges all sources. Throws LoadError with every file that could not be read, and SourceError when the
 * environment does not say where a source stands; what is wrong inside a file is among `merged.problems`.
 */
export async function loadSources(runtime: Runtime, options: LoadOptions): Promise<LoadedSources> {
  const facts = required(() => findFacts(runtime, options));
  const surroundings = surroundingsOf(runtime, { facts, options });
  const { entries: read, texts, errors } = required(() => readPlaces(runtime, surroundings));
  if (errors.length > 0) throw new LoadError(errors);
  const entries = (await decodeEntries(read)).map((entry) => entryAbove(entry, facts));
  const merged = mergeSources(entries, options);
  // Most workspaces have nothing that trust is about; then the record is not read.
  const matters = merged.notices.some(({ id }) => id === "untrusted");
  if (!matters) return { ...facts, merged };
  const trusted = options.trust === "given" ||
    await isRecorded(runtime, { surroundings, facts, texts });
  return { ...facts, merged: trusted ? mergeSources(entries.map(trustedEntry), options) : merged };
}

function surroundingsOf(
  runtime: Runtime,
  { facts, options }: { facts: PolicyFacts; options: LoadOptions },
): Surroundings {
  const { platform, workspace, cwd, home } = facts;
  const { cli = [], rules = [], session = [], command = [], off = [] } = options;
  const env = (name: string) => runtime.env(name);
  return { platform, workspace, cwd, home, env, options: { cli, rules, session, command, off } };
}

/** The entry with the repository that its folder is above, if it is a file of the workspace. */
function entryAbove(entry: SourceEntry, { repository }: PolicyFacts): SourceEntry {
  const concerned = repository !== undefined && isWorkspaceFile(entry.kind);
  return concerned ? { ...entry, repository } : entry;
}

function trustedEntry(entry: SourceEntry): SourceEntry {
  return isWorkspaceFile(entry.kind) ? { ...entry, trusted: true } : entry;
}

interface Recorded {
  readonly surroundings: Surroundings;
  readonly facts: PolicyFacts;
  readonly texts: ReadonlyMap<string, string>;
}

async function isRecorded(runtime: Runtime, recorded: Recorded): Promise<boolean> {
  const path = trustPath(recorded.surroundings);
  if (path === undefined) return false;
  const { workspace, workspaceReal } = recorded.facts;
  try {
    const record = readTrust(runtime, path);
    if (!record.has(workspaceReal)) return false;
    const hashes = await hashTrustFiles(runtime, { workspace, texts: recorded.texts });
    return isTrusted(record, { workspace: workspaceReal, hashes });
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
