import type { SourceKind } from "../../model/source.ts";
import type { PolicyFile } from "../../model/settings.ts";
import type { SourceEntry } from "../../model/source_entry.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { SOURCES } from "../../policy/sources/registry.ts";
import type { Place, Surroundings } from "../../policy/sources/source.ts";
import { isDangling } from "../runtime/dangling.ts";
import { notFound } from "../runtime/file_fault.ts";
import { collecting } from "./load_error.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** What the places of all sources hold. */
export interface ReadPlaces {
  /** One entry a place, highest first, those that could not be read left out; what files say is not decoded yet. */
  readonly entries: readonly SourceEntry[];
  /** The text of each file that was read, by its path, a byte order mark kept. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why the others could not be read. */
  readonly errors: readonly FileError[];
}

/**
 * Reads every place of every source; workspace files are not trusted yet. Throws SourceError when the environment does
 * not say where a source stands.
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

/** The entries with what their texts say; those without a text stay as they are. */
export async function decodeEntries(
  entries: readonly SourceEntry[],
): Promise<readonly SourceEntry[]> {
  return await Promise.all(entries.map(async (entry) => {
    return entry.text === undefined ? entry : { ...entry, file: await decodeText(entry.text) };
  }));
}

/** Decoders are loaded for texts only, and the full one, whose parser is slow to start, for those that need it. */
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
      const text = readPlace(place, reading.runtime);
      if (text === undefined) return { ...base, state: "absent" };
      reading.texts.set(place.path, text);
      const shown = text.startsWith("\ufeff") ? text.slice(1) : text;
      return { ...base, state: "read", text: shown };
    }
  }
}

/** The file's text; undefined when nothing stands there and nobody named it. */
function readPlace(
  { path, named }: { path: string; named: boolean },
  runtime: Runtime,
): string | undefined {
  const isThere = runtime.isThere(path);
  if (isThere && runtime.stat(path) !== undefined) return runtime.readText(path);
  if (isThere || isDangling(runtime, path)) {
    const message = `Cannot read "${path}": it is or goes through a link that leads nowhere`;
    throw new FileError(message, { path, fault: named ? "not-found" : "other" });
  }
  if (named) throw notFound(path, "read");
  return undefined;
}
