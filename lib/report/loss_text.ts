import { isLooser, type Loss } from "../model/problem.ts";
import type { Color } from "./color.ts";
import { labelled } from "./layout.ts";
import { visible } from "../text/visible.ts";
import { cutAt } from "../text/quote.ts";

/** The longest rule that is shown whole, in UTF-16 code units. */
const LONGEST = 300;

/**
 * Losses as texts, each ending in a newline: `path:line:column: dropped: allow Bash(x): why`, in 80 columns. What lets more through
 * is red. Those of rules, of one kind at several places of a file are one text, with their number and lines.
 */
export function lossTexts(
  losses: readonly Loss[],
  { color, path }: { readonly color: Color; readonly path?: string },
): readonly string[] {
  const groups = new Map<string, Loss[]>();
  for (const [index, loss] of losses.entries()) {
    const { kind, action, detail, span } = loss;
    // Without a place the rule itself is all that names it, and settings differ.
    const isOne = path === undefined || span === undefined || action === undefined;
    const key = isOne ? `${index}` : `${kind} ${action} ${detail}`;
    const group = groups.get(key);
    if (group) group.push(loss);
    else groups.set(key, [loss]);
  }
  return [...groups.values()].map((group) => groupText(group, { color, path }));
}

function groupText(
  [first, ...more]: readonly Loss[],
  { color, path }: { readonly color: Color; readonly path: string | undefined },
): string {
  const { kind, action, subject, detail, span } = first!;
  const place = path === undefined || span === undefined
    ? ""
    : `${visible(path)}:${span.line}:${span.column}: `;
  const label = `${kind}:`;
  const paint = isLooser(first!) ? color.red : color.yellow;
  const others = more.length === 0
    ? ""
    : ` and ${more.length} more on ${linesText(more.flatMap((each) => each.span?.line ?? []))}`;
  const lines = labelled(
    visible(`${action ?? "setting"} ${cutAt(subject, LONGEST)}${others}: ${detail}`),
    { text: place + label, painted: color.bold(place) + paint(label), indent: 4 },
  );
  return lines.join("\n") + "\n";
}

/** The most ranges of lines that are listed. */
const MOST_RANGES = 12;

/** Lines for people: `line 3`, `lines 3, 5-9 and others`. */
function linesText(numbers: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const line of [...new Set(numbers)].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.to === line - 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  const shown = ranges.slice(0, MOST_RANGES)
    .map(({ from, to }) => from === to ? `${from}` : `${from}-${to}`).join(", ");
  const rest = ranges.length > MOST_RANGES ? " and others" : "";
  return `${/^\d+$/.test(shown) ? "line" : "lines"} ${shown}${rest}`;
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
