import type { Rule } from "../model/rule.ts";
import { cut } from "../text/call_text.ts";
import { textWidth, visible } from "../text/visible.ts";
import type { Color } from "./color.ts";
import { type Folders, placeText } from "./place_text.ts";

/** The style of a rule's lines. */
export interface RuleStyle {
  readonly color: Color;
  /** The folders that paths are shown relative to. */
  readonly folders: Folders;
  /** In front of each line. */
  readonly indent: string;
  /** The columns of a line, with its indent. */
  readonly columns: number;
  /** Set where a pattern that is longer than a line is cut. */
  readonly isCut?: true;
}

/** A rule with its place, below it where that is too long: `rule Bash:git * (allow), project, .caliban/…:4:1`. */
export function ruleLines(rule: Rule, style: RuleStyle): readonly string[] {
  const { color, indent, columns } = style;
  const shown = visible(rule.pattern);
  const pattern = style.isCut ? cut(shown, columns - indent.length - "rule ".length) : shown;
  const place = placeText(rule.source, style.folders);
  const head = `${indent}rule ${color.bold(pattern)}`;
  const action = `(${rule.action}),`;
  const width = textWidth(`${indent}rule ${pattern} ${action}`);
  if (width + 1 + textWidth(place) <= columns) return [`${head} ${action} ${place}`];
  return width <= columns
    ? [`${head} ${action}`, `${indent}${place}`]
    : [head, `${indent}${action} ${place}`];
}
