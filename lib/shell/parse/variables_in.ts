/**
 * The names of the variables and parameters that the text of a word expands, as `HOME` of `"$HOME/x"` and `1` of `$1`. Those of
 * commands inside it count too, and each name behind the start of an arithmetic expression. `isDocument`: a text in which
 * quotes are characters, as a here-document is.
 */
export function variablesIn(raw: string, { isDocument = false } = {}): readonly string[] {
  if (!raw.includes("$")) return [];
  const names = new Set<string>();
  // The quotes of commands inside it begin anew.
  const hasQuotes = !isDocument && !/\$\(|`/.test(raw);
  let isQuoted = !hasQuotes;
  for (let at = 0; at < raw.length; at++) {
    switch (raw[at]) {
      case "\\":
        at++;
        break;
      case '"':
        if (hasQuotes) isQuoted = !isQuoted;
        break;
      case "'":
        if (!isQuoted) at = endOfQuote(raw, at + 1);
        break;
      case "$": {
        if (raw[at + 1] === "'" && !isQuoted) {
          at = endOfAnsiQuote(raw, at + 2);
          break;
        }
        NAME.lastIndex = at + 1;
        const name = NAME.exec(raw)?.[1];
        if (name !== undefined) names.add(name);
      }
    }
  }
  const arithmetic = /\$(?:\(\(|\[)/.exec(raw);
  if (arithmetic) {
    for (const name of raw.slice(arithmetic.index).match(/[A-Za-z_]\w*/g) ?? []) names.add(name);
  }
  return [...names];
}

const NAME = /\{?[#!]?([A-Za-z_]\w*|\d+|[@*#?$!-])/y;

function endOfQuote(raw: string, from: number): number {
  const end = raw.indexOf("'", from);
  return end < 0 ? raw.length : end;
}

function endOfAnsiQuote(raw: string, from: number): number {
  for (let at = from; at < raw.length; at++) {
    if (raw[at] === "\\") at++;
    else if (raw[at] === "'") return at;
  }
  return raw.length;
}
