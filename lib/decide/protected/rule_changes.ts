import { remembered } from "../../model/on_demand.ts";
import { isFixed } from "../../shell/parse/tree.ts";
import { isOwnName } from "../../shell/programs/program_use.ts";
import { baseName, ProgramCatalog } from "../../shell/programs/program_catalog.ts";
import type { Effect } from "../../shell/effect.ts";
import { type CommandWrites, writingCommands, writingVerbs } from "./protected_places.ts";

/** The texts of a command by which its verbs are told, each once; in a template a hole stands for what is not fixed. */
export function textsOf({ allowTexts, denyTexts }: Effect): readonly string[] {
  const texts = new Set<string>();
  for (const { text } of allowTexts) texts.add(text);
  for (const { template } of denyTexts) texts.add(template);
  return [...texts];
}

/**
 * The verb of caliban with which a command, by its texts, writes rules (`perms add`); undefined when it runs none. With
 * `mayBeAlias` any program that no table describes may be caliban under another name (`ln -s /usr/bin/caliban x; ./x trust`).
 */
export function writingVerb(
  texts: readonly string[],
  { mayBeAlias }: { readonly mayBeAlias: boolean },
): string | undefined {
  for (const text of texts) {
    const verb = verbIn(text) ?? (mayBeAlias ? verbUnderAnotherName(text) : undefined);
    if (verb !== undefined) return verb;
  }
  return undefined;
}

/** The verb in a command of a program that no table describes. */
function verbUnderAnotherName(text: string): string | undefined {
  const words = text.trim().split(/\s+/);
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  return first < 0 || hasTable(words[first]!) ? undefined : verbOf(words.slice(first + 1));
}

const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** The same for the text of one command, in which a hole stands for what is not fixed. */
export function verbIn(text: string): string | undefined {
  if (!mayNameCaliban(text) || !NAMES.test(text)) return undefined;
  const words = text.trim().split(/\s+/);
  const first = words.findIndex((word) => !ASSIGNMENT.test(word));
  const at = words.findIndex((word, index) =>
    isOwnName(word) && (index === first || runsOthers(words[first] ?? ""))
  );
  if (at < 0) return undefined;
  return verbOf(words.slice(at + 1));
}

/** The verb that caliban may run with these words. */
function verbOf(words: readonly string[]): string | undefined {
  return writingVerbs().find((verb) => spellings(verb).some((each) => mayRun(words, each)))
    ?.join(" ");
}

/** False for a text without what every name of caliban has: most texts are, and no expression is compiled for them. */
function mayNameCaliban(text: string): boolean {
  const lower = text.toLowerCase();
  return lower.includes("caliban") || lower.includes("cli.");
}

/** A text that may name caliban, or the file that it is run from in a checkout. */
const NAMES = /caliban|(?:^|[\s/])cli\.[cm]?[jt]s(?:\s|$)/i;

let catalog: ProgramCatalog | undefined;

/** True if a program exists to run code, so that caliban may be one of its operands. */
function runsOthers(word: string): boolean {
  catalog ??= new ProgramCatalog();
  return catalog.program(baseName(word))?.table.trade ?? false;
}

/** True if a table describes a program. A path may lead to any file. */
function hasTable(word: string): boolean {
  catalog ??= new ProgramCatalog();
  return !word.includes("/") && catalog.program(word) !== undefined;
}

/** A verb with and without the word that can be left out. */
function spellings(verb: readonly string[]): readonly (readonly string[])[] {
  return verb[0] === "perms" ? [verb, verb.slice(1)] : [verb];
}

/**
 * True if the words may run a verb: its names come first but for options and what may be the value of one, and its own options
 * stand anywhere.
 */
function mayRun(words: readonly string[], verb: readonly string[]): boolean {
  const names = verb.filter((name) => !name.startsWith("-"));
  const options = verb.filter((name) => name.startsWith("-"));
  let found = 0;
  let mayBeValue = false;
  for (const word of words) {
    if (found === names.length) break;
    if (word.startsWith("-")) {
      mayBeValue = !word.includes("=");
      continue;
    }
    if (word === names[found] || !isFixed(word)) found++;
    else if (!mayBeValue) return false;
    mayBeValue = false;
  }
  return found === names.length &&
    options.every((option) => words.some((word) => isOption(word, option) || !isFixed(word)));
}

/** True for an option, with its value or abbreviated too. */
function isOption(word: string, option: string): boolean {
  const head = word.replace(/=.*$/s, "");
  return head === option || option.startsWith("--") && head.length > 4 && option.startsWith(head);
}

/** The commands of the table that run a program, in its order. */
const commandsOf = remembered(writingCommands);

/**
 * False for a command that, by its texts, certainly runs no verb of caliban under its own name, writes no setting of git and is of no program
 * of the table: `writingVerb`, `gitSetting` and `writesOf` find nothing then.
 */
