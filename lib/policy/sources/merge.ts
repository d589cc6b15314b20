import type { SourceKind, ToolOverride } from "../../model/call.ts";
import type { MergedSources, Notice, PlacedRule, SourceEntry } from "../../model/rule.ts";
import { errorAt, type FileProblem, type Located } from "../../model/problem.ts";
import {
  fileProblems,
  ignored,
  isUntrusted,
  isWorkspaceFile,
  ownerOf,
  placedRules,
  sourceAt,
  untrusted,
  usableFile,
} from "./entry_text.ts";
import { hasManaged, isHeldBack, mergeSettings, trustObjection } from "./merge_settings.ts";

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
  const { tools, notices: toolNotices } = mergeTools(entries, { ...options, requireTrust });
  const kept = entries.map((entry) => {
    return keepRules(entry, { requireTrust, managedOnly: settings.managedOnly });
  });
  const uncounted = kept.flatMap(({ leftOut }) => leftOut);
  return {
    entries,
    rules: kept.flatMap(({ rules }) => rules),
    ...(uncounted.length === 0 ? {} : { uncounted }),
    settings,
    tools,
    ...writtenTools(entries, options),
    notices: [
      ...notices,
      ...toolNotices,
      ...kept.flatMap(({ notices }) => notices),
      ...entries.flatMap(hookNotices),
    ],
    problems: entries.flatMap((entry) => [...fileProblems(entry), ...misplaced(entry)]),
  };
}

/** The problem of `[shell] repositories` in another file than the user's or a managed one: a clone would name itself. */
function misplaced(entry: SourceEntry): readonly FileProblem[] {
  const { kind, path } = entry;
  const written = usableFile(entry)?.settings.repositories;
  if (written === undefined || kind === "user" || kind === "managed") return [];
  const message = `Cannot use [shell] repositories in ${ownerOf(kind)}`;
  const hint = "It counts in the user's and in managed files";
  const text = entry.linkedOut ? "" : entry.text ?? "";
  return [{ ...errorAt(written.span, { id: "misplaced-key", message, hint }), path, text }];
}

/** The notice that an entry's hooks do not run: they could run anything. */
function hookNotices(entry: SourceEntry): readonly Notice[] {
  const [first] = usableFile(entry)?.hooks ?? [];
  if (first === undefined) return [];
  return [untrusted("[hooks]", sourceAt(entry, first.span))];
}

interface Gates {
  readonly requireTrust: boolean;
  readonly managedOnly: boolean;
}

/** The rules of an entry that count, and its allow rules that do not; one of the two has them all. */
interface KeptRules {
  readonly rules: readonly PlacedRule[];
  readonly leftOut: readonly PlacedRule[];
  readonly notices: readonly Notice[];
}

/** Leaves out the allow rules that do not count in an entry; deny and ask rules always count. */
function keepRules(entry: SourceEntry, gates: Gates): KeptRules {
  const isDoubtful = isHeldBack(entry, gates);
  const rules = placedRules(entry).map((rule) =>
    isDoubtful ? { ...rule, untrusted: true as const } : rule
  );
  const first = rules.find((rule) => rule.action === "allow")?.source;
  const notice = first && allowObjection(entry, { ...gates, first });
  if (notice === undefined) return { rules, leftOut: [], notices: [] };
  const [leftOut, counted] = [
    rules.filter(({ action }) => action === "allow"),
    rules.filter(({ action }) => action !== "allow"),
  ];
  return { rules: counted, leftOut, notices: [notice] };
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
  return trustObjection(entry, {
    what: "the allow rules",
    source,
    requireTrust: gates.requireTrust,
  });
}

/** The tables of all files as if every file were trusted, where a file that is not has one. */
function writtenTools(
  entries: readonly SourceEntry[],
  options: MergeOptions,
): Pick<MergedSources, "writtenTools"> {
  if (!entries.some((entry) => isUntrusted(entry) && toolsOf(entry).size > 0)) return {};
  const trusted = entries.map((entry) => ({ ...entry, trusted: true }));
  return { writtenTools: mergeTools(trusted, { ...options, requireTrust: false }).tools };
}

