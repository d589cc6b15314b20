import type { ToolCall } from "../model/call.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import { textWidth } from "./width.ts";
import { visible } from "./visible.ts";

/** A call in one line, nothing hidden in it: the tool and its first argument, or its whole input as JSON. */
export function callText(call: ToolCall, unit: UnitVerdict): string {
  const whole = Object.keys(call.input).length === 0 ? "" : JSON.stringify(call.input);
  const argument = unit.text === call.tool ? whole : unit.text;
  return `${visible(call.tool)} ${visible(argument)}`.trimEnd();
}

/** Text of at most that many columns: what is too long ends in `…`. */
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
