import { foldCase } from "../../pattern/unicode.ts";
import type { ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { InlineCode } from "../../shell/effect.ts";
import { expired } from "../first_match.ts";
import type { EvalContext } from "../unit_result.ts";

/** The tools whose rules are about what code may do. */
const TOOLS = ["Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Grep", "Glob", "WebFetch"];

/** Longer code, in UTF-16 code units, and code beside more rules, counts as naming what they name. */
const LONGEST = 65_536;
const MOST_RULES = 2_000;

/** The written deny and ask rules with a specifier that code may do something against. */
export function objectorsTo({ rules, request, options }: EvalContext): readonly ToolRule[] {
  return [request.profile.name, ...TOOLS].flatMap((tool) => rules.writtenRules(tool))
    .filter(({ rule, specifier }) =>
      rule.action !== "allow" && specifier !== undefined && specifier.kind !== "any" &&
      !expired(rule, { settings: rules.settings, now: options.now })
    );
}

/**
 * True unless code certainly names nothing that a rule names: no file, host or program of its pattern, and no means to make
 * names, to look for files or to run other code. It may still do so in ways that its text does not show.
 */
export function mayName({ text }: InlineCode, rules: readonly ToolRule[]): boolean {
  if (text === undefined || text.length > LONGEST || rules.length > MOST_RULES) return true;
  if (MAKES_NAMES.test(text)) return true;
  const folded = foldCase(text);
  const texts = [folded, joined(folded), folded.replace(/["'`\\\s+]/g, "")];
  const words = new Set(texts.flatMap((each) => each.split(NO_WORD)));
  return rules.some((rule) => isNamedBy(rule, { texts, words }));
}

/** Code with adjacent literals as one: `"a" + "b"`, `"a" "b"`. */
function joined(text: string): string {
  return text.replace(/["'`]\s*[+.]?\s*[bfrub]{0,2}["'`]/gu, "");
}

const NO_WORD = /[^\p{L}\p{N}_]+/u;

function isNamedBy(
  { rule: { pattern }, specifier }: ToolRule,
  { texts, words }: { readonly texts: readonly string[]; readonly words: ReadonlySet<string> },
): boolean {
  if (specifier?.kind !== "argument") return true;
  const name = foldCase(pattern.slice(pattern.search(/[:(]/) + 1).replace(/\)$/, ""));
  if (specifier.test.kind === "command") {
    const [program] = name.split(NO_WORD).filter((word) => word.length > 1);
    return program === undefined || words.has(program);
  }
  const segments = name.replace(/^(?:domain:|\w+:\/\/)/, "").split("/");
  const isIn = segments.flatMap((segment) => {
    const pieces = segment.split(/[*?[\]{},!~\\]+/).filter((piece) => piece.length > 1);
    return pieces.map((piece) => piece === segment ? hasName(piece) : hasText(piece));
  });
  return isIn.length === 0 || isIn.some((each) => texts.some(each));
}

/** Tells whether a text has a piece of a name. */
function hasText(piece: string): (text: string) => boolean {
  return (text) => text.includes(piece);
}

/** Tells whether a text has a whole name: none that only begins or ends with it. */
function hasName(name: string): (text: string) => boolean {
  const isEnd = (character: string | undefined) =>
    character === undefined || NO_WORD.test(character);
  return (text) => {
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
      if (isEnd(text[at - 1]) && isEnd(text[at + name.length])) return true;
    }
    return false;
  };
}

/**
 * Means of the usual languages by which code makes a name of something else, finds files, takes names from the environment, or
 * runs other code.
 */
const MAKES_NAMES = new RegExp(
  [
    /\\(?:[xu0-7]|N\{)/,
    /\b(?:chr|fromCharCode|fromCodePoint|unichr|u?n?pack|atob|btoa|unhexlify|fromhex|rot13|codecs|translate)\b/,
    /b(?:ase)?(?:16|32|64|85)|\[::-1\]|\.reverse\b|\breversed\b/,
    /\b(?:eval|exec\w*|compile|__\w+__|importlib|getattr|globals|locals|vars|instance_eval|send|Function|vm)\b/,
    /\b(?:list_?dir|scandir|walk(?:_?dir)?|r?glob\w*|iterdir|read_?dir\w*|opendir|Dir|each_child|File::Find)\b|<\w*\*/,
    /\b(?:environ\w*|getenv|env|expanduser|homedir|chdir)\b|\.home\b/,
  ].map(({ source }) => source).join("|"),
  "i",
);
