import { onDemand } from "../model/on_demand.ts";

/**
 * The text in lower case, one code point at a time: unlike in `toLowerCase`, the neighbours of a letter (as of a final sigma)
 * do not matter, so that a prefix stays a prefix.
 */
export function foldCase(text: string): string {
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = "";
  // Letters with the same capital become one, such as a long s and an s.
  for (const char of text) folded += char.toUpperCase().toLowerCase();
  return folded;
}

/** The text in Unicode NFC. ASCII needs no call of the platform's normaliser, which takes over a millisecond to load. */
export function nfc(text: string): string {
  // deno-lint-ignore no-control-regex
  return /^[\x00-\x7f]*$/.test(text) ? text : text.normalize("NFC");
}

/**
 * A name as people see it: without blanks at its ends and invisible characters, and in compatibility form (NFKC). A name that
 * differs from it imitates another.
 */
export function visibleName(name: string): string {
  if (isVisible(name)) return name;
  return name.normalize("NFKC").replace(invisible(), "").trim();
}

/** True for printable ASCII without a blank at its ends. A loop takes half the time of an expression. */
function isVisible(name: string): boolean {
  const end = name.length - 1;
  for (let at = 0; at <= end; at++) {
    const code = name.charCodeAt(at);
    if (code > 0x7e || code < 0x20 || code === 0x20 && (at === 0 || at === end)) return false;
  }
  return end >= 0;
}

const invisible = onDemand(() =>
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
);

/** A name in compatibility form (NFKC) and lower case, without blanks, marks between words and invisible characters. */
export function joinedName(name: string): string {
  // An expression for all of Unicode takes a while to compile, and most names are plain.
  if (/^[\x20-\x7e]*$/.test(name)) return name.toLowerCase().replace(/[ _.-]/g, "");
  return name.normalize("NFKC").toLowerCase().replace(
    /[\s_.-]|\p{Default_Ignorable_Code_Point}/gu,
    "",
  );
}
