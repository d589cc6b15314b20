import type { Json, ToolCall } from "../model/call.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import { textWidth, visible } from "./visible.ts";

/** A call in one line, nothing hidden in it: the tool and its first argument, or its whole input as JSON. */
export function callText(call: ToolCall, units: readonly UnitVerdict[]): string {
  const whole = Object.keys(call.input).length === 0 ? "" : JSON.stringify(call.input);
  const [first] = units;
  const text = first?.kind === "call" ? first.text : lineOf(call, units);
  const argument = text === undefined || text === call.tool ? whole : text;
  return `${visible(call.tool)} ${visible(argument)}`.trimEnd();
}

/** A unit in one line, nothing hidden in it: `rm -rf / (through sudo)`, `Write f (through > f)`. */
export function unitText({ kind, tool, text, via }: UnitVerdict): string {
  const isOfLine = kind === "command" || kind === "opaque";
  const remarks = [
    ...(via === null ? [] : [`through ${visible(said(via))}`]),
    ...(kind === "opaque" ? ["cannot be analysed"] : []),
  ];
  // A tool without a first argument has its name for a text.
  const isTool = kind === "call" && text === tool;
  const shown = isOfLine || isTool ? visible(text) : `${visible(tool)} ${visible(text)}`;
  return remarks.length === 0 ? shown : `${shown} (${remarks.join("; ")})`;
}

/** The number of units by which the line is found among the texts of an input. */
const TELLING = 16;

/** The command line that was parsed: the text of the input that has most of its units. */
function lineOf(call: ToolCall, units: readonly UnitVerdict[]): string | undefined {
  const said = units
    .filter(({ kind, depth }) => depth === 0 && (kind === "command" || kind === "opaque"))
    .slice(0, TELLING);
  let best: string | undefined;
  let most = 0;
  for (const text of textsOf(call.input)) {
    const count = said.filter((unit) => text.includes(unit.text)).length;
    if (count > most) [best, most] = [text, count];
  }
  return best;
}

function textsOf(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  return value === null || typeof value !== "object" ? [] : Object.values(value).flatMap(textsOf);
}

/** The text, cut to that many columns with `…` for its end. */
export function cut(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let width = 0;
  let kept = "";
  for (const char of text) {
    width += textWidth(char);
    if (width > columns - 1) break;
    kept += char;
  }
  return `${kept}…`;
}

/** An option with its value, said once: `git --output=x` for `git --output --output=x`. */
function said(via: string): string {
  return via.replace(/(^| )(--?[\w-]+) (?=\2=)/, "$1");
}
