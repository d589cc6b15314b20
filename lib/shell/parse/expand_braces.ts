import { fixedWord, type Word } from "./tree.ts";

/** The most words that the braces of one word are expanded to. */
const MAX_CHOICES = 64;

/** The words that the braces of a word expand to; undefined for too many, and next to quoting or expansions. */
export function expandBraces(raw: string): readonly Word[] | undefined {
  if (!/^[\w\-./:=@%+,^{}]+$/.test(raw)) return undefined;
  const texts = expandText(raw, 0);
  // An empty text would be no word.
  return texts?.includes("") ? undefined : texts?.map(fixedWord);
}

function expandText(text: string, depth: number): readonly string[] | undefined {
  const group = firstGroup(text);
  if (group === undefined) return [text];
  if (depth > 8) return undefined;
  const middles = optionsOf(group.body);
  if (middles === undefined) return undefined;
  const results: string[] = [];
  for (const middle of middles) {
    const rest = expandText(text.slice(0, group.start) + middle + text.slice(group.end), depth + 1);
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

/** The first `{…}` with a comma or `..` at its own level; any other is literal text. */
function firstGroup(text: string): Group | undefined {
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    const close = closingBrace(text, start);
    if (close < 0) continue;
    const body = text.slice(start + 1, close);
    if (topLevelParts(body).length > 1 || body.includes("..")) {
      return { start, end: close + 1, body };
    }
  }
  return undefined;
}

const SEQUENCE = /^(-?\d+)\.\.(-?\d+)$/;

function closingBrace(text: string, start: number): number {
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
  if (!numbers) {
    const parts = topLevelParts(body);
    // Letters, and steps.
    return parts.length > 1 ? parts : undefined;
  }
  const [from, to] = [Number(numbers[1]), Number(numbers[2])];
  // Leading zeros ask for padding, which is not expanded here.
  if (/^-?0\d/.test(numbers[1]!) || /^-?0\d/.test(numbers[2]!)) return undefined;
  if (Math.abs(to - from) >= MAX_CHOICES) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => `${from + index * step}`);
}
