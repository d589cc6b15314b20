import type { Color } from "../../report/color.ts";
import { docsOf } from "../../lint/registry.ts";
import { isIgnorable } from "../../policy/decode/ignore_comments.ts";
import { paragraph } from "../help.ts";

/** The documentation of a finding: its meaning, its risk and the remedy; `id` is one of FINDING_IDS. */
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
        ? `To suppress one: # caliban-ignore: ${id} why`
        : "A comment cannot suppress it.",
      0,
    ),
  ];
  return lines.join("\n") + "\n";
}
