import type { Span } from "../../model/problem.ts";
import type { SuiteReport } from "../../suite/suite_report.ts";
import { PLAIN } from "../color.ts";
import { annotatedPart, annotation } from "../github.ts";
import { caseLines, exampleLines, type OutcomeLines } from "./outcome_lines.ts";
import { suiteSum } from "./suite_text.ts";

/** Failed tests and examples as workflow commands, which GitHub shows beside their lines; then the count. */
export function suiteGithub(report: SuiteReport): string {
  const { cases, examples } = report.outcome;
  const failures = [
    ...cases.map((each) =>
      failure(caseLines(each, report), { span: each.test.span, text: each.file.text })
    ),
    ...examples.map((each) =>
      failure(exampleLines(each, report), { span: each.example.span, text: each.text })
    ),
  ];
  return `${failures.join("")}${suiteSum(report, PLAIN)}\n`;
}

/** The annotation of a test that failed; empty for one that passed. */
function failure(
  { path, name, fault, details }: OutcomeLines,
  { span, text }: { readonly span: Span; readonly text: string },
): string {
  if (fault === undefined) return "";
  return annotation("error", {
    place: { file: path, ...annotatedPart(span, text), title: "caliban: test" },
    lines: [`${name}: ${fault}`, ...details],
  });
}
