/** A bracket, brace or quote that a text opens. */
export interface Opening {
  /** `[`, `{`, or the quote or quotes of a string. */
  readonly mark: string;
  /** Its offset. */
  readonly at: number;
}

/** The marks that are open at an offset of a text that need not be TOML. */
export interface Openings {
  /** The brackets and braces of values that are not closed, the innermost last. */
  readonly brackets: readonly Opening[];
  /** The string that the offset is in, or that its line leaves open. */
  readonly string?: Opening;
}

const SPECIAL = /"{3}|'{3}|["'#[\]{}\n]/g;

/** A header as it should be, on a line of its own. */
export const HEADER =
  /^[ \t]*(\[{1,2})[ \t]*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)[ \t]*(\]{1,2})[ \t]*(?:#.*)?$/;

const PAIR = /^[ \t]*[\w-]+(?:\.[\w-]+)*[ \t]*=(?!=)/;

/** The brackets and the string that are open at an offset, by one look at the text before it. */
export function openingsAt(text: string, end: number): Openings {
  const brackets: Opening[] = [];
  let next = behindHeader(text, 0);
  while (true) {
    SPECIAL.lastIndex = next;
    const found = SPECIAL.exec(text);
    if (found === null || found.index >= end) return { brackets };
    const { 0: mark, index: at } = found;
    next = at + mark.length;
    if (mark === "\n") {
      if (brackets.length === 0) next = behindHeader(text, next);
    } else if (mark === "#") next = endOfLine(text, at);
    else if (mark === "[" || mark === "{") brackets.push({ mark, at });
    else if (mark === "]" || mark === "}") {
      if (brackets.at(-1)?.mark === (mark === "]" ? "[" : "{")) brackets.pop();
    } else {
      const behind = endOfString(text, { mark, at });
      const limit = mark.length === 3 ? text.length : endOfLine(text, at);
      if ((behind ?? limit) >= end) return { brackets, string: { mark, at } };
      next = behind ?? limit;
    }
  }
}

/** True if a line can only begin a table, or a key beside a list that is still open. */
export function isStatement(line: string, within: Opening): boolean {
  const [, open = "", , close = ""] = HEADER.exec(line) ?? [];
  return open !== "" && open.length === close.length || within.mark === "[" && PAIR.test(line);
}

/** The offset behind a header that begins at a line, however it is written; else the line's own. */
function behindHeader(text: string, start: number): number {
  const isHeader = /[ \t]*\[/y;
  isHeader.lastIndex = start;
  return isHeader.test(text) ? endOfLine(text, start) : start;
}

/** The offset behind a string; undefined for one that does not end. */
function endOfString(text: string, { mark, at }: Opening): number | undefined {
  const limit = mark.length === 3 ? text.length : endOfLine(text, at);
  for (let index = at + mark.length; index < limit; index++) {
    if (mark.startsWith('"') && text[index] === "\\") index++;
    else if (text.startsWith(mark, index)) {
      let behind = index + mark.length;
      // A long string may end in one or two quotes of its own.
      while (mark.length === 3 && text[behind] === mark[0] && behind < index + 5) behind++;
      return behind;
    }
  }
  return undefined;
}

/** The offset of the end of the line that an offset is in, without its line end. */
export function endOfLine(text: string, at: number): number {
  const feed = text.indexOf("\n", at);
  if (feed < 0) return text.length;
  return feed > at && text[feed - 1] === "\r" ? feed - 1 : feed;
}
