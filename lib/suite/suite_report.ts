import type { ToolCall } from "../model/call.ts";
import type { SourceEntry } from "../model/source_entry.ts";
import type { CaseOutcome } from "./run_case.ts";
import type { SuiteOutcome } from "./run_suite.ts";
import type { TestFile } from "./test_file.ts";
import type { Change } from "./update_expectations.ts";

/** Everything that is told about a run of tests. */
export interface SuiteReport {
  /** The files with tests, in the order in which they ran; those that are policies only where they have some. */
  readonly files: readonly TestFile[];
  /** What came of them. */
  readonly outcome: SuiteOutcome;
  /** What was updated before this run. */
  readonly updated: readonly Change[];
  /** Every place that was looked at for rules. */
  readonly entries: readonly SourceEntry[];
  /** The files among them that tests leave out of their own accord, and another flag counts. */
  readonly leftOut: readonly string[];
  /** What paths are shown relative to. */
  readonly folders: { readonly workspace: string; readonly home?: string };
  /** The command that explains a call as it was tested. */
  explain(outcome: Pick<CaseOutcome, "call" | "test">): string;
}

/** How much of the rules tests reach, in whole percent rounded down; 100 where there are none. */
export function percentOf({ coverage: { rules, unreached } }: SuiteOutcome): number {
  if (rules.length === 0) return 100;
  return Math.floor(100 * (rules.length - unreached.length) / rules.length);
}

/** The call as JSON has it. */
export function callJson({ tool, input, cwd }: ToolCall): Record<string, unknown> {
  return { tool, input, ...(cwd === undefined ? {} : { cwd }) };
}
