import { escapeOf } from "../model/problem.ts";

/** Characters that a basic string needs an escape for: controls, invisible ones, quote and backslash. */
const ESCAPED = /["\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\f", "\\f"],
  ["\r", "\\r"],
]);

/** A text as a TOML string: `"…"`, or `'…'` if that saves escapes. Invisible characters are always escaped. */
export function tomlString(text: string): string {
  const needsEscape = [...text.matchAll(ESCAPED)].map((match) => match[0]);
  const isLiteral = needsEscape.length > 0 && !text.includes("'") &&
    needsEscape.every((it) => it === '"' || it === "\\");
  if (isLiteral) return `'${text}'`;
  return `"${text.replace(ESCAPED, (it) => SHORT_ESCAPES.get(it) ?? escapeOf(it))}"`;
}

/** A name as a TOML key, bare if possible. */
export function tomlKey(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : tomlString(name);
}

/** A line of TOML with a key and its value, without a line end. */
export function tomlPair(
  [key, value]: readonly [key: string, value: string | boolean | readonly string[]],
): string {
  return `${key} = ${tomlValue(value)}`;
}

function tomlValue(value: string | boolean | readonly string[]): string {
  switch (typeof value) {
    case "string":
      return tomlString(value);
    case "boolean":
      return `${value}`;
    case "object":
      return `[${value.map(tomlString).join(", ")}]`;
  }
}
