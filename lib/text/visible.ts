const PLAIN = /^[ -~]*$/;

/**
 * The text with every hidden character written as `\u{202e}`, so that what is shown is what is there. Newlines and tabs
 * count as hidden; other text is unchanged.
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
