import type { Word } from "./tree.ts";

/** How many words one word's braces may stand for; beyond it they are not counted out. */
const MAX_CHOICES = 64;

/** The words that the braces of a word stand for; undefined where it has quoting or expansions besides, or too many. */
export function braceChoices(raw: string): readonly Word[] | undefined {
  if (!/^[\w\-./:=@%+,^{}]+$/.test(raw)) return undefined;
  const texts = expanded(raw, 0);
  return texts?.map((text) => ({ raw: text, text, shape: text, splits: false }));
}

function expanded(text: string, depth: number): readonly string[] | undefined {
  const group = firstGroup(text);
  if (group === undefined) return [text];
  if (depth > 8) return undefined;
  const middles = optionsOf(group.body);
  if (middles === undefined) return undefined;
  const results: string[] = [];
  for (const middle of middles) {
    const rest = expanded(text.slice(0, group.start) + middle + text.slice(group.end), depth + 1);
    if (rest === undefined || results.length + rest.length > MAX_CHOICES) return undefined;
    results.push(...rest);
  }
  return results;
}

interface Group {
  readonly start: number;
  readonly end: number;
  readonly body: string;
}

/** The first `{…}` that holds a comma or `..` at its own level; others stand for themselves. */
function firstGroup(text: string): Group | undefined {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    const close = closingOf(text, start);
    if (close < 0) continue;
    const body = text.slice(start + 1, close);
    if (topLevelParts(body).length > 1 || SEQUENCE.test(body)) {
      return { start, end: close + 1, body };
    }
  }
  return undefined;
}

const SEQUENCE = /^(-?\d+)\.\.(-?\d+)$/;

function closingOf(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

function topLevelParts(body: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const char of body) {
    if (char === "{") depth++;
    if (char === "}") depth--;
    if (char === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts;
}

function optionsOf(body: string): readonly string[] | undefined {
  const numbers = SEQUENCE.exec(body);
  if (!numbers) return topLevelParts(body);
  const [from, to] = [Number(numbers[1]), Number(numbers[2])];
  // Leading zeros pad, which is not counted out.
  if (/^-?0\d/.test(numbers[1]!) || /^-?0\d/.test(numbers[2]!)) return undefined;
  if (Math.abs(to - from) >= MAX_CHOICES) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => `${from + index * step}`);
}
