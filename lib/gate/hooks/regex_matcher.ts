import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import { quoted } from "../../model/problem.ts";

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
 * `\s` is an ASCII blank; `(?i)` and `[[:alpha:]]` are understood. Refused although RE2 takes it: what no name can match, as `a^b`,
 * a brace or bracket that closes nothing, and escapes such as `\a`; a hook that never runs would be silent.
 */
export function compileRegex(text: string): RegexResult {
  const detail = idleDetail(text);
  if (detail !== undefined) return { ok: false, detail };
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

/** The pieces of an expression, each with what may stand in it. */
const PIECE =
  /\\(?:[pPx]\{[^}]*\}|[^])|\[\^?\]?(?:\[:\^?\w+:\]|\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|\(\?[a-zA-Z-]+\)|\((?:\?(?:P?<\w+>|[a-zA-Z-]*:))?|[^]/gu;

const ESCAPE = /^\\(?:[dDwWsSbBtnrfvxpP]|[^A-Za-z0-9])/;

interface Level {
  /** True if the group stands at the start of the whole. */
  readonly atStart: boolean;
  /** True once the alternative has matched something. */
  begun: boolean;
  /** True once the alternative has a `$`. */
  ended: boolean;
  /** True if any alternative has a `$`. */
  hasEnd: boolean;
}

/** The reason why no name, or only some ways through the expression, can match; undefined if there is none. */
function idleDetail(text: string): string | undefined {
  const levels: Level[] = [{ atStart: true, begun: false, ended: false, hasEnd: false }];
  let before = "";
  for (const [piece] of text.matchAll(PIECE)) {
    const level = levels.at(-1)!;
    if (/^[*+?{]/.test(piece) && /^[$^]$/.test(before)) {
      return `nothing to repeat before ${quoted(piece)}`;
    }
    before = piece;
    // RE2 names the class that is not closed; looking for the next one would make hostile texts quadratic.
    if (piece === "[") return undefined;
    if (piece === "]" || piece === "{" || piece === "}") return `unbalanced ${quoted(piece)}`;
    if (piece.length > 1 && piece.startsWith("\\") && !ESCAPE.test(piece)) {
      return `unknown escape ${quoted(piece)}`;
    }
    if (piece === "^") {
      if (!level.atStart || level.begun) return '"^" is not at the start';
    } else if (piece === "$") level.ended = level.hasEnd = true;
    else if (piece === "|") level.begun = level.ended = false;
    else if (piece === ")") closeGroup(levels);
    else if (/^\(\?[a-zA-Z-]+\)$/.test(piece)) continue;
    else if (level.ended) return '"$" is not at the end';
    else if (piece.startsWith("(")) {
      const atStart = level.atStart && !level.begun;
      levels.push({ atStart, begun: false, ended: false, hasEnd: false });
    } else level.begun = true;
  }
  return undefined;
}

function closeGroup(levels: Level[]): void {
  const closed = levels.length > 1 ? levels.pop() : undefined;
  const level = levels.at(-1)!;
  level.begun = true;
  if (closed?.hasEnd) level.ended = level.hasEnd = true;
}
