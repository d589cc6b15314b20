import type { Rule } from "../model/rule.ts";
import { textWidth, visible } from "../text/visible.ts";
import type { Color } from "./color.ts";
import { painted } from "./decision_text.ts";
import { COLUMNS } from "./layout.ts";
import { type Folders, placeText } from "./place_text.ts";

const MARGIN = 12;

/** Columns between the pattern and its place. */
const GAP = 2;

/** One rule of a list. */
export interface ListedRule {
  readonly rule: Rule;
  /** A remark behind the place of a rule that does not count, which has no index. */
  readonly mark?: string;
}

/** A rule a line: its index, action, pattern and place; the place below where the pattern is long. */
export function ruleListText(
  listed: readonly ListedRule[],
  { color, folders, columns = COLUMNS }: {
    readonly color: Color;
    readonly folders: Folders;
    /** The columns of a line; 80 when left out. */
    readonly columns?: number | undefined;
  },
): string {
  const rules = listed.map(({ rule }) => rule);
  const widths = rules.map((rule) => textWidth(visible(rule.pattern)));
  const places = listed.map(({ rule, mark }) =>
    placeText(rule.source, folders) + (mark === undefined ? "" : `  (${mark})`)
  );
  const room = columns - MARGIN - GAP -
    places.reduce((most, each) => Math.max(most, textWidth(each)), 0);
  const width = widths.reduce((most, each) => each > room ? most : Math.max(most, each), 0);
  return listed.map(({ rule, mark }, index) => {
    const pattern = visible(rule.pattern);
    const number = mark === undefined ? String(rule.index) : "-";
    const head = `${number.padStart(3)}  ${painted(rule.action, color)}${
      " ".repeat(7 - rule.action.length)
    }`;
    const place = color.dim(places[index] ?? "");
    const pad = width - textWidth(pattern);
    return pad < 0
      ? `${head}${pattern}\n${" ".repeat(MARGIN)}${place}\n`
      : `${head}${pattern}${" ".repeat(pad + GAP)}${place}\n`;
  }).join("");
}
