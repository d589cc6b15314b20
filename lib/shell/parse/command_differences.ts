import { mayBeSh, mayBeZsh, type Shell } from "./shell.ts";
import type { AssignmentSyntax, RedirectionSyntax } from "./unbash.ts";
import { isFixed, type Word } from "./tree.ts";

/**
 * The commands and redirections that bash, zsh and `sh` read differently. Each function returns the reason why it is unknown,
 * undefined if all shells that may run the line read it alike.
 */

/** Words before a command, and loops, that only zsh has. */
const ZSH_MODIFIERS = namesIn("- noglob nocorrect repeat foreach end always");

/** Builtins of zsh that run, load or evaluate something, or change how the rest of the line is read. */
const ZSH_BUILTINS = namesIn(
  "autoload bindkey bye chdir compctl disable emulate float functions integer limit print private r sched setopt sysopen unfunction unhash unsetopt vared zcompile zformat zftp zle zmodload zparseopts zpty zregexparse zsocket zstyle ztcp",
);

/** Builtins of zsh that evaluate their operands as arithmetic. */
const COUNTING = namesIn("exit return break continue shift logout");

/** Builtins before a builtin. */
const BEFORE = namesIn("builtin command exec");

/** An operand that zsh evaluates to a number and nothing else. */
const NUMERAL = /^[-+]?(?:0x[\da-fA-F]+|\d+)(?:\.\d+)?$/;

/** A word of a command, and the reason why it is unknown. */
export interface WordDifference {
  readonly raw: string;
  readonly why: string;
}

/** A word that a builtin of zsh evaluates as arithmetic. */
export interface CommandDifferences {
  readonly unknown?: WordDifference;
  /** The indices of words that zsh evaluates as arithmetic. */
  readonly arithmetic: readonly number[];
}

const NONE: CommandDifferences = { arithmetic: [] };

/** True if there are any. */
export function hasDifferences(differences: CommandDifferences): boolean {
  return differences !== NONE;
}

