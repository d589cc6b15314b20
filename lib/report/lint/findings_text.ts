import type { Finding, Severity } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import type { Color } from "../color.ts";
import { excerpt } from "../excerpt.ts";
import {
  countFindings,
  type FindingCounts,
  type FindingReport,
  type FindingStyle,
} from "./finding_report.ts";
import { hintLines } from "../problem_text.ts";
import { columnsOf, labelled } from "../layout.ts";
import { pathText, placeText } from "../place_text.ts";
import { visible } from "../../text/visible.ts";

const INDENT = "  ";

/** Findings for people, in the columns of the style, then how many there are. Hidden characters of the user's text are escaped. */
export function findingsText(report: FindingReport, style: FindingStyle): string {
  const { findings, files, fixed } = report;
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const parts = findings.map((finding) =>
    findingText(finding, { text: texts.get(finding.path) ?? "", style }) + "\n"
  );
  return [...fixed.map((finding) => fixedText(finding, style)), ...parts, findingsSum(report)].join(
    "",
  );
}

function fixedText(
  { path, span, id, fix, rule }: Finding,
  { color, folders }: FindingStyle,
): string {
  const place = `${pathText(path, folders)}:${span.line}:${span.column}:`;
  const about = rule === null ? "" : ` ${rule.action} ${visible(rule.pattern)}`;
  const title = fix?.removesRule ? `removed${about}` : visible(fix?.title ?? "");
  return `${color.green("fixed")} ${color.bold(place)} ${id}: ${title}\n`;
}

/** One finding: what and where, the line underlined, what decides before, a call that shows it, and what to do. */
export function findingText(
  finding: Finding,
  { text, style }: { readonly text: string; readonly style: FindingStyle },
): string {
  const { id, severity, message, path, span } = finding;
  const { color, folders } = style;
  const place = `${pathText(path, folders)}:${span.line}:${span.column}:`;
  const { line, underline } = excerpt(text, { span, columns: columnsOf(color) - INDENT.length });
  const lines = [
    ...labelled(visible(message), {
      text: `${place} ${severity} ${id}:`,
      painted: `${color.bold(place)} ${painted(severity, color)} ${id}:`,
      indent: severity.length + 1,
      columns: color.columns,
    }),
    // A finding about the whole file has no line.
    ...(span.end > span.start ? [`${INDENT}${line}`, `${INDENT}${color.red(underline)}`] : []),
    ...relatedLines(finding.related, style),
    ...witnessLines(finding, style),
    ...(finding.hint === undefined ? [] : hintLines({ hint: finding.hint }, color)),
  ];
  return lines.join("\n") + "\n";
}

function painted(severity: Severity, color: Color): string {
  switch (severity) {
    case "error":
      return color.red(severity);
    case "warning":
      return color.yellow(severity);
    case "note":
      return color.cyan(severity);
  }
}

/** Rules whose names the message has; all of them where they are too many for it. */
const NAMED = 3;

function relatedLines(
  related: readonly Rule[],
  { color, folders }: FindingStyle,
): readonly string[] {
  if (related.length <= NAMED) return [];
  return related.map(({ action, pattern, source }) =>
    `${INDENT}${color.dim(`${action} ${visible(pattern)} (${placeText(source, folders)})`)}`
  );
}

function witnessLines(
  finding: Finding,
  { color, tryCommand }: FindingStyle,
): readonly string[] {
  const { witness, verdict } = finding;
  if (witness === undefined) return [];
  const command = `${color.cyan("try:")} ${visible(tryCommand(finding))}`;
  return verdict === undefined ? [command] : [command, `     says ${verdict}`];
}

/** `1 error and 2 warnings in 1 file; 1 can be fixed with --fix`. */
export function findingsSum({ findings, files }: FindingReport): string {
  const where = `in ${counted(files.length, "file")}`;
  const count = countFindings(findings);
  if (findings.length === 0) return `No findings ${where}\n`;
  const fixable = findings.filter(({ fix }) => fix?.verdicts === "same").length;
  const more = fixable === 0 ? "" : `; ${fixable} can be fixed with --fix`;
  return `${countText(count)} ${where}${more}\n`;
}

function countText({ errors, warnings, notes }: FindingCounts): string {
  const parts = [
    ...(errors > 0 ? [counted(errors, "error")] : []),
    ...(warnings > 0 ? [counted(warnings, "warning")] : []),
    ...(notes > 0 ? [counted(notes, "note")] : []),
  ];
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
