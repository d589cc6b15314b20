/** Deeper JSON is refused: no tool takes it, and what walks a value one call a level would run out of stack. */
export const MAX_DEPTH = 200;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** Whether a JSON text nests arrays and objects deeper than MAX_DEPTH; to be asked before the text is parsed. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at + 1);
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > MAX_DEPTH) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
  }
  return false;
}

/** The index of the quote that ends a string; the text's length when none does. */
function endOfString(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at;
}
