import type { Severity } from "../../model/problem.ts";
import { annotatedPart, annotation, type AnnotationLevel } from "../github.ts";
import { pathFromRoot } from "../place_text.ts";
import { findingLines, type FindingReport, type FindingStyle, rootOf } from "./finding_report.ts";
import { findingsSum } from "./findings_text.ts";

/** Findings as workflow commands, which GitHub shows beside the lines of a pull request; then the count. */
export function findingsGithub(report: FindingReport, style: FindingStyle): string {
  const texts = new Map(report.files.map(({ path, text }) => [path, text]));
  const root = rootOf(style);
  const commands = report.findings.map((finding) => {
    const { id, severity, path, span } = finding;
    return annotation(LEVELS[severity], {
      place: {
        file: pathFromRoot(path, root) ?? path,
        ...annotatedPart(span, texts.get(path) ?? ""),
        title: `caliban: ${id}`,
      },
      lines: findingLines(finding, style),
    });
  });
  return commands.join("") + findingsSum(report);
}

const LEVELS: Readonly<Record<Severity, AnnotationLevel>> = {
  error: "error",
  warning: "warning",
  note: "notice",
};
