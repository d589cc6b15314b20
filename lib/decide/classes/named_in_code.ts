import { foldCase } from "../../pattern/unicode.ts";
import type { RuleSet, ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { InlineCode } from "../../shell/effect.ts";
import { expired } from "../first_match.ts";
import type { EvalContext } from "../unit_result.ts";
import { onDemand } from "../../model/on_demand.ts";
import type { CommandClass } from "../../model/call.ts";
import type { LineEffect } from "../../policy/compile/request_options.ts";
import { classesNow, namesClass } from "./class_search.ts";

/** The tools whose rules are about what code may do. */
const TOOLS = ["Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "Grep", "Glob", "WebFetch"];

/** Longer code, in UTF-16 code units, and code beside more rules, counts as naming what they name. */
const LONGEST = 65_536;
const MOST_RULES = 2_000;

/** The written deny and ask rules with a specifier that code may do something against. */
export function objectorsTo({ rules, request, options }: EvalContext): readonly ToolRule[] {
  const { all, mayEnd } = objectorsIn(rules, request.profile.name);
  if (!mayEnd) return all;
  return all.filter(({ rule }) => !expired(rule, { settings: rules.settings, now: options.now }));
}

interface Objectors {
  readonly written: readonly (readonly ToolRule[])[];
  readonly all: readonly ToolRule[];
  /** True if one of them may have expired. */
  readonly mayEnd: boolean;
}

/** Those of a set of rules for the tool of the line that asked last, which is mostly the same. */
const last = new WeakMap<RuleSet, { readonly tool: string; readonly objectors: Objectors }>();

function objectorsIn(rules: RuleSet, tool: string): Objectors {
  const found = last.get(rules);
  if (found?.tool === tool) return found.objectors;
  const written = [tool, ...TOOLS].map((each) => rules.writtenRules(each));
  const objectors = objectorsAmong(written);
  last.set(rules, { tool, objectors });
  return objectors;
}

/** Those among the written rules of the first tool, which is that of the line. */
const known = new WeakMap<readonly ToolRule[], Objectors>();

function objectorsAmong(written: readonly (readonly ToolRule[])[]): Objectors {
  const found = known.get(written[0]!);
  if (found?.written.every((each, at) => each === written[at])) return found;
  const all = written.flat().filter(({ rule, specifier }) =>
    rule.action !== "allow" && specifier !== undefined && specifier.kind !== "any"
  );
  const made = { written, all, mayEnd: all.some(({ rule }) => rule.expiresAt !== undefined) };
  known.set(written[0]!, made);
  return made;
}

/**
 * True unless code certainly names nothing that a rule names: no file, host or program of its pattern, and no means to make
 * names, to look for files or to run other code. It may still do so in ways that its text does not show.
 */
export function mayName({ text }: InlineCode, rules: readonly ToolRule[]): boolean {
  if (text === undefined || text.length > LONGEST || rules.length > MOST_RULES) return true;
  const { isAlways, programs, names, others } = namesOf(rules);
  if (isAlways || makesNames().test(text)) return true;
  const folded = foldCase(text);
  const isAscii = ASCII.test(folded);
  // Half of a letter beyond the first plane ends a name, and is no word.
  const isSimple = isAscii || !/[\uD800-\uDFFF]/.test(folded);
  const texts = readingsOf(folded);
  for (const each of texts) {
    for (const word of each.split(isAscii ? NO_ASCII_WORD : noWord())) {
      if (programs.has(word) || isSimple && names.has(word)) return true;
    }
  }
  return !isSimple && [...names].some((name) => texts.some((each) => hasName(each, name))) ||
    others.some(({ piece, isName }) =>
      texts.some((each) => isName ? hasName(each, piece) : each.includes(piece))
    );
}

// deno-lint-ignore no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** The text between the words of ASCII in lower case, which takes less time than `noWord`. */
const NO_ASCII_WORD = /[^a-z0-9_]+/;

/** Code as it is written, with adjacent literals as one, and without quotes and blanks; each text once. */
function readingsOf(code: string): readonly string[] {
  const whole = joined(code);
  const bare = code.replace(/["'`\\\s+]/g, "");
  const texts = [code];
  if (whole !== code) texts.push(whole);
  if (bare !== code && bare !== whole) texts.push(bare);
  return texts;
}

/** Code with adjacent literals as one: `"a" + "b"`, `"a" "b"`. */
function joined(text: string): string {
  return text.replace(/["'`]\s*[+.]?\s*[bfrub]{0,2}["'`]/gu, "");
}

const noWord = onDemand(() => /[^\p{L}\p{N}_]+/u);

/** The texts by which code names something of rules. */
interface RuleNames {
  /** True for a rule that any code may concern. */
  readonly isAlways: boolean;
  /** The programs of their commands. */
  readonly programs: ReadonlySet<string>;
  /** Whole names of files and hosts, of letters and digits. */
  readonly names: ReadonlySet<string>;
  /** Other names, and pieces of names. */
  readonly others: readonly { readonly piece: string; readonly isName: boolean }[];
}

const knownNames = new WeakMap<readonly ToolRule[], RuleNames>();

function namesOf(rules: readonly ToolRule[]): RuleNames {
  let names = knownNames.get(rules);
  if (names === undefined) knownNames.set(rules, names = namesAmong(rules));
  return names;
}

function namesAmong(rules: readonly ToolRule[]): RuleNames {
  let isAlways = false;
  const programs = new Set<string>();
  const names = new Set<string>();
  const others = new Map<string, { readonly piece: string; readonly isName: boolean }>();
  for (const { rule: { pattern }, specifier } of rules) {
    const name = foldCase(pattern.slice(pattern.search(/[:(]/) + 1).replace(/\)$/, ""));
    if (specifier?.kind !== "argument") isAlways = true;
    else if (specifier.test.kind === "command") {
      const program = name.split(noWord()).find((word) => word.length > 1);
      if (program === undefined) isAlways = true;
      else programs.add(program);
    } else {
      const pieces = piecesOf(name);
      if (pieces.length === 0) isAlways = true;
      for (const each of pieces) {
        if (each.isName && !noWord().test(each.piece)) names.add(each.piece);
        else others.set(`${each.isName} ${each.piece}`, each);
      }
    }
  }
  return { isAlways, programs, names, others: [...others.values()] };
}

/** The pieces of a path or host between slashes and wildcards. */
function piecesOf(name: string): readonly { readonly piece: string; readonly isName: boolean }[] {
  const segments = name.replace(/^(?:domain:|\w+:\/\/)/, "").split("/");
  return segments.flatMap((segment) => {
    const pieces = segment.split(/[*?[\]{},!~\\]+/).filter((piece) => piece.length > 1);
    return pieces.map((piece) => ({ piece, isName: piece === segment }));
  });
}

/** True for a text with a whole name: none that only begins or ends with it. */
function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (isEnd(text[at - 1]) && isEnd(text[at + name.length])) return true;
  }
  return false;
}

function isEnd(character: string | undefined): boolean {
  return character === undefined || noWord().test(character);
}

/**
 * Means of the usual languages by which code makes a name of something else, finds files, takes names from the environment, or
 * runs other code.
 */
const makesNames = onDemand(() =>
  new RegExp(
    [
      /\\(?:[xu0-7]|N\{)/,
      /\b(?:chr|fromCharCode|fromCodePoint|unichr|u?n?pack|atob|btoa|unhexlify|fromhex|rot13|codecs|translate)\b/,
      /b(?:ase)?(?:16|32|64|85)|\[::-1\]|\.reverse\b|\breversed\b/,
      /\b(?:eval|exec\w*|compile|__\w+__|importlib|getattr|globals|locals|vars|instance_eval|send|Function|vm)\b/,
      /\b(?:list_?dir|scandir|walk(?:_?dir)?|r?glob\w*|iterdir|read_?dir\w*|opendir|Dir|each_child|File::Find)\b|<\w*\*/,
      /\b(?:environ\w*|getenv|env|expanduser|homedir|chdir)\b|\.home\b/,
    ].map(({ source }) => source).join("|"),
    "i",
  )
);

const CODE: readonly CommandClass[] = ["code"];
const CODE_OR_MORE: readonly CommandClass[] = ["code", "unknown"];

/**
 * The request for an unknown part of a line, with a search for its class where that is the code of an interpreter. A rule that
 * allows `code` covers a script, and code in the line that names nothing of the deny and ask rules.
 */
export function codeRequest(context: EvalContext): EvalContext["request"] {
  const { rules, request } = context;
  const { part } = request;
  if (part === undefined || !namesClass(rules.candidates(request))) return request;
  const classes = classesOfPart(part, context);
  if (classes === undefined) return request;
  const search = { name: classes.at(-1)!, classes, whyOpen: () => undefined };
  return request.of({ ...part, search });
}

function classesOfPart(
  { effect, line }: LineEffect,
  context: EvalContext,
): readonly CommandClass[] | undefined {
  const { of, code, isOrdinaryScript, isScript, unknownFileAccess } = effect;
  const owner = of === undefined ? undefined : line.effects[of];
  if (owner?.traits?.().isInterpreter !== true || unknownFileAccess) return undefined;
  const classes = classesNow(owner, context.request.of({ effect: owner, line }));
  if (!classes.includes("code")) return undefined;
  const isPlain = !classes.includes("unknown") &&
    (code ? !mayName(code, objectorsTo(context)) : (isOrdinaryScript ?? isScript) === true);
  return isPlain ? CODE : CODE_OR_MORE;
}
