/** Characters that no shell reads as anything but themselves. */
const BARE = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** A word as a POSIX shell reads it back: bare where that is safe, else in single quotes. */
export function quoted(word: string): string {
  return BARE.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Words joined into a command line that a POSIX shell reads back as these words. */
export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}