/** A brace with something behind it. */
const BRACE = /^\{./;

/** The differences of the words of a command; `text`: as written. */
export function commandDifferences(
  words: readonly Word[],
  { text, shell }: { text: string; shell: Shell },
): CommandDifferences {
  const first = words[0];
  if (first !== undefined && isOrdinary(first, text)) return NONE;
  const unknown = (why: string): CommandDifferences => ({
    unknown: { raw: first?.raw ?? text, why },
    arithmetic: [],
  });
  if (mayBeZsh(shell) && (BRACE.test(text) || first !== undefined && BRACE.test(first.raw))) {
    return unknown('zsh begins a group at "{"');
  }
  if (first === undefined) return NONE;
  const option = first.shape === "exec" ? words[1]?.shape ?? "" : "";
  if (/^-./.test(option) && (shell === "sh" || !/^-[acl]$/.test(option))) {
    return unknown('the options of "exec" differ');
  }
  if (
    mayBeSh(shell) && text.includes("[[") && words.some(({ raw }, at) => raw === "[[" && at > 0)
  ) {
    return unknown('busybox takes operators behind "[[" for words');
  }
  if (!mayBeZsh(shell)) return NONE;
  if (first.raw.startsWith("!")) return unknown('zsh takes the "!" for the operator before it');
  if (first.raw.includes("=") && /^[^'"\\/]*=/.test(first.raw)) {
    return unknown("zsh may take it for an assignment");
  }
  let at = 0;
  while (at < words.length && BEFORE.includes(words[at]!.shape)) {
    at++;
    while (/^-./.test(words[at]?.shape ?? "")) at++;
  }
  const name = words[at]?.shape ?? "";
  if (ZSH_MODIFIERS.includes(name) && at + 1 < words.length) {
    return unknown(`"${name}" has a meaning of its own in zsh`);
  }
  if (name === "time" && words[at + 1]?.shape.includes("=")) {
    return unknown('zsh takes "time" for a word of its own, and what follows for an assignment');
  }
  if (ZSH_BUILTINS.includes(name)) return unknown(`"${name}" is a builtin of zsh that acts`);
  const arithmetic = evaluatedBy(name, { words, from: at + 1 });
  return arithmetic.length === 0 ? NONE : { arithmetic };
}

const NO_PLACES: readonly number[] = [];

/** Builtins of zsh some of whose operands are arithmetic. */
const COUNTS: readonly string[] = [...COUNTING, "printf", "test", "[", "read"];

/** The names of commands that may be read differently. */
export const READ_BY_NAME: ReadonlySet<string> = new Set([
  ...BEFORE,
  ...ZSH_MODIFIERS,
  ...ZSH_BUILTINS,
  ...COUNTS,
  "time",
]);

function namesIn(list: string): readonly string[] {
  return list.split(" ");
}

/** True for a command that every shell reads alike: most are. */
function isOrdinary(first: Word, text: string): boolean {
  const { raw, shape } = first;
  return !READ_BY_NAME.has(shape) && text[0] !== "{" && raw[0] !== "{" && raw[0] !== "!" &&
    !raw.includes("=") && !text.includes("[[");
}

/** Builtins of which only the operands of some options are arithmetic. */
const TAKES_NUMBERS: ReadonlySet<string> = new Set(["test", "[", "read"]);

function isNumberOption({ shape }: Word): boolean {
  return shape === "-t" || shape === "-u";
}

/** The operands that zsh evaluates as arithmetic, unless they are numerals. */
function evaluatedBy(
  name: string,
  { words, from }: { words: readonly Word[]; from: number },
): readonly number[] {
  if (!COUNTS.includes(name) || TAKES_NUMBERS.has(name) && !words.some(isNumberOption)) {
    return NO_PLACES;
  }
  const isOpen = (at: number) => at < words.length && !NUMERAL.test(words[at]!.shape);
  const all = words.map((_, index) => index).slice(from);
  if (COUNTING.includes(name)) return all.filter(isOpen);
  if (name === "printf") return printfOperands(words, from).filter(isOpen);
  const behind = (option: string) =>
    all.filter((at) => words[at - 1]!.shape === option && isOpen(at));
  if (name === "[" || name === "test") return behind("-t").filter((at) => words[at]!.shape !== "]");
  return name === "read" ? [...behind("-t"), ...behind("-u")] : [];
}

/** A conversion of a printf format. */
const CONVERSION = /%(?:%|(\d+\$)?([-+ #0']*)(\*|\d+)?(?:\.(\*|\d*))?[hlLqjzt]*(.)?)/gs;

/** The operands that the format of `printf` evaluates as numbers. */
function printfOperands(words: readonly Word[], from: number): readonly number[] {
  let at = from;
  if (words[at]?.shape === "--") at++;
  const format = words[at];
  const rest = words.map((_, index) => index).slice(at + 1);
  if (format === undefined || !isFixed(format.shape) || format.splits) return rest;
  const numeric: boolean[] = [];
  for (const [whole, position, , width, precision, letter] of format.shape.matchAll(CONVERSION)) {
    if (whole === "%%") continue;
    if (position !== undefined || width === "*" || precision === "*") return rest;
    numeric.push(!/^[sbqc]$/.test(letter ?? ""));
  }
  if (!numeric.includes(true)) return [];
  const split = rest.findIndex((index) => words[index]!.splits);
  return rest.filter((_, order) => numeric[order % numeric.length]! || split >= 0 && order > split);
}

/** Associative lists of zsh whose entries define commands, functions, aliases and options. */
const ZSH_TABLES =
  /^(?:dis_)?(?:commands|functions|functions_source|aliases|galiases|saliases|builtins|reswords|options|modules|nameddirs)$/;

/** The difference of an assignment: zsh has lists of commands and functions, `sh` has no lists. */
export function assignmentDifference(
  { name, value, index, append }: AssignmentSyntax,
  shell: Shell,
): string | undefined {
  const isList = value.type === "ArrayValue" || index !== undefined;
  if (shell === "sh") return isList || append ? "sh takes it for a command" : undefined;
  return mayBeZsh(shell) && isList && ZSH_TABLES.test(name)
    ? `"${name}" says what commands mean in zsh`
    : undefined;
}

/** Delimiters of here-documents whose quoting all shells undo alike. */
const PLAIN_DELIMITER = /^(?:\\?[\w.+@%:,/!-]+|'[^']*'|"[^"\\$`]*")$/;

/** The difference of a redirection; `next`: the character behind it. */
export function redirectDifference(
  syntax: RedirectionSyntax,
  { raw, next, shell }: { raw: string; next: string; shell: Shell },
): string | undefined {
  if (syntax.type === "HereDoc") {
    const delimiter = syntax.delimiter?.text ?? "";
    return PLAIN_DELIMITER.test(delimiter) ? undefined : "its end can be read in two ways";
  }
  if (shell === "bash") return undefined;
  const { operator } = syntax;
  const target = syntax.target?.text ?? "";
  if (shell === "sh") {
    const isBash = /^&>|^<<</.test(operator) || raw.startsWith("{") ||
      operator === ">&" && !/^(?:\d+|-)$/.test(target);
    if (isBash) return "sh reads it differently from bash";
  }
  if (/^\d\d/.test(raw)) return "zsh and dash take the number for a word";
  if (!mayBeZsh(shell)) return undefined;
  if (target.startsWith("!") && operator !== "<<<") return 'zsh takes the "!" for the operator';
  return operator === "<" && next === ">" && /^\d*-\d*$/.test(target)
    ? "zsh takes it for a range of numbers"
    : undefined;
}

/**
 * True if the text before a redirection ends in a subscript in braces, which bash evaluates: `{a[$(x)]}>f` puts the descriptor
 * into an element of a list.
 */
export function isSubscripted(before: string, shell: Shell): boolean {
  return shell !== "sh" && /\](?:\\\n)*\}(?:\\\n)*$/.test(before.slice(-LONGEST));
}

/** The longest name of a descriptor that is looked for before a redirection, in characters; a longer one counts as one. */
const LONGEST = 1_000;

/** The word `{name}` at the end of a text that stands before a redirection, blanks between them: zsh sets that variable. */
export function takenByRedirect(before: string, shell: Shell): string | undefined {
  if (!mayBeZsh(shell)) return undefined;
  const end = endOfWords(before);
  if (end === before.length || before[end - 1] !== "}") return undefined;
  const word = before.slice(Math.max(0, end - LONGEST), end);
  const name = /(?:(?:^|[\s;&|()])\{|^)(\w+)\}$/.exec(word)?.[1];
  return name && `{${name}}`;
}

/** The offset behind the last word of a text: the blanks and continued lines at its end may be of any length. */
function endOfWords(text: string): number {
  let end = text.length;
  while (end > 0) {
    const char = text[end - 1];
    if (char === " " || char === "\t") end--;
    else if (char === "\n" && text[end - 2] === "\\") end -= 2;
    else break;
  }
  return end;
}
