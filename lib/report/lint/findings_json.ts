import { printedJson } from "../../text/printed_json.ts";
import type { Finding } from "../../model/problem.ts";
import { ruleJson } from "../decision_json.ts";
import { countFindings, type FindingReport } from "./finding_report.ts";

/** Findings as one JSON object: `{"files", "errors", "warnings", "notes", "findings", "fixed"}`. */
export function findingsJson({ findings, files, fixed }: FindingReport): string {
  const result = {
    files: files.map(({ path }) => path),
    ...countFindings(findings),
    findings: findings.map(findingJson),
    fixed: fixed.map(findingJson),
  };
  return printedJson(result, { indent: 2 }) + "\n";
}

/** One finding as JSON; offsets count UTF-16 code units from 0, lines and columns from 1. */
export function findingJson(finding: Finding): Record<string, unknown> {
  const { id, severity, message, path, span, rule, related, witness, verdict, hint, fix } = finding;
  return {
    id,
    severity,
    message,
    path,
    line: span.line,
    column: span.column,
    start: span.start,
    end: span.end,
    rule: ruleJson(rule),
    related: related.map(ruleJson),
    ...(witness === undefined ? {} : { witness, verdict }),
    ...(hint === undefined ? {} : { hint }),
    ...(fix === undefined
      ? {}
      : { fix: { title: fix.title, verdicts: fix.verdicts, edits: fix.edits.map(editJson) } }),
  };
}

function editJson({ span, text }: NonNullable<Finding["fix"]>["edits"][number]) {
  return { line: span.line, column: span.column, start: span.start, end: span.end, text };
}
