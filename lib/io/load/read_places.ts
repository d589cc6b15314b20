import type { SourceKind } from "../../model/call.ts";
import type { PolicyFile, SourceEntry } from "../../model/rule.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { SOURCES } from "../../policy/sources/source_order.ts";
import type { Place, Surroundings } from "../../policy/sources/source.ts";
import { isDangling } from "../runtime/real_path.ts";
import { deadLink, notFound } from "../runtime/file_fault.ts";
import { collecting, type FileError, type Runtime } from "../runtime/runtime.ts";

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
export function readPlaces(runtime: Runtime, surroundings: Surroundings): ReadPlaces {
  const errors: FileError[] = [];
  const texts = new Map<string, string>();
  const entries = SOURCES.flatMap(({ kind, places }) => {
    return places(surroundings).flatMap((place) => {
      return collecting(errors, () => entryAt(place, { kind, runtime, texts })) ?? [];
    });
  });
  return { entries, texts, errors };
}

/** The entries with their texts decoded; those without a text stay as they are. */
export async function decodeEntries(
  entries: readonly SourceEntry[],
): Promise<readonly SourceEntry[]> {
  return await Promise.all(entries.map(async (entry) => {
    return entry.text === undefined ? entry : { ...entry, file: await decodeText(entry.text) };
  }));
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
      if (text === undefined) return { ...base, state: "absent" };
      reading.texts.set(place.path, text);
      const shown = text.startsWith("\ufeff") ? text.slice(1) : text;
      return { ...base, state: "read", text: shown };
    }
  }
}

/** Reads a file; undefined if it is missing, unless it was named by the user. Throws FileError, also for a dead link. */
export function readPlace(
  runtime: Runtime,
  { path, named }: { readonly path: string; readonly named: boolean },
): string | undefined {
  const isThere = runtime.isThere(path);
  if (isThere && runtime.stat(path) !== undefined) return runtime.readText(path);
  if (isThere || isDangling(runtime, path)) throw deadLink(path, named ? "not-found" : "other");
  if (named) throw notFound(path, "read");
  return undefined;
}