/** The `[tools.NAME]` tables that count, and what did not count. */
interface MergedTools {
  /** The tables, key by key from the highest source that has the key. */
  readonly tools: ReadonlyMap<string, ToolOverride>;
  /** Notices about what did not count. */
  readonly notices: readonly Notice[];
}

/** Merges the `[tools.NAME]` tables of all entries, which stand highest first. */
function mergeTools(
  entries: readonly SourceEntry[],
  options: MergeOptions & { readonly requireTrust: boolean },
): MergedTools {
  const tools = new Map<string, ToolOverride>();
  const notices: Notice[] = [];
  const counted = toolReader(entries, options);
  for (const entry of entries) {
    if (isHeldBack(entry, options)) notices.push(...aliasNotices(entry));
    for (const [name, table] of toolsOf(entry)) {
      const { notice, counts } = counted(entry, { name, table });
      if (notice !== undefined) notices.push(notice);
      if (counts !== undefined) tools.set(name, { ...counts, ...tools.get(name) });
    }
  }
  return { tools, notices };
}

/** The notice that other names of a tool have no allow rules of it in a workspace that is not trusted. */
function aliasNotices(entry: SourceEntry): readonly Notice[] {
  const first = [...toolsOf(entry).values()].find(({ value }) => value.aliasOf !== undefined);
  if (first === undefined) return [];
  return [untrusted("alias_of for allow rules", sourceAt(entry, first.span))];
}

interface NamedTable {
  readonly name: string;
  readonly table: Located<ToolOverride>;
}

/** The part of a table that counts, and the notice of what does not. */
interface CountedTable {
  readonly counts?: ToolOverride;
  readonly notice?: Notice;
}

function toolReader(
  entries: readonly SourceEntry[],
  options: MergeOptions & { readonly requireTrust: boolean },
): (entry: SourceEntry, named: NamedTable) => CountedTable {
  const defaults = new Set(options.defaultTools);
  const managed = hasManaged(entries);
  const fixed = new Set([...defaults, ...namesIn(entries, (kind) => kind === "managed")]);
  const own = new Set([...defaults, ...namesIn(entries, (kind) => !isWorkspaceFile(kind))]);
  return (entry, { name, table }) => {
    const source = sourceAt(entry, table.span);
    const what = `[tools.${name}]`;
    if (managed && entry.kind !== "managed" && fixed.has(name)) {
      const why = "a managed file or the defaults define this tool";
      return { notice: ignored(what, { source, why }) };
    }
    if (!isUntrusted(entry)) return { counts: table.value };
    if (own.has(name) || isSpokenOf(name, { entries, options })) {
      return { notice: untrusted(what, source) };
    }
    return isHeldBack(entry, options) ? strictPart(table.value, { what, source }) : {
      counts: table.value,
    };
  };
}

/**
 * The part of an untrusted table by which a deny or ask rule can read the tool's argument. A class, or a command line, would
 * let a mode answer what it leaves a question of an unknown tool.
 */
function strictPart(
  { aliasOf, firstArg, kind, class: toolClass, shell }: ToolOverride,
  { what, source }: { readonly what: string; readonly source: PlacedRule["source"] },
): CountedTable {
  // Only the deny and ask rules of the other name hold.
  if (aliasOf !== undefined) return { counts: { aliasOf, isUntrusted: true } };
  if (kind === "command" || shell !== undefined) return { notice: untrusted(what, source) };
  return {
    counts: {
      ...(firstArg === undefined ? {} : { firstArg }),
      ...(kind && { kind }),
      isUntrusted: true,
    },
    ...(toolClass && { notice: untrusted(`the class in ${what}`, source) }),
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
