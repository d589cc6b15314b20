import { escapeOf } from "../model/problem.ts";
import { visible } from "./visible.ts";

/** Characters without a meaning in any shell. */
const BARE = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * A word for a POSIX shell: bare if that is safe, else in single quotes, or as `$'…'` if it has characters that a terminal
 * hides or obeys.
 */
export function shellQuoted(word: string): string {
  if (BARE.test(word)) return word;
  return visible(word) === word ? singleQuoted(word) : `$'${escaped(word)}'`;
}

/** A text in single quotes, as a POSIX shell reads it. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function escaped(word: string): string {
  return [...word].map((char) => {
    if (char === "'" || char === "\\") return `\\${char}`;
    if (visible(char) === char) return char;
    const escape = escapeOf(char);
    return escape.slice(0, 2) + escape.slice(2).toLowerCase();
  }).join("");
}

/** A command line that a POSIX shell splits into these words. */
export function commandLine(words: readonly string[]): string {
  return words.map(shellQuoted).join(" ");
}

/** A text in backticks on one line, cut if it is long. */
export function inBackticks(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ⏎ ");
  const short = line.length > 60 ? `${line.slice(0, 57)}…` : line;
  return `\`${short}\``;
}

/** The text, cut to that many UTF-16 code units with `…` for its end. */
export function cutAt(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}
