import { visible } from "./visible.ts";

/** Characters without a meaning in any shell. */
const BARE = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * A word for any POSIX shell: bare if that is safe, else in single quotes, or as `"$(printf '…')"` if it has characters that a
 * terminal hides or obeys.
 */
export function shellQuoted(word: string): string {
  if (BARE.test(word)) return word;
  if (visible(word) === word) return singleQuoted(word);
  // A substitution drops the newlines at its end.
  const end = /\n*$/.exec(word)?.[0] ?? "";
  const start = word.slice(0, word.length - end.length);
  const last = end === "" ? "" : `'${end}'`;
  return `"$(printf '${escaped(start)}')"${last}`;
}

/** A text in single quotes, as a POSIX shell reads it. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** A text as the format of `printf` between single quotes: hidden characters are octal bytes of UTF-8. */
function escaped(text: string): string {
  return [...text].map((char, index) => {
    // The first dash would begin an option.
    if (char === "-" && index === 0) return octal(char);
    if (char === "\n") return "\\n";
    if (char === "%") return "%%";
    if (char === "\\") return "\\\\";
    // A quote would end the text; an interactive bash reads its history for an exclamation mark.
    return /['!]/.test(char) || visible(char) !== char ? octal(char) : char;
  }).join("");
}

function octal(char: string): string {
  const bytes = new TextEncoder().encode(char);
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
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
