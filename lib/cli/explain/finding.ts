import type { Color } from "../../report/color.ts";
import { docsOf } from "../../lint/finding_docs.ts";
import { isIgnorable } from "../../lint/ignore_comments.ts";
import { paragraph } from "../layout.ts";

/** What a finding means, why it matters, and what to write instead; `id` is one of FINDING_IDS. */
export function explainText(id: string, color: Color): string {
  const { severity, docs } = docsOf(id);
  const code = (text: string) => text.split("\n").map((line) => `  ${line}`);
  const lines = [
    `${color.bold(id)} (${severity})`,
    "",
    ...paragraph(`${docs.what}.`, 0),
    "",
    ...paragraph(docs.why, 0),
    "",
    color.bold("Avoid:"),
    ...code(docs.avoid),
    "",
    color.bold("Prefer:"),
    ...code(docs.prefer),
    "",
    ...paragraph(
      isIgnorable(id)
        ? `To leave one out: # caliban-ignore: ${id} why`
        : "It cannot be ignored by a comment.",
      0,
    ),
  ];
  return lines.join("\n") + "\n";
}
