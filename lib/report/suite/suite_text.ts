import type { Rule } from "../../model/rule.ts";
import type { ExampleOutcome } from "../../suite/run_examples.ts";
import { type CaseOutcome, countsOf, hasPassed } from "../../suite/run_suite.ts";
import { type Change, percentOf, type SuiteReport } from "../../suite/suite_report.ts";
import { callText, cut } from "../../text/call_text.ts";
import { PLAIN, type TextStyle } from "../color.ts";
import { painted } from "../decision_text.ts";
import { columnsOf, indented } from "../layout.ts";
import { type Folders, pathText, placeText } from "../place_text.ts";
import { textWidth, visible } from "../../text/visible.ts";

const INDENT = "      ";

/** The number of uncovered rules that are listed. */
const SHOWN = 50;

/** A run of tests for people, ending in a newline: changes, failures, uncovered rules, and the sum. */
export function suiteText(report: SuiteReport, color: TextStyle): string {
  const { cases, examples } = report.outcome;
  const blocks = [
    changesText(report, color),
    report.files.map((file) => {
      const own = cases.filter((each) => each.file === file);
      return fileLine(own, { path: pathText(file.path, report.folders), color });
    }),
    ...cases.filter((each) => !hasPassed(each)).map((each) => caseText(each, { report, color })),
    ...examples.filter(({ fault }) => fault !== undefined)
      .map((each) => exampleText(each, { report, color })),
    coverageText(report, color),
    sumText(report, color),
  ];
  return blocks.filter((lines) => lines.length > 0).map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function changesText({ updated, folders }: SuiteReport, color: TextStyle): readonly string[] {
  if (updated.length === 0) return [];
  const loosened = updated.filter((change) => change.loosened).length;
  const head = `Updated ${count(updated.length, "expectation")}`;
  return [
    loosened === 0 ? `${head}:` : `${head}, ${color.red(color.bold(`${loosened} LOOSENED`))}:`,
    ...updated.flatMap((change) => changeLines(change, { folders, color })),
  ];
}

function changeLines(
  { outcome, from, to, loosened }: Change,
  { folders, color }: { readonly folders: Folders; readonly color: TextStyle },
): readonly string[] {
  const mark = loosened ? `  ${color.red(color.bold("LOOSENED"))}` : "";
  return [
    `  ${placeOf(outcome, folders)}`,
    `    ${cut(callText(outcome.call, outcome.decision.units), columnsOf(color) - 4)}`,
    `    was ${painted(from, color)}, is ${painted(to, color)}${mark}`,
  ];
}

function fileLine(
  own: readonly CaseOutcome[],
  { path, color }: { readonly path: string; readonly color: TextStyle },
): string {
  const failed = own.filter((each) => !hasPassed(each)).length;
  const failures = failed === 0 ? "" : `, ${failed} failed`;
  return `${mark(failed === 0, color)}${path}  ${
    color.dim(`${count(own.length, "test")}${failures}`)
  }`;
}

function mark(passed: boolean, color: TextStyle): string {
  return passed ? `${color.green("ok")}    ` : `${color.red("FAIL")}  `;
}

interface CaseContext {
  readonly report: SuiteReport;
  readonly color: TextStyle;
}

function caseText(outcome: CaseOutcome, { report, color }: CaseContext): readonly string[] {
  const { test, call, decision, fits, ruleFault } = outcome;
  const { folders } = report;
  const got = painted(decision.decision, color);
  const expected = fits
    ? `${got}, as expected, but ${visible(ruleFault ?? "")}`
    : `expected ${painted(test.expect.value, color)}, got ${got}`;
  const besides = fits || ruleFault === undefined ? [] : below(visible(ruleFault), color);
  const mode = test.mode === undefined ? [] : below(`in mode ${test.mode}`, color);
  return [
    `${mark(false, color)}${color.bold(placeOf(outcome, folders))}`,
    `${INDENT}${cut(callText(call, decision.units), columnsOf(color) - INDENT.length)}`,
    ...below(expected, color),
    ...besides,
    ...mode,
    ...below(visible(decision.reason), color),
    ...ruleLines(decision.verdict.rule, { folders, color }),
    ...(test.why === undefined ? [] : below(`why: ${visible(test.why)}`, color)),
    `${INDENT}${color.dim("to see why:")} ${color.cyan(visible(report.explain(outcome)))}`,
  ];
}

function ruleLines(
  rule: Rule | null,
  { folders, color }: { readonly folders: Folders; readonly color: TextStyle },
): readonly string[] {
  if (rule === null) return below("no rule decides", color);
  return below(
    `rule ${visible(rule.pattern)} (${rule.action}), ${placeText(rule.source, folders)}`,
    color,
  );
}

function exampleText(
  { rule, list, example, fault = "" }: ExampleOutcome,
  { report, color }: CaseContext,
): readonly string[] {
  const { line, column } = example.span;
  const place = `${pathText(rule.source.path, report.folders)}:${line}:${column}`;
  return [
    `${mark(false, color)}${color.bold(place)}`,
    `${INDENT}${cut(`${list} "${visible(example.value)}"`, columnsOf(color) - INDENT.length)}`,
    ...below(visible(fault), color),
    ...below(`rule ${visible(rule.pattern)} (${rule.action})`, color),
  ];
}

function coverageText({ outcome, folders }: SuiteReport, color: TextStyle): readonly string[] {
  const { rules, unreached } = outcome.coverage;
  if (unreached.length === 0) return [];
  const more = unreached.length - SHOWN;
  return [
    `Rules that no test covers (${unreached.length} of ${rules.length}):`,
    ...unreached.slice(0, SHOWN).flatMap((rule) => [
      `  ${painted(rule.action, color)}${" ".repeat(7 - rule.action.length)}${
        visible(rule.pattern)
      }`,
      `         ${color.dim(placeText(rule.source, folders))}`,
    ]),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

function sumText(report: SuiteReport, color: TextStyle): readonly string[] {
  const { entries, leftOut, folders } = report;
  const read = entries.filter(({ state }) => state === "read")
    .map(({ kind, path }) => kind === "builtin" ? "built-in" : pathText(path, folders));
  const off = leftOut.map((path) => pathText(path, folders));
  return [
    ...sumLines(report, color),
    ...indentedDim(`Rules: ${read.join(", ") || "none"}`, color),
    ...(off.length === 0 ? [] : indentedDim(`Ignored: ${off.join(", ")} (--all-sources)`, color)),
  ];
}

/** The sum in one line, or in two where that is too long. */
function sumLines(report: SuiteReport, color: TextStyle): readonly string[] {
  const sum = suiteSum(report, color);
  return textWidth(suiteSum(report, PLAIN)) <= (color.columns ?? Infinity)
    ? [sum]
    : sum.split(/(?<=;) /);
}

/** `4 tests, 5 examples: 2 passed, 7 failed; 1 of 2 rules covered (50%)`. */
export function suiteSum({ outcome }: SuiteReport, color: TextStyle): string {
  const { all, failed } = countsOf(outcome);
  const { rules, unreached } = outcome.coverage;
  const passed = `${all - failed} passed`;
  const examples = outcome.examples.length;
  const what = [
    count(outcome.cases.length, "test"),
    ...(examples === 0 ? [] : [count(examples, "example")]),
  ].join(", ");
  const result = failed === 0 ? color.green(passed) : `${passed}, ${color.red(`${failed} failed`)}`;
  const reached = `${rules.length - unreached.length} of ${count(rules.length, "rule")} covered`;
  return `${what}: ${result}; ${reached} (${percentOf(outcome)}%)`;
}

function indentedDim(text: string, color: TextStyle): readonly string[] {
  return indented(text, "", color).map((line) => color.dim(line));
}

function placeOf({ file, test }: CaseOutcome, folders: Folders): string {
  return `${pathText(file.path, folders)}:${test.span.line}:${test.span.column}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function below(text: string, color: TextStyle): readonly string[] {
  return indented(text, INDENT, color);
}
