import type { Finding } from "../../model/finding.ts";
import type { Color } from "../color.ts";
import type { Folders } from "../place_text.ts";

/** What lint has to say. */
export interface FindingReport {
  /** Every finding, by file and in the order of the text. */
  readonly findings: readonly Finding[];
  /** The files that were looked at, with the texts that spans point into. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** What `--fix` has mended. */
  readonly fixed: readonly Finding[];
}

/** How a report is written. */
export interface FindingStyle {
  /** How text for people is set off. */
  readonly color: Color;
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

/** How many findings weigh how much. */
export interface FindingCounts {
  /** Errors. */
  readonly errors: number;
  /** Warnings. */
  readonly warnings: number;
  /** Notes. */
  readonly notes: number;
}

/** Counts findings. */
export function countFindings(findings: readonly Finding[]): FindingCounts {
  const count = (wanted: Finding["severity"]) =>
    findings.filter(({ severity }) => severity === wanted).length;
  return { errors: count("error"), warnings: count("warning"), notes: count("note") };
}
