/** Characters that begin a key, a value or a table. */
const PARTS: ReadonlySet<string> = new Set(["[", "{", "=", ",", "."]);

const SPECIAL = /["'#[{=,.]/g;

/**
 * The number of keys, values and tables of a TOML text; with more than `most` also the offset of the next, behind which nothing is
 * counted. One look at the text, before any parser: their time and memory grow with the parts.
 */
export function countParts(
  text: string,
  most: number,
): { readonly parts: number; readonly at?: number } {
  let parts = 0;
  SPECIAL.lastIndex = 0;
  for (let found = SPECIAL.exec(text); found !== null; found = SPECIAL.exec(text)) {
    const [mark] = found;
    if (PARTS.has(mark) && ++parts > most) return { parts, at: found.index };
    if (mark === "#") SPECIAL.lastIndex = endOfLine(text, found.index);
    else if (mark === '"' || mark === "'") SPECIAL.lastIndex = endOfString(text, found.index);
  }
  return { parts };
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** The offset behind a string; one that does not end on its line ends with that. */
function endOfString(text: string, start: number): number {
  const quote = text[start]!;
  const isLong = text.startsWith(quote.repeat(3), start);
  const end = isLong ? quote.repeat(3) : quote;
  const limit = isLong ? text.length : endOfLine(text, start);
  for (let at = start + end.length; at < limit; at++) {
    if (quote === '"' && text[at] === "\\") at++;
    else if (text.startsWith(end, at)) return isLong ? behindQuotes(text, at + 3) : at + 1;
  }
  return limit;
}

/** The offset behind the one or two quotes with which a long string may end besides its three. */
function behindQuotes(text: string, at: number): number {
  const quote = text[at - 1];
  if (text[at] !== quote) return at;
  return text[at + 1] === quote ? at + 2 : at + 1;
}