export function mayChangeRules({ allowTexts, denyTexts }: Effect): boolean {
  let last: string | undefined;
  for (const { text } of allowTexts) {
    if (text !== last && mayBeAbout(text)) return true;
    last = text;
  }
  for (const { template } of denyTexts) {
    if (template !== last && mayBeAbout(template)) return true;
    last = template;
  }
  return false;
}

/** A text that may name caliban (`mayNameCaliban`), or that has the word of `gitSetting`. */
const NAMES_OR_SETS = /caliban|cli\.|config/i;

function mayBeAbout(text: string): boolean {
  if (NAMES_OR_SETS.test(text)) return true;
  const program = programIn(text);
  const commands = program === undefined ? [] : commandsOf(baseName(program));
  if (commands.length === 0) return false;
  if (!isFixed(text)) return true;
  for (const { words: [, name] } of commands) {
    // An option may be abbreviated; of a name each letter stands in the text.
    if (name === undefined || name.startsWith("-") || text.includes(name)) return true;
  }
  return false;
}

/** The verb of the table with which a command, by its texts, writes protected files that it does not name; undefined when it runs none. */
export function writesOf(texts: readonly string[]): CommandWrites | undefined {
  for (const text of texts) {
    const program = programIn(text);
    const commands = program === undefined ? [] : commandsOf(baseName(program));
    if (commands.length === 0) continue;
    const all = text.trim().split(/\s+/);
    let first = 0;
    while (first < all.length && ASSIGNMENT.test(all[first]!)) first++;
    const words = first === all.length ? all : all.slice(first + 1);
    const found = commands.find(({ words: [, ...verb], unless }) =>
      mayRun(words, verb) && !words.some((word) => unless.includes(word))
    );
    if (found) return found;
  }
  return undefined;
}

/** The first word of a text that assigns nothing. */
function programIn(text: string): string | undefined {
  const end = text.indexOf(" ");
  const first = end < 0 ? text : text.slice(0, end);
  return PLAIN_WORD.test(first) ? first : FIRST_WORD.exec(text)?.[1];
}

/** A word that assigns nothing and has no blanks in it. */
const PLAIN_WORD = /^[\w./@-]+$/;

const FIRST_WORD = /^\s*(?:[A-Za-z_]\w*=\S*\s+)*(?![A-Za-z_]\w*=)(\S+)/;

/** True if the words of a verb stand among others in their order. */
export function namesWords(words: readonly string[], verb: readonly string[]): boolean {
  let found = 0;
  for (const word of words) {
    const next = verb[found];
    if (next !== undefined && (baseName(word) === next || isOption(word, next))) found++;
  }
  return found === verb.length;
}

/** Settings that name people and choose how git behaves, and that run nothing; in lower case. */
const HARMLESS = new RegExp(
  "^(?:user\\.(?:name|email)|init\\.defaultbranch|pull\\.(?:rebase|ff)|push\\.(?:default|autosetupremote)|" +
    "core\\.(?:autocrlf|eol|filemode|ignorecase|longpaths|quotepath|safecrlf)|branch\\..*\\.(?:remote|merge|rebase)|" +
    "(?:advice|color|column|log|rerere)\\..*|merge\\.conflictstyle|diff\\.algorithm|fetch\\.prune)$",
);

/** Options of `git config` whose value is the next word. */
const VALUED = /^(?:-f|--file|--blob|--type|--default|--value|--comment)$/;
const READS = /^(?:--get.*|-l|--list)$/;
const WRITES = /^(?:-e|--(?:a(?:d|$)|rep|un|ren|rem|e).*)$/;
const ACTIONS = /^(?:set|unset|edit|rename-section|remove-section)$/;

/**
 * The setting that a command, by its texts, writes with `git config`, where it may be one that runs programs (`core.pager`, `alias.x`):
 * with it the file that is protected is written without being named. Undefined for any other command.
 */
export function gitSetting(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    if (!text.includes("config")) continue;
    const words = /^(?:\S*\/)?git\s+config\s+(.+)$/s.exec(text.trim())?.[1]?.split(/\s+/);
    const key = words && keyWritten(words);
    if (key !== undefined && !HARMLESS.test(key.toLowerCase())) return key;
  }
  return undefined;
}

/** The key that `git config` writes with these words; empty where it is any. */
function keyWritten(words: readonly string[]): string | undefined {
  if (words.some((word) => READS.test(word))) return undefined;
  const operands = words.filter((word, index) =>
    !word.startsWith("-") && !VALUED.test(words[index - 1] ?? "")
  );
  const [first = "", second = ""] = operands;
  if (first === "get" || first === "list") return undefined;
  if (ACTIONS.test(first)) return second;
  const writes = operands.length > 1 || words.some((word) => WRITES.test(word));
  return writes ? first : undefined;
}
