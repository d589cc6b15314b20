import type { Located } from "../../model/place.ts";
import type { SourceKind } from "../../model/source.ts";
import type { Notice, SourceEntry } from "../../model/source_entry.ts";
import type { ToolOverride } from "../../model/tool_profile.ts";
import { isUntrusted, isWorkspaceFile, placedRules, sourceAt, usableFile } from "./entry_text.ts";
import type { MergeOptions } from "./merge.ts";
import { hasManaged } from "./merge_settings.ts";
import { ignored, untrusted } from "./notices.ts";

/** The `[tools.NAME]` tables that count, and what did not count. */
export interface MergedTools {
  /** The tables, key by key from the highest source that has the key. */
  readonly tools: ReadonlyMap<string, ToolOverride>;
  /** What did not count. */
  readonly notices: readonly Notice[];
}

/** Merges the `[tools.NAME]` tables of all entries, which stand highest first. */
export function mergeTools(entries: readonly SourceEntry[], options: MergeOptions): MergedTools {
  const tools = new Map<string, ToolOverride>();
  const notices: Notice[] = [];
  const objection = toolObjection(entries, options);
  for (const entry of entries) {
    for (const [name, table] of toolsOf(entry)) {
      const notice = objection(entry, { name, table });
      if (notice === undefined) tools.set(name, { ...table.value, ...tools.get(name) });
      else notices.push(notice);
    }
  }
  return { tools, notices };
}

interface NamedTable {
  readonly name: string;
  readonly table: Located<ToolOverride>;
}

function toolObjection(
  entries: readonly SourceEntry[],
  options: MergeOptions,
): (entry: SourceEntry, named: NamedTable) => Notice | undefined {
  const defaults = new Set(options.defaultTools);
  const managed = hasManaged(entries);
  const fixed = new Set([...defaults, ...namesIn(entries, (kind) => kind === "managed")]);
  const own = new Set([...defaults, ...namesIn(entries, (kind) => !isWorkspaceFile(kind))]);
  return (entry, { name, table }) => {
    const source = sourceAt(entry, table.span);
    const what = `[tools.${name}]`;
    if (managed && entry.kind !== "managed" && fixed.has(name)) {
      return ignored(what, {
        source,
        why: "a managed file or the defaults decide about this tool",
      });
    }
    const owned = () => own.has(name) || isSpokenOf(name, { entries, options });
    return isUntrusted(entry) && owned() ? untrusted(what, source) : undefined;
  };
}

/** Whether a rule from outside the workspace could change its meaning with what is known about the tool. */
function isSpokenOf(
  name: string,
  { entries, options }: { entries: readonly SourceEntry[]; options: MergeOptions },
): boolean {
  return entries
    .filter(({ kind }) => !isWorkspaceFile(kind) && kind !== "builtin")
    .some((entry) => {
      return placedRules(entry).some((rule) => options.speaksOf(name, rule.pattern.value));
    });
}

function namesIn(
  entries: readonly SourceEntry[],
  counts: (kind: SourceKind) => boolean,
): readonly string[] {
  return entries.filter(({ kind }) => counts(kind)).flatMap((entry) => [...toolsOf(entry).keys()]);
}

function toolsOf(entry: SourceEntry): ReadonlyMap<string, Located<ToolOverride>> {
  return usableFile(entry)?.tools ?? new Map();
}
