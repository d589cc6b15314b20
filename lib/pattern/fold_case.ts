/**
 * The text in lower case, one code point at a time: unlike `toLowerCase` of the whole, a letter becomes the same whatever
 * stands behind it (a final sigma), so that a text's beginning stays its beginning.
 */
export function foldCase(text: string): string {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = "";
  // By way of the capital, so that letters with the same capital become one, as a long s and an s do.
  for (const char of text) folded += char.toUpperCase().toLowerCase();
  return folded;
}
