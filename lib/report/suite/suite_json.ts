import { printedJson } from "../../text/printed_json.ts";
import type { ExampleOutcome } from "../../suite/run_examples.ts";
import { type CaseOutcome, countsOf, hasPassed } from "../../suite/run_suite.ts";
import { callJson, percentOf, type SuiteReport } from "../../suite/suite_report.ts";
import { ruleJson } from "../decision_json.ts";

/** A run of tests as one JSON object, ending in a newline. */
export function suiteJson(report: SuiteReport): string {
  const { outcome, updated, entries } = report;
  const { all, failed } = countsOf(outcome);
  const { rules, unreached } = outcome.coverage;
  const whole = {
    passed: all - failed,
    failed,
    tests: outcome.cases.map(caseJson),
    examples: outcome.examples.map(exampleJson),
    coverage: {
      rules: rules.length,
      reached: rules.length - unreached.length,
      percent: percentOf(outcome),
      unreached: unreached.map(ruleJson),
    },
    updated: updated.map(({ outcome: each, from, to, loosened }) => ({
      ...placeJson(each),
      from,
      to,
      loosened,
    })),
    sources: entries.map(({ kind, path, state, note }) => ({
      kind,
      path,
      state,
      ...(note === undefined ? {} : { note }),
    })),
  };
  return printedJson(whole, { indent: 2 }) + "\n";
}

function placeJson({ file, test }: CaseOutcome): Record<string, unknown> {
  return { path: file.path, line: test.span.line, column: test.span.column };
}

function caseJson(outcome: CaseOutcome): Record<string, unknown> {
  const { test, call, decision, ruleFault } = outcome;
  return {
    ...placeJson(outcome),
    ok: hasPassed(outcome),
    call: callJson(call),
    mode: decision.mode,
    expect: test.expect.value,
    decision: decision.decision,
    decidedBy: decision.decidedBy,
    rule: ruleJson(decision.verdict.rule),
    reason: decision.reason,
    ...(ruleFault === undefined ? {} : { ruleFault }),
    ...(test.why === undefined ? {} : { why: test.why }),
  };
}

function exampleJson({ rule, list, example, fault }: ExampleOutcome): Record<string, unknown> {
  const { line, column } = example.span;
  return {
    path: rule.source.path,
    line,
    column,
    ok: fault === undefined,
    list,
    text: example.value,
    rule: ruleJson(rule),
    ...(fault === undefined ? {} : { fault }),
  };
}
