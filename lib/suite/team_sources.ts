import type { MergedSources, SourceEntry } from "../model/source_entry.ts";
import type { SourceKind } from "../model/source.ts";
import { isWorkspaceFile } from "../policy/sources/entry_text.ts";

/** What is left out so that a test says the same on every machine. */
const PERSONAL: readonly SourceKind[] = ["managed", "local", "user"];

/** What of a run's sources the line itself names. */
export interface TeamOptions {
  /** Whether `--rules` names files; else one of `CALIBAN_RULES` is left out. */
  readonly rules: "named" | "none";
  /** `given`: `--trust`; else the workspace is not trusted, whatever this machine's record says. */
  readonly trust: "given" | "none";
}

/** The files that are left out although they may be there. */
export function leftOutOf(
  { entries }: MergedSources,
  { rules }: Pick<TeamOptions, "rules">,
): readonly string[] {
  return entries.filter(({ kind, state }) => state === "off" && isPersonal(kind, rules))
    .map(({ path }) => path);
}

function isPersonal(kind: SourceKind, rules: TeamOptions["rules"]): boolean {
  return PERSONAL.includes(kind) || kind === "flag" && rules === "none";
}

/** The entries that are the same on every machine: not the managed, local and user files, nor what the environment names. */
export function teamEntries(
  { entries }: MergedSources,
  { rules, trust }: TeamOptions,
): readonly SourceEntry[] {
  return entries.map((entry) => {
    const { kind, path, state } = entry;
    const trusted = trust === "given" || !isWorkspaceFile(kind);
    if (!isPersonal(kind, rules)) return { ...entry, trusted };
    if (state === "absent") return entry;
    return { kind, path, state: "off", note: "tests leave it out", trusted };
  });
}
