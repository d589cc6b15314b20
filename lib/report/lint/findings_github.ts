import type { Finding, Severity } from "../../model/problem.ts";
import {
  findingLines,
  type FindingReport,
  type FindingStyle,
  pathFromRoot,
  type Region,
  regionOf,
  rootOf,
} from "./finding_report.ts";
import { findingsSum } from "./findings_text.ts";
import { visible } from "../../text/visible.ts";

/** Findings as workflow commands, which GitHub shows beside the lines of a pull request; then the count. */
export function findingsGithub(report: FindingReport, style: FindingStyle): string {
  const texts = new Map(report.files.map(({ path, text }) => [path, text]));
  const root = rootOf(style);
  const commands = report.findings.map((finding) => {
    const region = regionOf(finding.span, texts.get(finding.path) ?? "");
    const properties = {
      file: visible(pathFromRoot(finding.path, root) ?? finding.path),
      ...placeOf(finding, region),
      title: `caliban: ${finding.id}`,
    };
    return `::${COMMANDS[finding.severity]} ${written(properties)}::${
      escaped(findingLines(finding, style).join("\n"))
    }\n`;
  });
  return commands.join("") + findingsSum(report);
}

const COMMANDS: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  note: "notice",
};

/** GitHub accepts columns only within one line. A finding about the whole file is placed at line 1. */
function placeOf({ span }: Finding, region: Region): Readonly<Record<string, number>> {
  const { startLine, startColumn, endLine, endColumn } = region;
  if (span.end === span.start) return { line: startLine };
  if (endLine !== startLine) return { line: startLine, endLine };
  return { line: startLine, endLine, col: startColumn, endColumn };
}

function written(properties: Readonly<Record<string, string | number>>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${escapedProperty(`${value}`)}`)
    .join(",");
}

/** A line break would end the command, and what follows could be one of its own. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
