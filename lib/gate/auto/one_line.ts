/** What a reader of the text does not see, or sees in another place: it could say something that nobody wrote. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with every hidden character, newlines too, written as `\\uXXXX`; a JSON text keeps its meaning. */
export function withoutHidden(text: string): string {
  return text.replace(HIDDEN, escaped);
}

/** A character as JSON escapes it: one `\\uXXXX` a UTF-16 code unit. */
function escaped(character: string): string {
  return character.split("").map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** A text of at most that many characters (code points) in one line, cut where it is longer. */
export function oneLine(text: string, longest: number): string {
  // Only so much of a long text is looked at as can be shown.
  const characters = [...withoutHidden(text.slice(0, 2 * longest + 2))];
  return characters.length > longest || text.length > 2 * longest + 2
    ? characters.slice(0, longest - 1).join("") + "…"
    : characters.join("");
}
