const PLAIN = /^[ -~]*$/;

/**
 * The text with every hidden character as `\u{202e}`, so that a reader sees all of it. Newlines and tabs count as hidden;
 * other text is unchanged.
 *
 * ```ts
 * import { visible } from "./visible.ts";
 *
 * visible("ls\u{1b}[2J"); // "ls\\u{1b}[2J"
 * ```
 */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(hidden(), escaped);
}

/**
 * Characters that a terminal hides, obeys, or shows as something else: control, format (bidi, zero-width), line and
 * paragraph separators, lone surrogates, everything that Unicode lets a display ignore, and blanks other than the space.
 *
 * A function, since an expression for all of Unicode takes a millisecond to make, and most text is plain ASCII.
 */
function hidden(): RegExp {
  return /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}/gu;
}

/** Writes one character as `\u{…}`, in hexadecimal without leading zeros. */
function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The width of a code point on a terminal, in columns; only for text without hidden characters. */
function characterWidth(character: string): 0 | 1 | 2 {
  if (character <= "\x7f") return 1;
  if (/^[\p{Mn}\p{Me}]$/u.test(character)) return 0;
  return isWide(character) ? 2 : 1;
}

function isWide(character: string): boolean {
  return /^(?:[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{33ff}\u{3400}-\u{4dbf}\u{4e00}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u
    .test(character);
}

/** The width of a text without hidden characters on a terminal, in columns. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}
