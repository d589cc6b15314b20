import type { SourceKind, ToolOverride } from "../../model/call.ts";
import type { MergedSources, Notice, PlacedRule, SourceEntry } from "../../model/rule.ts";
import type { Located } from "../../model/problem.ts";
import {
  fileProblems,
  ignored,
  isUntrusted,
  isWorkspaceFile,
  placedRules,
  sourceAt,
  untrusted,
  usableFile,
} from "./entry_text.ts";
import { hasManaged, mergeSettings, trustObjection } from "./merge_settings.ts";

/** Options of `mergeSources`. */
export interface MergeOptions {
  /** The names of the tools in `defaults/tools.toml`. */
  readonly defaultTools: readonly string[];
  /** True if a pattern has a specifier and its tool glob may match this tool name. */
  appliesTo(toolName: string, pattern: string): boolean;
}

/**
 * Merges all entries, highest first, into one list of rules and one set of settings. Never throws because of a file's
 * contents: a file with an error adds only its problems. INVARIANT: no call is decided while `problems` has an error.
 */
export function mergeSources(
  entries: readonly SourceEntry[],
  options: MergeOptions,
): MergedSources {
  const { settings, requireTrust, notices } = mergeSettings(entries);
  const { tools, notices: toolNotices } = mergeTools(entries, options);
  const kept = entries.map((entry) => {
    return keepRules(entry, { requireTrust, managedOnly: settings.managedOnly });
  });
  return {
    entries,
    rules: kept.flatMap(({ rules }) => rules),
    settings,
    tools,
    notices: [
      ...notices,
      ...toolNotices,
      ...kept.flatMap(({ notices }) => notices),
      ...entries.flatMap(hookNotices),
    ],
    problems: entries.flatMap(fileProblems),
  };
}

/** The notice that an entry's hooks do not run: they could run anything. */
function hookNotices(entry: SourceEntry): readonly Notice[] {
  const [first] = usableFile(entry)?.hooks ?? [];
  if (first === undefined || !isUntrusted(entry)) return [];
  return [untrusted("[hooks]", sourceAt(entry, first.span))];
}

interface Gates {
  readonly requireTrust: boolean;
  readonly managedOnly: boolean;
}

/** An entry's rules without the allow rules that do not count there; deny and ask rules always count. */
function keepRules(
  entry: SourceEntry,
  gates: Gates,
): { readonly rules: readonly PlacedRule[]; readonly notices: readonly Notice[] } {
  const rules = placedRules(entry);
  const first = rules.find((rule) => rule.action === "allow")?.source;
  const notice = first && allowObjection(entry, { ...gates, first });
  if (notice === undefined) return { rules, notices: [] };
  return { rules: rules.filter((rule) => rule.action !== "allow"), notices: [notice] };
}

function allowObjection(
  entry: SourceEntry,
  gates: Gates & { readonly first: PlacedRule["source"] },
): Notice | undefined {
  const { first: source } = gates;
  // The built-in allow rules stay: they are caliban's own, and without them every read of a file would ask.
  const outranked = entry.kind !== "managed" && entry.kind !== "builtin";
  if (gates.managedOnly && outranked) {
    return ignored("the allow rules", { source, why: "a managed file sets managed_only" });
  }
  const { requireTrust } = gates;
  return trustObjection(entry, { what: "the allow rules", source, requireTrust });
}

/** The `[tools.NAME]` tables that count, and what did not count. */
interface MergedTools {
  /** The tables, key by key from the highest source that has the key. */
  readonly tools: ReadonlyMap<string, ToolOverride>;
  /** Notices about what did not count. */
  readonly notices: readonly Notice[];
}

/** Merges the `[tools.NAME]` tables of all entries, which stand highest first. */
function mergeTools(entries: readonly SourceEntry[], options: MergeOptions): MergedTools {
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
        why: "a managed file or the defaults define this tool",
      });
    }
    const owned = () => own.has(name) || isSpokenOf(name, { entries, options });
    return isUntrusted(entry) && owned() ? untrusted(what, source) : undefined;
  };
}

/** True if a `[tools.NAME]` table could change the meaning of a rule from outside the workspace. */
function isSpokenOf(
  name: string,
  { entries, options }: { entries: readonly SourceEntry[]; options: MergeOptions },
): boolean {
  return entries
    .filter(({ kind }) => !isWorkspaceFile(kind) && kind !== "builtin")
    .some((entry) => {
      return placedRules(entry).some((rule) => options.appliesTo(name, rule.pattern.value));
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
