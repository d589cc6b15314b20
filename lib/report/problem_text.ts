import type { FileProblem } from "../model/problem.ts";
import { textWidth, visible } from "../text/visible.ts";
import type { Color, TextStyle } from "./color.ts";
import { excerpt } from "./excerpt.ts";
import { COLUMNS, columnsOf, labelled } from "./layout.ts";

const INDENT = "  ";
const LONGEST = 2000;

/**
 * A problem as people and editors read it, ending in a newline: `path:line:column: error: message`, the source line
 * with the offending text underlined, and the hint, in at most 80 columns. Hidden characters of the user's text are escaped.
 */
export function problemText(problem: FileProblem, options: { color: Color }): string {
  const { color } = options;
  const { span } = problem;
  const paint = problem.severity === "error" ? color.red : color.yellow;
  const place = `${visible(problem.path)}:${span.line}:${span.column}:`;
  const severity = `${problem.severity}:`;
  const { line, underline } = excerpt(problem.text, { span, columns: COLUMNS - INDENT.length });
  const lines = [
    ...labelled(shortened(problem.message), {
      text: `${place} ${severity}`,
      painted: `${color.bold(place)} ${paint(severity)}`,
      indent: severity.length + 1,
    }),
    `${INDENT}${line}`,
    `${INDENT}${color.red(underline)}`,
  ];
  if (problem.hint !== undefined) {
    const { command } = problem;
    lines.push(...hintLines({ hint: shortened(problem.hint), command }, color));
  }
  return lines.join("\n") + "\n";
}

/** A sentence with nothing hidden, cut where a user's value in it is out of all proportion. */
function shortened(sentence: string): string {
  const shown = visible(sentence);
  if (shown.length <= LONGEST) return shown;
  const half = LONGEST / 2;
  return `${shown.slice(0, half).toWellFormed()} … ${shown.slice(-half).toWellFormed()}`;
}

/** A suggested next step. */
export interface Hint {
  /** One sentence; it ends in a colon where a command follows. */
  readonly hint: string;
  /** A command to paste, which is never broken. */
  readonly command?: string | undefined;
}

/** `hint: …`, the command behind it or, where that is too long, below it. Hidden characters of the user's text are escaped. */
export function hintLines({ hint, command }: Hint, color: TextStyle): readonly string[] {
  const lines = labelled(visible(hint), {
    text: "hint:",
    painted: color.cyan("hint:"),
    indent: "hint: ".length,
    columns: color.columns,
  });
  if (command === undefined) return lines;
  const shown = visible(command);
  const width = textWidth(visible(`hint: ${hint} ${command}`));
  return lines.length === 1 && width <= columnsOf(color)
    ? [`${lines[0]} ${shown}`]
    : [...lines, `  ${shown}`];
}
