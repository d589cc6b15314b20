import type { ToolRule } from "../policy/compile/compiled_policy.ts";

/** The trials of a workspace's rules that one call may cost: 1,000 rules on 300 files, three times over. */
const MOST = 1_000_000;

/** The cost of a trial of a rule that is held to several commands, fields or texts; any other costs 1. */
const COMPOUND = 4;

/**
 * The trials of a workspace's rules within the evaluation of one call. A clone may bring thousands of rules, and a line name
 * thousands of files. Behind the bound its rules count as ones that cannot be evaluated; those of the user are always tried.
 * Trials are counted, not timed: the same call has the same verdict everywhere.
 */
export class TrialBudget {
  #left = MOST;

  /** True if the rule may be tried; counts the trial. */
  spend({ rule, specifier }: ToolRule): boolean {
    const isCounted = (rule.source.kind === "project" || rule.source.kind === "local") &&
      specifier !== undefined && specifier.kind !== "any";
    if (!isCounted) return true;
    if (this.#left <= 0) return false;
    this.#left -= isCompound(specifier) ? COMPOUND : 1;
    return true;
  }
}

function isCompound(specifier: NonNullable<ToolRule["specifier"]>): boolean {
  return specifier.kind === "fields" ||
    specifier.kind === "argument" && specifier.test.kind === "command";
}
