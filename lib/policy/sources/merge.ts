import type { MergedSources, Notice, PlacedRule, SourceEntry } from "../../model/source_entry.ts";
import { fileProblems, isUntrusted, placedRules, sourceAt, usableFile } from "./entry_text.ts";
import { mergeSettings, trustObjection } from "./merge_settings.ts";
import { mergeTools } from "./merge_tools.ts";
import { ignored, untrusted } from "./notices.ts";

/** What merging must be told. */
export interface MergeOptions {
  /** The names of the tools in `defaults/tools.toml`. */
  readonly defaultTools: readonly string[];
  /** Whether a pattern has a spec and its tool glob could fit this tool name. */
  speaksOf(toolName: string, pattern: string): boolean;
}

/**
 * Makes one list and one set of settings of all entries, which stand highest first. Never throws for what a file says:
 * a file with an error gives nothing but its problems, and so the caller must not decide calls while there is an error
 * among `problems`.
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

/** That an entry's hooks do not run: they could run anything. */
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
