import type { Finding } from "../../model/problem.ts";
import { visible } from "../../text/visible.ts";
import type { TextStyle } from "../color.ts";
import type { Folders } from "../place_text.ts";

/** The findings of a lint run. */
export interface FindingReport {
  /** Every finding, by file and in the order of the text. */
  readonly findings: readonly Finding[];
  /** The files that were looked at, with the texts that spans point into. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The findings that `--fix` has fixed. */
  readonly fixed: readonly Finding[];
}

/** The style of a report. */
export interface FindingStyle {
  /** The style of text for people. */
  readonly color: TextStyle;
  /** The folders that paths are shown relative to. */
  readonly folders: Folders;
  /** The command line that tries a finding's witness under the policy that it was found in; called where there is one. */
  readonly tryCommand: (finding: Finding) => string;
  /** The folder in which other programs look for files, mostly a repository's; called where needed; else the workspace. */
  readonly root?: () => string;
  /** The version of caliban, where a format names it. */
  readonly version?: string;
}

/** Writes a report in one format; ends in a newline. */
export type FindingWriter = (report: FindingReport, style: FindingStyle) => string;

/** The number of findings by severity. */
export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
}

export function countFindings(findings: readonly Finding[]): FindingCounts {
  const count = (wanted: Finding["severity"]) =>
    findings.filter(({ severity }) => severity === wanted).length;
  return { errors: count("error"), warnings: count("warning"), notes: count("note") };
}

/** A finding in a few lines for other programs to show: what, a call that shows it, and what to do. Nothing hides in them. */
export function findingLines(finding: Finding, { tryCommand }: FindingStyle): readonly string[] {
  const { message, witness, verdict, hint } = finding;
  const says = verdict === undefined ? "" : `  (says ${verdict})`;
  return [
    visible(message),
    ...(witness === undefined ? [] : [`try: ${visible(tryCommand(finding))}${says}`]),
    ...(hint === undefined ? [] : [`hint: ${visible(hint)}`]),
  ];
}

/** The folder that other programs look for files in. */
export function rootOf({ root, folders }: FindingStyle): string {
  return root?.() ?? folders.workspace;
}
