import defaults from "../../defaults/secrets.json" with { type: "json" };
import { type CommandWord, type Pipeline, pipelinesOf } from "./command_words.ts";
import { isSecretName } from "./secret_name.ts";

/** A part of a text. */
export interface TextRange {
  readonly start: number;
  /** The place behind it. */
  readonly end: number;
}

/** An entry of defaults/secrets.toml, which explains it. */
interface SecretArguments {
  readonly commands: readonly (readonly string[])[];
  readonly with?: readonly string[];
  readonly options?: readonly string[];
  readonly pairOptions?: readonly string[];
  readonly operands?: readonly number[];
  readonly pairs?: true;
  readonly named?: true;
  readonly stdin?: true;
}

/** The entry of a command, and the words behind its program. */
interface Entry {
  readonly words: readonly string[];
  readonly row: SecretArguments;
}

/** The entries by the name of their program. */
const ENTRIES = entriesOf(defaults.arguments as readonly SecretArguments[]);

function entriesOf(rows: readonly SecretArguments[]): ReadonlyMap<string, readonly Entry[]> {
  const entries = new Map<string, Entry[]>();
  for (const row of rows) {
    for (const [program = "", ...words] of row.commands) {
      const known = entries.get(program) ?? [];
      entries.set(program, [...known, { words, row }]);
    }
  }
  return entries;
}

/** The deepest nesting of lines in quotes. */
const DEPTH = 4;

/** Programs that print their operands. */
const PRINTERS: ReadonlySet<string> = new Set(["echo", "printf", "print", "yes", "Write-Output"]);

/** The secrets among the arguments of the commands in a text, in its order, apart from each other. Never throws. */
export function secretArguments(text: string): readonly TextRange[] {
  if (!PROGRAMS.test(text)) return [];
  const found: TextRange[] = [];
  collect({ text, placeOf: (at) => at, depth: 0 }, found);
  return apart(found);
}

/** Matches every text in which a program of the table stands: made of its names, so that none is missing. */
const PROGRAMS = new RegExp(
  [...ENTRIES.keys()].map((name) => name.replace(/[.]/g, "\\.")).join("|"),
);

/** A text inside of the whole one, its quotes undone. */
interface Inner {
  readonly text: string;
  /** The place of one of its characters in the whole text. */
  readonly placeOf: (at: number) => number;
  readonly depth: number;
}

function collect({ text, placeOf, depth }: Inner, found: TextRange[]): void {
  for (const pipeline of pipelinesOf(text)) {
    const secrets = [...pipeline.flatMap((words) => inCommand(words, text)), ...fedTo(pipeline)];
    for (const { start, end } of secrets) {
      if (end > start) found.push({ start: placeOf(start), end: placeOf(end - 1) + 1 });
    }
    if (depth >= DEPTH) continue;
    for (const { start, end } of pipeline.flat()) {
      const inner = quotedIn(text.slice(start, end));
      if (inner === undefined) continue;
      const { places } = inner;
      const innerPlace = (at: number) => placeOf(start + (places[at] ?? 0));
      collect({ text: inner.text, placeOf: innerPlace, depth: depth + 1 }, found);
    }
  }
}

/** A line that a word holds in quotes. */
interface QuotedLine {
  readonly text: string;
  /** The places of its characters in the word. */
  readonly places: readonly number[];
}

