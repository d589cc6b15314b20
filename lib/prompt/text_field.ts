import type { Key } from "./keys.ts";

/** One line of text that is being written. */
export interface TextField {
  /** Its characters (code points), none of them a line break. */
  readonly characters: readonly string[];
  /** The cursor's position: the number of characters before it. */
  readonly cursor: number;
}

/** A line with that text, the cursor behind it; line breaks become blanks. */
export function fieldOf(text: string): TextField {
  const characters = [...oneLine(text)];
  return { characters, cursor: characters.length };
}

/** The line's text. */
export function fieldText(line: TextField): string {
  return line.characters.join("");
}

/** The line after a key; the same line for a key that means nothing in it. */
export function fieldAfterKey(line: TextField, key: Key): TextField {
  const { characters, cursor } = line;
  switch (key.kind) {
    case "text":
    case "paste":
      return replaced(line, { from: cursor, to: cursor, by: [...oneLine(key.text)] });
    case "backspace":
      return replaced(line, { from: Math.max(0, cursor - 1), to: cursor });
    case "delete":
      return replaced(line, { from: cursor, to: cursor + 1 });
    case "erase-line":
      return replaced(line, { from: 0, to: cursor });
    case "erase-rest":
      return replaced(line, { from: cursor, to: characters.length });
    case "erase-word":
      return replaced(line, { from: wordBefore(line), to: cursor });
    case "left":
      return { characters, cursor: Math.max(0, cursor - 1) };
    case "right":
      return { characters, cursor: Math.min(characters.length, cursor + 1) };
    case "home":
      return { characters, cursor: 0 };
    case "end":
      return { characters, cursor: characters.length };
    case "enter":
    case "escape":
    case "interrupt":
    case "end-of-input":
    case "up":
    case "down":
    case "other":
      return line;
  }
}

function replaced(
  { characters }: TextField,
  { from, to, by = [] }: { from: number; to: number; by?: readonly string[] },
): TextField {
  return { characters: characters.toSpliced(from, to - from, ...by), cursor: from + by.length };
}

/** The start of the word before the cursor. */
function wordBefore({ characters, cursor }: TextField): number {
  let at = cursor;
  while (at > 0 && characters[at - 1] === " ") at--;
  while (at > 0 && characters[at - 1] !== " ") at--;
  return at;
}

function oneLine(text: string): string {
  return text.replaceAll(/\r\n|[\r\n\t]/g, " ");
}
