import { jsonEscaped } from "./json_value.ts";

const PLAIN = /^[\n -~]*$/;

/**
 * A value as JSON for a terminal, a log or a file: as `JSON.stringify` writes it, and besides each character escaped that a
 * terminal hides, obeys or shows as something else (C1 controls, bidi marks, invisible ones). It means the same to every
 * reader. The only printer of JSON in reports; a test holds that.
 */
export function printedJson(
  value: unknown,
  { indent = 0 }: { readonly indent?: number } = {},
): string {
  // Without further arguments V8 has a faster way.
  const text = indent === 0 ? JSON.stringify(value) : JSON.stringify(value, null, indent);
  // Most are plain ASCII, and the expression for all of Unicode takes a millisecond to compile.
  return PLAIN.test(text) ? text : text.replace(hidden(), jsonEscaped);
}

/** A text that is a string of JSON as it is. */
const UNESCAPED = /^[ !#-[\]-~]*$/;

/** A string as `printedJson` prints it, without its quotes. */
export function inQuotes(text: string): string {
  return UNESCAPED.test(text) ? text : printedJson(text).slice(1, -1);
}

/** The hidden characters that JSON itself does not escape; a line break is one between members only. */
function hidden(): RegExp {
  return /[\x7f-\x9f\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?! )\p{Zs}/gu;
}
