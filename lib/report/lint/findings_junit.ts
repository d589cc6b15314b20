import type { Finding } from "../../model/problem.ts";
import { findingLines, type FindingReport, type FindingStyle, rootOf } from "./finding_report.ts";
import { pathFromRoot, pathText } from "../place_text.ts";
import { XML_START, xmlElement } from "../xml.ts";

/**
 * Findings as JUnit's XML, which CI servers read: a suite for each file, and in it a test for each finding. Errors and
 * warnings are failures; a note passes, with its text as output. A file without findings is one test that passes.
 */
export function findingsJunit(report: FindingReport, style: FindingStyle): string {
  const { findings, files } = report;
  const suites = files.map((file) => {
    const own = findings.filter(({ path }) => path === file.path);
    const path = pathText(pathFromRoot(file.path, rootOf(style)) ?? file.path, style.folders);
    const cases = own.map((finding) => caseElement(finding, { path, style }));
    const whole = cases.length > 0 ? cases : [cleanCase(path)];
    const counts = { tests: whole.length, failures: own.filter(isFailure).length };
    const attributes = { name: path, ...counts, errors: 0, skipped: 0, file: path };
    return xmlElement("testsuite", attributes, whole);
  });
  const tests = files.reduce(
    (sum, { path }) => sum + Math.max(findings.filter((each) => each.path === path).length, 1),
    0,
  );
  const failures = findings.filter(isFailure).length;
  return XML_START +
    xmlElement("testsuites", { name: "caliban perms lint", tests, failures, errors: 0 }, suites);
}

function isFailure({ severity }: Finding): boolean {
  return severity !== "note";
}

function cleanCase(path: string): string {
  return xmlElement("testcase", { classname: path, name: "no findings" });
}

function caseElement(
  finding: Finding,
  { path, style }: { readonly path: string; readonly style: FindingStyle },
): string {
  const { id, severity, span, message, rule } = finding;
  const about = rule === null ? "" : ` ${rule.action} ${rule.pattern}`;
  const text = [`${path}:${span.line}:${span.column}`, ...findingLines(finding, style)];
  return xmlElement("testcase", { classname: path, name: `${id}${about}` }, [
    isFailure(finding)
      ? xmlElement("failure", { message, type: severity }, text.join("\n"))
      : xmlElement("system-out", {}, text.join("\n")),
  ]);
}
