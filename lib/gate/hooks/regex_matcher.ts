import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { quoted } from "../../text/problems.ts";

/** The largest program that an expression may become, in instructions of RE2. */
const MOST_STEPS = 5_000;

/** A test for whole names, or the reason why the text is no expression, without a final full stop. */
export type RegexResult =
  | { readonly ok: true; readonly fits: (name: string) => boolean }
  | { readonly ok: false; readonly detail: string };

/**
 * Compiles a regular expression of RE2 over a whole name. It is matched in linear time, because the platform's own engine
 * backtracks: `(\w+)*-` would never come to an end over a long name, and with it the hook that was to deny.
 *
 * Differences to ECMAScript: no look-around, no back-references, no `[^]`; a code point is `\x{1F980}`, not `\u{1F980}`;
 * `\s` is an ASCII blank; `(?i)`, `[[:alpha:]]` and `\Q…\E` are understood; braces and brackets that open nothing are text.
 */
export function compileRegex(text: string): RegexResult {
  try {
    const regex = RE2JS.compile(text, RE2JS.DOTALL);
    return regex.programSize() > MOST_STEPS
      ? { ok: false, detail: "its repetition counts make it too large" }
      : { ok: true, fits: (name) => regex.matches(name) };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { ok: false, detail: detailOf(error, text) };
  }
}

/** The fault in RE2's words, with the piece of the text that has it. */
function detailOf(error: RE2JSException, text: string): string {
  if (!(error instanceof RE2JSSyntaxException)) return error.message;
  const { error: fault, input } = error;
  const piece = input?.replace(/^\(\?s\)/, "");
  if (/^\(\?<?[=!]/.test(piece ?? "")) return "look-around is not supported";
  return piece === undefined || piece === text ? fault : `${fault} ${quoted(piece)}`;
}
