import type { Finding } from "../../model/finding.ts";
import type { FindingStyle } from "./finding_report.ts";
import { visible } from "../../text/visible.ts";

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
