import type { Located } from "../model/place.ts";
import type { Notice, Settings, SourceEntry } from "../model/source_entry.ts";
import { isUntrusted, sourceAt, usableFile } from "./entry_text.ts";
import { ignored, untrusted } from "./notices.ts";

/** The `[shell] wrappers` that count, and what did not count. */
export interface MergedWrappers {
  /** Those of the highest source first, each once. */
  readonly wrappers: Settings["wrappers"];
  /** What did not count. */
  readonly notices: readonly Notice[];
}

/** Adds up the wrappers of all entries, which stand highest first. A wrapper allows a program, as an allow rule does. */
export function mergeWrappers(
  entries: readonly SourceEntry[],
  { managedOnly }: Pick<Settings, "managedOnly">,
): MergedWrappers {
  const wrappers = new Set<string>();
  const notices: Notice[] = [];
  for (const entry of entries) {
    const written = usableFile(entry)?.settings.wrappers;
    if (written === undefined || written.value.length === 0) continue;
    const notice = wrappersObjection(entry, { written, managedOnly });
    if (notice !== undefined) notices.push(notice);
    else for (const { value } of written.value) wrappers.add(value);
  }
  return { wrappers: [...wrappers], notices };
}

function wrappersObjection(
  entry: SourceEntry,
  { written, managedOnly }: { written: Located<unknown>; managedOnly: boolean },
): Notice | undefined {
  const source = sourceAt(entry, written.span);
  const what = "the [shell] wrappers";
  if (managedOnly && entry.kind !== "managed") {
    return ignored(what, { source, why: "a managed file sets managed_only" });
  }
  return isUntrusted(entry) ? untrusted(what, source) : undefined;
}
