import { type Action, strictness } from "../model/action.ts";
import { applySplices } from "../text/splice.ts";
import type { CaseOutcome } from "./run_case.ts";

/** One expectation that is another now. */
export interface Change {
  /** The test, with the decision that it is to expect. */
  readonly outcome: CaseOutcome;
  /** What it expected. */
  readonly from: Action;
  /** What it expects now. */
  readonly to: Action;
  /** Whether the new one is less strict. */
  readonly loosened: boolean;
}

/** The tests that expect another decision than the call has. Who decided it is nothing that is updated. */
export function changesOf(outcomes: readonly CaseOutcome[]): readonly Change[] {
  return outcomes.filter(({ fits }) => !fits).map((outcome) => {
    const from = outcome.test.expect.value;
    const to = outcome.decision.decision;
    return { outcome, from, to, loosened: strictness(to) < strictness(from) };
  });
}

/** The text of a file with the changed expectations of its tests; all else stays byte for byte, quotes too. */
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
