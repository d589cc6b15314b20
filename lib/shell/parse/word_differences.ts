import { mayBeSh, mayBeZsh, type Shell } from "./shell.ts";
import type { ParameterExpansionPart, WordPart } from "./unbash.ts";

/**
 * The pieces of words that bash, zsh and `sh` read differently. Each function returns the reason why the piece is unknown,
 * undefined if all shells that may run the line read it alike.
 *
 * Source: zshexpn(1) and zshmisc(1) of zsh 5.9, dash(1); `tests/io/shell_differential_test.ts` runs all of them.
 */

const BY_ZSH = "zsh reads it differently from bash";
/** The reason for `((` that begins subshells, which shells find out by trying arithmetic first. */
export const TWO_WAYS = 'the text after "((" can be read in two ways';
const BY_SH = "sh reads it differently from bash";

/** `$=x`, `$~x`, `$^x`, `$+x`, which zsh expands; a name that is not ASCII; brackets of zsh that match any character. */
const ZSH_EXPANSION = /\$(?:[=~^]|\++[\w{([@*#?$!-]|[\u0080-\uffff])|\[[!^]\]/;

/** `=program` and `~[name]`, which zsh replaces by a path, or by what a function says. */
const ZSH_PATH = /^=(?!~?$|=)|(?:^|[=:])~\[/;

/** The difference in literal text, as written; `quoted`: in quotes or inside a word, where no path begins. */
export function literalDifference(
  raw: string,
  { shell, quoted }: { shell: Shell; quoted: boolean },
): string | undefined {
  if (!mayBeZsh(shell)) return undefined;
  const bare = raw.includes("\\") ? raw.replace(/\\[^]/g, "\\") : raw;
  return ZSH_EXPANSION.test(bare) || !quoted && ZSH_PATH.test(bare) ? BY_ZSH : undefined;
}

/** Braces with a list or range in them, around an expansion. */
const LIST = /\{[^]*(?:,|\.\.)[^]*\}/;

/** The difference in an unquoted word as a whole: `}` ends a group of zsh, wherever it stands; braces hold expansions. */
export function braceDifference(
  parts: readonly WordPart[] | undefined,
  { raw, shell }: { raw: string; shell: Shell },
): string | undefined {
  if (!raw.includes("}")) return undefined;
  const literal = parts
    ? parts.map((part) => part.type === "Literal" ? part.text : "").join("")
    : raw;
  const bare = literal.replace(/\\[^]/g, "");
  if (parts && LIST.test(bare)) return "its braces may be a list";
  if (!mayBeZsh(shell)) return undefined;
  let open = 0;
  for (const char of bare) {
    if (char === "{") open++;
    if (char === "}" && --open < 0) return 'zsh ends a group at "}"';
  }
  return undefined;
}

/** Escapes of `$'…'` that bash and zsh undo alike, NUL excluded. */
const SAME_ESCAPES =
  /\\(?:[\\'"?abeEfnrtv]|(?!0+(?![0-7]))[0-7]{1,3}|x(?!0+(?![\da-fA-F]))[\da-fA-F]{1,2}|u(?!0+(?![\da-fA-F]))[\da-fA-F]{1,4}|U(?!0+(?![\da-fA-F]))[\da-fA-F]{1,8})/g;

/** The difference in a piece of a word; `next`: the text behind it in the same quotes. */
export function partDifference(
  part: WordPart,
  { shell, quoted, next }: { shell: Shell; quoted: boolean; next: string },
): string | undefined {
  if (part.type === "BraceExpansion" && /\$[,}]/.test(part.text)) {
    return "its braces may form an expansion";
  }
  if (part.type === "BraceExpansion" && isJoined(part.text, next)) {
    return "the name of a variable may continue after its braces";
  }
  if (part.type === "BraceExpansion" && part.text.includes("<<")) {
    return "braces with a here-document in them can be read in two ways";
  }
  if (part.type === "SimpleExpansion" && /^\\\n/.test(next)) {
    return "the name of the variable may continue in the next line";
  }
  if (part.text === "$$" && quoted && /^(?:\\\n)*[{(]/.test(next)) {
    return 'bash finds the end of its quotes as if "$" began an expansion';
  }
  if (isNestedGroup(part)) return TWO_WAYS;
  if (shell === "bash") return undefined;
  switch (part.type) {
    case "Literal":
      return literalDifference(part.text + next.slice(0, 1), { shell, quoted });
    case "AnsiCQuoted":
      return ansiDifference(part.text, shell);
    case "LocaleString":
      return 'zsh and sh take the "$" for text';
    case "SimpleExpansion":
      return mayBeZsh(shell) ? behindDifference(part.text, next) : undefined;
    case "ParameterExpansion":
      return parameterDifference(part, shell);
    case "ExtendedGlob":
      return shell === "sh" ? BY_SH : globDifference(part.text, next);
    case "Glob":
      return innerDifference(part.text, shell);
    case "BraceExpansion":
      return shell === "sh" ? BY_SH : innerDifference(part.text, shell);
    case "ArithmeticExpansion":
      return part.text.startsWith("$[") && (shell === "sh" || /["'\\#`]/.test(part.text))
        ? BY_SH
        : undefined;
    case "ProcessSubstitution":
      return shell === "sh" ? BY_SH : undefined;
    default:
      return undefined;
  }
}

/** True if the text behind a list in braces goes on a variable's name at the end of an item: `{a,$x}y` is `a $xy`. */
function isJoined(braces: string, next: string): boolean {
  if (!/\$\w+[,}]/.test(braces)) return false;
  return /^[\w[{:]/.test(next) || /(?<!\$)\{/.test(braces.slice(1));
}

/** An expansion behind which zsh reads a subscript or a modifier. */
const LONGER_EXPANSION = /\$(?:[\w\u0080-\uffff]+|[@*#?$!-])(?:\\\n)*(?:\[|:[A-Za-z])/;

/** The difference in text that holds words: braces and brackets. */
function innerDifference(raw: string, shell: Shell): string | undefined {
  const isLonger = mayBeZsh(shell) && LONGER_EXPANSION.test(raw);
  return isLonger ? BY_ZSH : literalDifference(raw, { shell, quoted: true });
}

/** True for a substitution that begins with a subshell, `$((a); b)`. */
function isNestedGroup({ type, text }: WordPart): boolean {
  return (type === "CommandExpansion" || type === "ProcessSubstitution") && /^[$<>]\(\(/.test(text);
}

function ansiDifference(raw: string, shell: Shell): string | undefined {
  if (shell === "sh") return BY_SH;
  if (mayBeSh(shell) && raw.replace(/\\[^']/g, "").includes("\\'")) {
    return "its quotes end elsewhere in sh";
  }
  return raw.replace(SAME_ESCAPES, "").includes("\\") ? BY_ZSH : undefined;
}

/** A subscript that is a number, a range or the whole list. */
const PLAIN_SUBSCRIPT = /^\[(?:-?\d+(?:,-?\d+)?|[@*]|\d+-\d+)\]/;

/** `$x[…]`, `$x:F…`, `$#x` and longer names of zsh. */
function behindDifference(expansion: string, next: string): string | undefined {
  const behind = next.replace(/^(?:\\\n)+/, "");
  if (/^[\p{L}\p{N}\p{M}]/u.test(behind) && behind.charCodeAt(0) > 0x7f) return BY_ZSH;
  // Its delimiter is any character, so that it may end anywhere.
  if (/^:g?s/.test(behind)) return BY_ZSH;
  if (expansion === "$#" && /^[\w@*?$!]/.test(behind)) return BY_ZSH;
  if (behind.startsWith("[") && !PLAIN_SUBSCRIPT.test(behind)) {
    return "zsh reads a subscript and evaluates it";
  }
  return /^(?::[A-Za-z]+)*:[FW]/.test(behind) ? "zsh evaluates the modifier" : undefined;
}

/** True if zsh changes a variable's value by a modifier: `$x:h`. */
export function hasModifier(next: string): boolean {
  return /^(?:\\\n)*:[A-Za-z&]/.test(next);
}

function parameterDifference(part: ParameterExpansionPart, shell: Shell): string | undefined {
  const { operation, prefix, index, text } = part;
  if (shell === "sh") {
    const isPosix = operation === undefined || operation.type === "Default" ||
      operation.type === "Remove";
    return isPosix && index === undefined && prefix !== "!" ? undefined : BY_SH;
  }
  if (/[\u0080-\uffff]/.test(part.parameter)) return BY_ZSH;
  if (/^\$\{[(=~^+"$:]|^\$\{#[^\w@*}]/.test(text)) return BY_ZSH;
  if (operation?.type !== "Slice") return undefined;
  const { offset, length } = operation;
  return offset.text === "" && length?.text.startsWith("=") ? "zsh sets the variable" : undefined;
}

const BRACKETS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/**
 * The difference in `@(…)` and its like: zsh takes the last parentheses of a word for glob qualifiers, of which `e` and `+`
 * run commands, unless a `|` in them makes them a group.
 */
function globDifference(raw: string, next: string): string | undefined {
  const inner = raw.slice(2, -1);
  const why = "zsh runs commands in glob qualifiers";
  if (next.startsWith("(") || /[$`<>&;\n]/.test(inner)) return why;
  const bare = inner.replace(/\\[^]|'[^']*'|"[^"]*"/g, "'");
  if (/[|)]/.test(bare)) return undefined;
  if (/[+'"\\]/.test(bare)) return why;
  for (let at = bare.indexOf("e"); at >= 0; at = bare.indexOf("e", at + 1)) {
    const delimiter = bare[at + 1];
    if (delimiter !== undefined && bare.includes(BRACKETS[delimiter] ?? delimiter, at + 2)) {
      return why;
    }
  }
  return undefined;
}
