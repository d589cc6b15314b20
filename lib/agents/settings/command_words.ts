/** The words at the start of a text, and the rest behind them, which begins with something else. Total. */
export function wordsOf(
  text: string,
): { readonly words: readonly string[]; readonly rest: string } {
  const words: string[] = [];
  let rest = text.trimStart();
  for (let first = firstWord(rest); first !== undefined; first = firstWord(rest)) {
    words.push(first.word);
    rest = first.rest.trimStart();
  }
  return { words, rest };
}

/** A word of POSIX shell as we write one: bare, in single quotes, or of octal numbers. */
const WORD = /^(?:[\w@%+=:,./-]|'[^']*'|\\'|"[`$]\(?printf '[^']*'[`)]")+/;

/** The word at the start of a text; undefined if the text does not begin with a word as we write it. Total. */
export function firstWord(
  text: string,
): { readonly word: string; readonly rest: string } | undefined {
  const [found] = WORD.exec(text) ?? [];
  if (found === undefined) return undefined;
  const word = found.replaceAll(
    /'([^']*)'|\\(')|"[`$]\(?printf '([^']*)'[`)]"/g,
    (_, quoted: string | undefined, escaped: string | undefined, format: string = "") =>
      quoted ?? escaped ?? printed(format),
  );
  return { word, rest: text.slice(found.length) };
}

/** The output of printf for a format with octal numbers. */
function printed(format: string): string {
  const bytes: number[] = [];
  for (const [part] of format.matchAll(/\\[0-7]{1,3}|\\n|\\\\|%%|[^]/gu)) {
    if (/^\\[0-7]/.test(part)) bytes.push(parseInt(part.slice(1), 8));
    else {
      const text = part === "\\n"
        ? "\n"
        : part.length === 2 && part !== "\\n"
        ? part[1] ?? ""
        : part;
      bytes.push(...new TextEncoder().encode(text));
    }
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
