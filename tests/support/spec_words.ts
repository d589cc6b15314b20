const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["e", "\x1b"],
  ["\\", "\\"],
  ["'", "'"],
]);

/** One piece of a word: single-quoted, $'…', double-quoted, escaped, a variable, or bare. */
const PIECE =
  /'([^']*)'|\$'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)"|\\([^])|(\$[A-Z]+)|([^\s'"\\$]+)/y;

/**
 * Splits a command line into words as bash does, as far as specs need it: quotes, `\`, `$'…'` and the variables given.
 * Throws Error for anything else.
 */
export function shellWords(line: string, variables: ReadonlyMap<string, string>): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? "")) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at++;
      continue;
    }
    PIECE.lastIndex = at;
    const match = PIECE.exec(line);
    if (match === null) throw new Error(`Cannot split "${line}" at ${at}`);
    word = (word ?? "") + pieceText(match, variables);
    at = PIECE.lastIndex;
  }
  return word === undefined ? words : [...words, word];
}

function pieceText(match: RegExpExecArray, variables: ReadonlyMap<string, string>): string {
  const [, single, ansi, double, escaped, variable, bare] = match;
  if (ansi !== undefined) {
    return ansi.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|([^]))/g, ansiText);
  }
  if (double !== undefined) {
    return filled(double, variables).replace(/\\([$`"\\])/g, "$1");
  }
  if (variable !== undefined) return filled(variable, variables);
  return single ?? escaped ?? bare ?? "";
}

function ansiText(_all: string, byte?: string, unit?: string, letter?: string): string {
  const code = byte ?? unit;
  if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
  const text = ESCAPES.get(letter ?? "");
  if (text === undefined) throw new Error(`Unknown escape "\\${letter}"`);
  return text;
}

/** The text with `$DIR` and its like replaced. */
export function filled(text: string, variables: ReadonlyMap<string, string>): string {
  return text.replace(/\$[A-Z]+/g, (name) => variables.get(name) ?? name);
}
