import { visible } from "../../text/visible.ts";
import { pathText } from "../place_text.ts";
import type { FindingReport, FindingStyle } from "./finding_report.ts";

/** One line a finding, `path:line:column: severity[id] message`, as editors read it; empty without findings. */
export function findingsConcise(
  { findings }: FindingReport,
  { folders: { home: _, ...folders } }: FindingStyle,
): string {
  return findings.map(({ path, span: { line, column }, severity, id, message }) =>
    `${pathText(path, folders)}:${line}:${column}: ${severity}[${id}] ${visible(message)}\n`
  ).join("");
}
