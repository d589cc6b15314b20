import { countsOf } from "../../suite/run_suite.ts";
import type { SuiteReport } from "../../suite/suite_report.ts";
import type { Span } from "../../model/problem.ts";
import { XML_START, xmlElement } from "../xml.ts";
import { caseLines, exampleLines, type OutcomeLines, rootPath } from "./outcome_lines.ts";

/** A run of tests as JUnit's XML, which CI servers read: a suite for each file, and one for each file's examples. */
export function suiteJunit(report: SuiteReport): string {
  const { cases, examples } = report.outcome;
  const { all, failed } = countsOf(report.outcome);
  const suites = [
    ...report.files.map((file) => {
      const own = cases.filter((each) => each.file === file);
      return suiteElement(
        own.map((each) => ({ lines: caseLines(each, report), span: each.test.span })),
        { path: rootPath(file.path, report), kind: "" },
      );
    }),
    ...[...new Set(examples.map(({ rule }) => rule.source.path))].map((path) => {
      const own = examples.filter(({ rule }) => rule.source.path === path);
      return suiteElement(
        own.map((each) => ({ lines: exampleLines(each, report), span: each.example.span })),
        { path: rootPath(path, report), kind: " (examples)" },
      );
    }),
  ];
  const counts = { tests: all, failures: failed, errors: 0 };
  return XML_START + xmlElement("testsuites", { name: "caliban perms test", ...counts }, suites);
}

interface Placed {
  readonly lines: OutcomeLines;
  readonly span: Span;
}

function suiteElement(
  own: readonly Placed[],
  { path, kind }: { readonly path: string; readonly kind: string },
): string {
  const failures = own.filter(({ lines }) => lines.fault !== undefined).length;
  const counts = { tests: own.length, failures, errors: 0, skipped: 0 };
  return xmlElement(
    "testsuite",
    { name: `${path}${kind}`, ...counts, file: path },
    own.map(caseElement),
  );
}

function caseElement({ lines, span }: Placed): string {
  const { path, name, fault, details } = lines;
  const place = `${path}:${span.line}:${span.column}`;
  return xmlElement(
    "testcase",
    { classname: path, name },
    fault === undefined ? [] : [failure(fault, [place, ...details])],
  );
}

function failure(message: string, details: readonly string[]): string {
  // A detail is one line: what hides in it must not begin another.
  const text = details.map((detail) => detail.replaceAll("\n", "\\n")).join("\n");
  return xmlElement("failure", { message, type: "assertion" }, text);
}