/** The line in quotes that a word holds, as a shell hands it on; undefined if it is one word. */
function quotedIn(raw: string): QuotedLine | undefined {
  const first = raw.search(/["']/);
  if (first < 0 || !/\s/.test(raw)) return undefined;
  let text = "";
  const places: number[] = [];
  let open: string | undefined;
  for (let at = first; at < raw.length; at++) {
    const character = raw[at] ?? "";
    if (character === open) {
      open = undefined;
      continue;
    }
    if (open === undefined && (character === '"' || character === "'")) {
      open = character;
      continue;
    }
    if (character === "\\" && open !== "'" && raw[++at] === "\n") continue;
    if (at >= raw.length) break;
    text += raw[at] ?? "";
    places.push(at);
  }
  return { text, places };
}

/** The entry of a command, with the words behind those that it names. */
interface Found {
  readonly row: SecretArguments;
  readonly rest: readonly CommandWord[];
}

/** The most programs that are looked for in one command, and the most words of each: the work stays linear. */
const MOST_PROGRAMS = 16;
const MOST_ARGUMENTS = 400;

/** The entries that a command matches, behind `sudo`, `env` and the like too. */
function entriesIn(words: readonly CommandWord[]): readonly Found[] {
  const programs = [...words.keys()].filter((index) =>
    ENTRIES.has(programName(words[index]?.text ?? ""))
  );
  return programs.slice(0, MOST_PROGRAMS).flatMap((index) =>
    (ENTRIES.get(programName(words[index]?.text ?? "")) ?? []).flatMap(({ words: named, row }) => {
      const behind = words.slice(index + 1, index + 1 + MOST_ARGUMENTS);
      const rest = behindAll(behind, named);
      if (rest === undefined) return [];
      const needed = row.with;
      const isThere = needed === undefined ||
        behind.some(({ text }) => needed.some((option) => isOption(text, option)));
      return isThere ? [{ row, rest }] : [];
    })
  );
}

function programName(word: string): string {
  return word.replace(/^.*[/\\]/, "").replace(/\.exe$/i, "");
}

/** The words behind those that an entry names; undefined if one of them is missing. */
function behindAll(
  words: readonly CommandWord[],
  named: readonly string[],
): readonly CommandWord[] | undefined {
  let at = 0;
  for (const name of named) {
    const place = words.findIndex(({ text }, index) => index >= at && isNamed(text, name));
    if (place < 0) return undefined;
    at = place + 1;
  }
  return words.slice(at);
}

function isNamed(text: string, name: string): boolean {
  return name.endsWith("*") ? text.startsWith(name.slice(0, -1)) : text === name;
}

/** True if a word is an option, alone, at the end of others of one letter, or with a value. */
function isOption(text: string, option: string): boolean {
  if (text === option || text.startsWith(`${option}=`)) return true;
  return isLetter(option) && /^-[A-Za-z]+$/.test(text) && text.includes(option.slice(1));
}

function isLetter(option: string): boolean {
  return option.length === 2;
}

function inCommand(words: readonly CommandWord[], text: string): readonly TextRange[] {
  const own = words.filter(({ isHereString }) => !isHereString);
  return entriesIn(own).flatMap(({ row, rest }) => {
    const operands = rest.filter((word) => !word.text.startsWith("-"));
    return [
      ...(row.options ?? []).flatMap((option) => behindOption(option, { rest, text })),
      ...(row.pairOptions ?? []).flatMap((option) =>
        behindOption(option, { rest, text }).flatMap((range) => behindSign(range, text))
      ),
      ...(row.operands ?? []).flatMap((place) => operands.at(place < 0 ? place : place - 1) ?? []),
      ...(row.pairs ? operands.flatMap((word) => behindSign(word, text)) : []),
      ...(row.named ? behindNames(operands) : []),
    ];
  });
}

/** The values of an option. */
function behindOption(
  option: string,
  { rest, text }: { readonly rest: readonly CommandWord[]; readonly text: string },
): readonly TextRange[] {
  return rest.flatMap((word, index) => {
    if (word.text === option || isLast(word.text, option)) return rest[index + 1] ?? [];
    const isGlued = isLetter(option) || /^[=:]/.test(word.text.slice(option.length));
    if (!isGlued || !word.text.startsWith(option)) return [];
    const raw = text.slice(word.start, word.end);
    const at = raw.indexOf(option) + option.length;
    const sign = /^[=:]/.test(raw.slice(at)) ? 1 : 0;
    return { start: word.start + Math.max(at, 0) + sign, end: word.end };
  });
}

/** True if an option of one letter stands at the end of others: `-xp`. */
function isLast(text: string, option: string): boolean {
  return isLetter(option) && /^-[A-Za-z]{2,6}$/.test(text) && text.endsWith(option.slice(1));
}

/** The value of `NAME=value`, but not of a file `NAME=@file`. */
function behindSign({ start, end }: TextRange, text: string): readonly TextRange[] {
  const sign = /^[^=]{1,200}=(?!@)/.exec(text.slice(start, Math.min(end, start + 300)));
  return sign === null ? [] : [{ start: start + sign[0].length, end }];
}

/** The words behind the names of secrets. */
function behindNames(words: readonly CommandWord[]): readonly TextRange[] {
  return words.slice(1).filter((_word, index) =>
    isSecretName((words[index]?.text ?? "").slice(-200))
  );
}

/** The text that a pipeline gives to a program that reads a secret. */
function fedTo(pipeline: Pipeline): readonly TextRange[] {
  const takes = pipeline.findLastIndex((words) => entriesIn(words).some(({ row }) => row.stdin));
  if (takes < 0) return [];
  const printed = pipeline.slice(0, takes).flatMap((words) => {
    const program = words.findIndex(({ text }) => PRINTERS.has(programName(text)));
    if (program < 0) return [];
    const format = words[program]?.text === "printf" && words.length > program + 2 ? 1 : 0;
    return words.slice(program + 1 + format).filter(({ text }) => !/^-[neE]+$/.test(text));
  });
  return [...printed, ...pipeline.flat().filter(({ isHereString }) => isHereString)];
}

/** The ranges in order, those that overlap as one. */
function apart(ranges: readonly TextRange[]): readonly TextRange[] {
  const all: TextRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1);
    if (last === undefined || range.start >= last.end) all.push(range);
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return all;
}
