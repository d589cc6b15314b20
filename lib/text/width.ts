/** Columns that one code point takes on a terminal: 0, 1 or 2. Right for text in which nothing is hidden. */
export function characterWidth(character: string): 0 | 1 | 2 {
  if (character <= "\x7f") return 1;
  if (/^[\p{Mn}\p{Me}]$/u.test(character)) return 0;
  return isWide(character) ? 2 : 1;
}

function isWide(character: string): boolean {
  return /^(?:[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{33ff}\u{3400}-\u{4dbf}\u{4e00}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation})$/u
    .test(character);
}

/** Columns that a text without hidden characters takes on a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}
