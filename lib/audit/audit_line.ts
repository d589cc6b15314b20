import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import { type AuditEntry, auditEntry, type AuditMeta, type EntryBounds } from "./audit_entry.ts";
import { cleanText } from "./keep_input.ts";

/** The longest line, in bytes, its newline included. */
export const MAX_LINE_BYTES = 8192;

const PLAIN = /^[ -~]*$/;

/** What is kept, from most to least: the first that makes a line short enough. The last one always does. */
const BOUNDS: readonly Omit<EntryBounds, "clean">[] = [
  { text: 2000, members: 50, units: 24 },
  { text: 600, members: 24, units: 8 },
  { text: 200, members: 12, units: 4 },
  { text: 90, members: 0, units: 1 },
];

/** Characters that a terminal hides or obeys and that JSON leaves as they are. */
const HIDDEN =
  /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}/gu;

/**
 * A decision as one line of the audit log, ending in its newline: JSON without a raw newline or hidden character, file
 * contents left out, secrets masked, 8 KiB at most. Throws RangeError for a time outside of the years 0 to 9999.
 */
export function auditLine(decision: Decision, call: ToolCall, meta: AuditMeta): string {
  let line = "";
  const clean = remembering(cleanText);
  for (const bounds of BOUNDS) {
    line = entryLine(auditEntry(decision, call, { meta, bounds: { ...bounds, clean } }));
    if (new TextEncoder().encode(line).length <= MAX_LINE_BYTES) break;
  }
  return line;
}

/** An entry as its line, ending in a newline; nothing in it can steer a terminal. */
export function entryLine(entry: AuditEntry): string {
  const text = JSON.stringify(entry);
  // Most are plain ASCII, and the expression for all of Unicode takes a millisecond to compile.
  return `${PLAIN.test(text) ? text : text.replace(HIDDEN, escaped)}\n`;
}

/** A function that does not work twice for the same text. */
function remembering(of: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = of(text);
    known.set(text, value);
    return value;
  };
}

/** A character as JSON writes it in escapes. */
function escaped(character: string): string {
  let text = "";
  for (let index = 0; index < character.length; index++) {
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return text;
}
