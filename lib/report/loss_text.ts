import { isLooser, type Loss } from "../model/problem.ts";
import type { Color } from "./color.ts";
import { labelled } from "./layout.ts";
import { visible } from "../text/visible.ts";
import { cutAt } from "../text/quote.ts";

/** The longest rule that is shown whole, in UTF-16 code units. */
const LONGEST = 300;

/**
 * A loss as text, ending in a newline: `path:line:column: dropped: allow Bash(x): why`, in 80 columns. What lets
 * more through is red.
 */
export function lossText(
  loss: Loss,
  { color, path }: { readonly color: Color; readonly path?: string },
): string {
  const place = path === undefined || loss.span === undefined
    ? ""
    : `${visible(path)}:${loss.span.line}:${loss.span.column}: `;
  const kind = `${loss.kind}:`;
  const paint = isLooser(loss) ? color.red : color.yellow;
  const lines = labelled(
    visible(`${loss.action ?? "setting"} ${cutAt(loss.subject, LONGEST)}: ${loss.detail}`),
    {
      text: place + kind,
      painted: color.bold(place) + paint(kind),
      indent: 4,
    },
  );
  return lines.join("\n") + "\n";
}

/** A loss as JSON; line and column count from 1. */
export function lossJson({ kind, action, subject, detail, span }: Loss): object {
  return {
    kind,
    ...(action === undefined ? {} : { action }),
    rule: subject,
    detail,
    ...(span === undefined ? {} : { line: span.line, column: span.column }),
  };
}
