import type { ExampleOutcome } from "../../suite/run_examples.ts";
import type { CaseOutcome } from "../../suite/run_suite.ts";
import type { SuiteReport } from "../../suite/suite_report.ts";
import { callText } from "../../text/call_text.ts";
import { pathFromRoot, pathText, placeText } from "../place_text.ts";

/** A test or an example as other programs show it. Nothing in it is made visible. */
export interface OutcomeLines {
  /** The file, from the root that other programs look in. */
  readonly path: string;
  /** The call or the example, in a few words. */
  readonly name: string;
  /** The fault in one sentence; undefined if it passed. */
  readonly fault: string | undefined;
  /** Further sentences: the reason, the rule, the command that explains it. */
  readonly details: readonly string[];
}

/** The lines of a test. */
export function caseLines(outcome: CaseOutcome, report: SuiteReport): OutcomeLines {
  const { file, test, call, decision, fits, ruleFault } = outcome;
  const faults = [
    ...(fits ? [] : [`expected ${test.expect.value}, got ${decision.decision}`]),
    ...(ruleFault === undefined ? [] : [ruleFault]),
  ];
  const { rule } = decision.verdict;
  return {
    path: rootPath(file.path, report),
    name: `${callText(call, decision.units)}${test.mode ? ` (${test.mode})` : ""}`,
    fault: faults.length === 0 ? undefined : faults.join("; "),
    details: [
      decision.reason,
      ...(rule === null
        ? []
        : [`rule ${rule.pattern} (${rule.action}), ${placeText(rule.source, report.folders)}`]),
      ...(test.why === undefined ? [] : [`why: ${test.why}`]),
      `to see why: ${report.explain(outcome)}`,
    ],
  };
}

/** The lines of an example. */
export function exampleLines(
  { rule, list, example, fault }: ExampleOutcome,
  report: SuiteReport,
): OutcomeLines {
  return {
    path: rootPath(rule.source.path, report),
    name: `${rule.pattern} ${list} ${example.value}`,
    fault,
    details: [`rule ${rule.pattern} (${rule.action})`],
  };
}

/** A path from the root of the repository; one elsewhere as people see it. */
export function rootPath(path: string, { root, folders }: SuiteReport): string {
  return pathFromRoot(path, root()) ?? pathText(path, folders);
}
