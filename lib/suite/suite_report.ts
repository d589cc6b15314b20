import { type Action, strictness, type ToolCall } from "../model/call.ts";
import type { SourceEntry } from "../model/rule.ts";
import { applySplices } from "../text/splice.ts";
import type { CaseOutcome, SuiteOutcome } from "./run_suite.ts";
import type { TestFile } from "./test_file.ts";

/** The report of a run of tests. */
export interface SuiteReport {
  /** The files with tests, in the order in which they ran; policy files only if they have tests. */
  readonly files: readonly TestFile[];
  /** Their result. */
  readonly outcome: SuiteOutcome;
  /** The expectations updated before this run. */
  readonly updated: readonly Change[];
  /** Every place that was searched for rules. */
  readonly entries: readonly SourceEntry[];
  /** The files among them that tests leave out unless a flag includes them. */
  readonly leftOut: readonly string[];
  /** The folders that paths are shown relative to. */
  readonly folders: { readonly workspace: string; readonly home?: string; readonly from?: string };
  /** The folder in which other programs look for files, mostly a repository's; called where needed. */
  readonly root: () => string;
  /** The command that explains a call as it was tested. */
  explain(outcome: Pick<CaseOutcome, "call" | "test">): string;
}

/** The part of the rules that tests cover, in whole percent rounded down; 100 without rules. */
export function percentOf({ coverage: { rules, unreached } }: SuiteOutcome): number {
  if (rules.length === 0) return 100;
  return Math.floor(100 * (rules.length - unreached.length) / rules.length);
}

/** The call as JSON. */
export function callJson({ tool, input, cwd }: ToolCall): Record<string, unknown> {
  return { tool, input, ...(cwd === undefined ? {} : { cwd }) };
}

/** One changed expectation. */
export interface Change {
  /** The test, with the decision that it should expect. */
  readonly outcome: CaseOutcome;
  /** The old expectation. */
  readonly from: Action;
  /** The new expectation. */
  readonly to: Action;
  /** True if the new one is less strict. */
  readonly loosened: boolean;
}

/** The tests that expect another decision than the call has. The expected rule is not updated. */
export function changesOf(outcomes: readonly CaseOutcome[]): readonly Change[] {
  return outcomes.filter(({ fits }) => !fits).map((outcome) => {
    const from = outcome.test.expect.value;
    const to = outcome.decision.decision;
    return { outcome, from, to, loosened: strictness(to) < strictness(from) };
  });
}

/**
 * The text of a file with the changed expectations of its tests; everything else stays byte for byte, quotes too.
 */
export function updatedText(text: string, changes: readonly Change[]): string {
  return applySplices(
    text,
    changes.map(({ outcome, to }) => {
      const { start, end } = outcome.test.expect.span;
      const [quote] = /^("""|'''|["'])/.exec(text.slice(start, end)) ?? ['"'];
      return { start, end, text: `${quote}${to}${quote}` };
    }),
  );
}
