import type { MergedSources, SourceEntry } from "../model/rule.ts";
import type { SourceKind } from "../model/call.ts";

/** Sources that tests leave out, so that they give the same results on every machine. */
const PERSONAL: readonly SourceKind[] = ["managed", "local", "user"];

/** Sources that the command line names. */
export interface TeamOptions {
  /** `named` if `--rules` names files; otherwise a file of `CALIBAN_RULES` is left out. */
  readonly rules: "named" | "none";
}

/** The files that are left out although they may exist. */
export function leftOutOf(
  { entries }: MergedSources,
  { rules }: TeamOptions,
): readonly string[] {
  return entries.filter(({ kind, state }) => state === "off" && isPersonal(kind, rules))
    .map(({ path }) => path);
}

function isPersonal(kind: SourceKind, rules: TeamOptions["rules"]): boolean {
  return PERSONAL.includes(kind) || kind === "flag" && rules === "none";
}

/**
 * The entries that are the same on every machine: without the managed, local and user files and those that the environment
 * names. The workspace counts as trusted: the question is if its policy is right.
 */
export function teamSources(
  { entries }: MergedSources,
  { rules }: TeamOptions,
): readonly SourceEntry[] {
  return entries.map((entry) => {
    const { kind, path, state } = entry;
    if (!isPersonal(kind, rules)) return { ...entry, trusted: true };
    if (state === "absent") return entry;
    return { kind, path, state: "off", note: "tests ignore it", trusted: true };
  });
}
