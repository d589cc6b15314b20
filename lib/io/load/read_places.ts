import type { SourceKind } from "../../model/call.ts";
import { errorAt, type Span } from "../../model/problem.ts";
import type { PolicyFile, SourceEntry } from "../../model/rule.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { SOURCES } from "../../policy/sources/source_order.ts";
import { type Place, PROJECT_FILE, type Surroundings } from "../../policy/sources/source.ts";
import { isDangling } from "../runtime/real_path.ts";
import { deadLink, notFound } from "../runtime/file_fault.ts";
import { isLinkedOut, unquotedProblems } from "./linked_out.ts";
import type { PolicyLocation } from "./policy_location.ts";
import { collecting, FileError, type Runtime } from "../runtime/runtime.ts";

/** The contents of all sources' places. */
export interface ReadPlaces {
  /** One entry for each place that could be read, highest first; files are not decoded yet. */
  readonly entries: readonly SourceEntry[];
  /** The text of each file that was read, by its path, a byte order mark kept. */
  readonly texts: ReadonlyMap<string, string>;
  /** The errors of the others. */
  readonly errors: readonly FileError[];
}

/**
 * Reads every place of every source; workspace files are not trusted yet. Throws SourceError if the environment does not
 * define the path of a source.
 */
export function readPlaces(
  runtime: Runtime,
  surroundings: Surroundings,
  location: Pick<PolicyLocation, "workspace" | "workspaceReal">,
): ReadPlaces {
  const errors: FileError[] = [];
  const texts = new Map<string, string>();
  const entries = SOURCES.flatMap(({ kind, places }) => {
    return places(surroundings).flatMap((place) => {
      return collecting(errors, () => entryAt(place, { kind, runtime, texts, location })) ?? [];
    });
  });
  return { entries, texts, errors };
}

/** The entries with their texts decoded; those without a text stay as they are. */
export async function decodeEntries(
  entries: readonly SourceEntry[],
): Promise<readonly SourceEntry[]> {
  return await Promise.all(entries.map(async (entry) => {
    if (entry.text === undefined) return entry;
    const file = await decoded(entry);
    const problems = entry.linkedOut ? unquotedProblems(file.problems) : file.problems;
    return { ...entry, file: { ...file, problems } };
  }));
}

/**
 * The most that a file of a workspace may hold, in characters and rules. Decoding takes one step, which no clock interrupts,
 * and an agent runs a call whose hook is late: so a clone must not make it late.
 */
const WORKSPACE_LIMIT = { characters: 1_048_576, rules: 20_000 } as const;

async function decoded({ kind, text = "" }: SourceEntry): Promise<PolicyFile> {
  if (!isWorkspaceFile(kind)) return await decodeText(text);
  const start = { start: 0, end: 0, line: 1, column: 1 };
  if (text.length > WORKSPACE_LIMIT.characters) return tooLarge("1,048,576 characters", start);
  const file = await decodeText(text);
  const more = file.rules[WORKSPACE_LIMIT.rules];
  return more === undefined ? file : tooLarge("20,000 rules", more.span);
}

/** A file of a workspace that is not read further. */
function tooLarge(limit: string, span: Span): PolicyFile {
  const message = `Cannot read the file: a workspace's file has no more than ${limit}`;
  const problems = [errorAt(span, { id: "too-large", message })];
  return { shape: "none", rules: [], settings: {}, tools: new Map(), problems };
}

/** Decoders are loaded only for texts, and the full one, whose parser is slow to start, only if the fast one fails. */
async function decodeText(text: string): Promise<PolicyFile> {
  const { decodeFast } = await import("../../policy/decode/decode_fast.ts");
  const file = decodeFast(text);
  if (file !== undefined) return file;
  const { decodePolicy } = await import("../../policy/decode/decode_policy.ts");
  return decodePolicy(text);
}

interface Reading {
  readonly kind: SourceKind;
  readonly runtime: Runtime;
  readonly texts: Map<string, string>;
  readonly location: Pick<PolicyLocation, "workspace" | "workspaceReal">;
}

function entryAt(place: Place, reading: Reading): SourceEntry {
  const { kind } = reading;
  const base = { kind, path: place.path, trusted: !isWorkspaceFile(kind) };
  switch (place.kind) {
    case "off":
    case "absent":
      return { ...base, state: place.kind, note: place.note };
    case "rules":
      return { ...base, state: "read", rules: place.rules };
    case "file": {
      const text = readPlace(reading.runtime, place);
      if (text === undefined) {
        if (kind === "project") checkFolder(reading.runtime, place.path);
        return { ...base, state: "absent" };
      }
      reading.texts.set(place.path, text);
      const shown = text.startsWith("\ufeff") ? text.slice(1) : text;
      const linkedOut = isLinkedOut(reading.runtime, place.path, reading.location);
      return { ...base, state: "read", text: shown, ...(linkedOut ? { linkedOut } : {}) };
    }
  }
}

/** Throws FileError if something else has the place of a workspace's policy folder: its rules may have been there. */
function checkFolder(runtime: Runtime, path: string): void {
  const folder = path.slice(0, -`/${PROJECT_FILE}`.length);
  const kind = runtime.stat(folder);
  if (kind === undefined || kind === "directory") return;
  const message =
    `Cannot read "${folder}": it is not a folder, and the workspace's rules belong in it`;
  throw new FileError(message, { path: folder, fault: "not-a-file" });
}

/** Reads a file; undefined if it is missing, unless it was named by the user. Throws FileError, also for a dead link. */
export function readPlace(
  runtime: Runtime,
  { path, named }: { readonly path: string; readonly named: boolean },
): string | undefined {
  if (runtime.stat(path) !== undefined) return runtime.readText(path);
  if (isDangling(runtime, path)) throw deadLink(path, named ? "not-found" : "other");
  if (named) throw notFound(path, "read");
  return undefined;
}
