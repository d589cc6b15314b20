import type { ExampleOutcome } from "../../suite/run_examples.ts";
import { type CaseOutcome, countsOf, hasPassed } from "../../suite/run_suite.ts";
import type { SuiteReport } from "../../suite/suite_report.ts";
import { callText } from "../../text/call_text.ts";
import { pathText, placeText } from "../place_text.ts";
import { XML_START, xmlElement } from "../xml.ts";

/** A run of tests as JUnit's XML, which CI servers read: a suite for each file, and one for each file's examples. */
export function suiteJunit(report: SuiteReport): string {
  const { cases, examples } = report.outcome;
  const { all, failed } = countsOf(report.outcome);
  const suites = [
    ...report.files.map((file) => {
      const own = cases.filter((each) => each.file === file);
      return suiteElement(own.map((each) => caseElement(each, report)), {
        name: pathText(file.path, report.folders),
        failures: own.filter((each) => !hasPassed(each)).length,
      });
    }),
    ...[...new Set(examples.map(({ rule }) => rule.source.path))].map((path) => {
      const own = examples.filter(({ rule }) => rule.source.path === path);
      return suiteElement(own.map((each) => exampleElement(each, report)), {
        name: `${pathText(path, report.folders)} (examples)`,
        failures: own.filter(({ fault }) => fault !== undefined).length,
      });
    }),
  ];
  return XML_START +
    xmlElement("testsuites", { name: "caliban perms test", tests: all, failures: failed }, suites);
}

function suiteElement(
  elements: readonly string[],
  { name, failures }: { readonly name: string; readonly failures: number },
): string {
  return xmlElement("testsuite", { name, tests: elements.length, failures }, elements);
}

function caseElement(outcome: CaseOutcome, { folders, explain }: SuiteReport): string {
  const { file, test, call, decision, fits, ruleFault } = outcome;
  const path = pathText(file.path, folders);
  const message = [
    ...(fits ? [] : [`expected ${test.expect.value}, got ${decision.decision}`]),
    ...(ruleFault === undefined ? [] : [ruleFault]),
  ].join("; ");
  const { rule } = decision.verdict;
  const details = [
    decision.reason,
    ...(rule === null
      ? []
      : [`rule ${rule.pattern} (${rule.action}), ${placeText(rule.source, folders)}`]),
    ...(test.why === undefined ? [] : [`why: ${test.why}`]),
    `to see why: ${explain(outcome)}`,
  ];
  return xmlElement(
    "testcase",
    {
      classname: path,
      name: `${callText(call, decision.units)}${test.mode ? ` (${test.mode})` : ""}`,
      file: path,
      line: test.span.line,
    },
    hasPassed(outcome) ? [] : [failure(message, details)],
  );
}

function exampleElement(
  { rule, list, example, fault }: ExampleOutcome,
  { folders }: SuiteReport,
): string {
  const path = pathText(rule.source.path, folders);
  const rest = `rule ${rule.pattern} (${rule.action})`;
  return xmlElement(
    "testcase",
    {
      classname: path,
      name: `${rule.pattern} ${list} ${example.value}`,
      file: path,
      line: example.span.line,
    },
    fault === undefined ? [] : [failure(fault, [rest])],
  );
}

function failure(message: string, details: readonly string[]): string {
  // A detail is one line: what hides in it must not begin another.
  const text = details.map((detail) => detail.replaceAll("\n", "\\n")).join("\n");
  return xmlElement("failure", { message, type: "assertion" }, text);
}
