import type { Color } from "./color.ts";
import { COLUMNS, labelled } from "./layout.ts";
import { visible } from "../text/visible.ts";
import { textWidth } from "../text/width.ts";

/** What a person can do next. */
export interface Hint {
  /** One sentence; it ends in a colon where a command follows. */
  readonly hint: string;
  /** A command to paste, which is never broken. */
  readonly command?: string | undefined;
}

/** `hint: …`, the command behind it or, where that is too long, below it. Nothing of the user's text is written raw. */
export function hintLines({ hint, command }: Hint, color: Color): readonly string[] {
  const lines = labelled(visible(hint), {
    text: "hint:",
    painted: color.cyan("hint:"),
    indent: "hint: ".length,
  });
  if (command === undefined) return lines;
  const shown = visible(command);
  const width = textWidth(visible(`hint: ${hint} ${command}`));
  return lines.length === 1 && width <= COLUMNS
    ? [`${lines[0]} ${shown}`]
    : [...lines, `  ${shown}`];
}
