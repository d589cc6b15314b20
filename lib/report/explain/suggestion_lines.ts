import { visible } from "../../text/visible.ts";
import { paragraph, rowsOf } from "../layout.ts";
import { beforeFlags } from "./before_flags.ts";
import type { ExplainStyle } from "./explain_style.ts";
import type { Explanation } from "./explanation.ts";

/** One command that changes the outcome of the whole call, if it takes at most `rows` rows; a sentence where no rule does. */
export function suggestionLines(
  { decision, remedy, remedies }: Pick<Explanation, "decision" | "remedy" | "remedies">,
  { color, columns, rows }: Pick<ExplainStyle, "color" | "columns"> & { readonly rows: number },
): readonly string[] {
  const rules = remedy === null ? remedies : [remedy];
  const [first] = rules;
  if (first === undefined) {
    return paragraph("No suggestion: no rule in your files would change only this call.", {
      indent: "",
      columns,
    });
  }
  const article = first.action === "allow" || first.action === "ask" ? "an" : "a";
  const whole = rules.map(({ command }) => command).join(" && ");
  const command = visible(whole);
  const subject = rules.length === 1 ? "rule that turns" : "rules that together turn";
  const what = `${subject} this ${beforeFlags(decision)} into ${article} ${first.action}`;
  if (rowsOf([`  ${command}`], columns) > rows) {
    return paragraph(`The narrowest ${what}: too long to show here; --trace shows it.`, {
      indent: "",
      columns,
    });
  }
  return [
    ...paragraph(`The narrowest ${what}:`, { indent: "", columns }),
    `  ${color.cyan(command)}`,
    ...(command === whole ? [] : ["  (hidden characters are shown as \\u{…}: do not paste it)"]),
  ];
}
