import { visible } from "./visible.ts";

/** Characters that no shell reads as anything but themselves. */
const BARE = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * A word as a POSIX shell reads it back: bare where that is safe, else in single quotes, or as `$'…'` where it holds
 * characters that a terminal hides or obeys.
 */
export function quoted(word: string): string {
  if (BARE.test(word)) return word;
  return visible(word) === word ? `'${word.replaceAll("'", `'\\''`)}'` : `$'${escaped(word)}'`;
}

function escaped(word: string): string {
  return [...word].map((char) => {
    if (char === "'" || char === "\\") return `\\${char}`;
    if (visible(char) === char) return char;
    const code = (char.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  }).join("");
}

/** Words joined into a command line that a POSIX shell reads back as these words. */
export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}
