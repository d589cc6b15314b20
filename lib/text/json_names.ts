import type { Json } from "../model/call.ts";

/**
 * True if an object in a JSON text has a name twice: two readers may then read two values. `value` is the parsed text.
 */
export function hasRepeatedName(text: string, value: Json): boolean {
  return countNames(text) !== membersOf(value);
}

/** The limit of members in an event: an agent waits only so long, and then runs the call. */
export const MOST_NAMES = 100_000;

/** Counts the members of all objects in a JSON text, repeated ones included. */
export function countNames(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    at = endOfText(text, at);
    while (BLANK.has(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) === COLON) count++;
  }
  return count;
}

const COLON = 0x3a;
const BACKSLASH = 0x5c;
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** The offset after the string that begins at a quote. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

function membersOf(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner: readonly Json[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const each of inner) count += membersOf(each);
  return count;
}
