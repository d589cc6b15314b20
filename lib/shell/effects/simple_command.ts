import type { DenyText } from "../effect.ts";
import {
  eachWord,
  firstOpen,
  fixedWord,
  HOLE,
  isFixed,
  literalOf,
  NAME,
  type Redirect,
  type Simple,
  type Word,
} from "../parse/tree.ts";
import { baseName, dashedWords, type ProgramCatalog } from "../programs/program_catalog.ts";
import type { CommandReading } from "../programs/program_use.ts";
import type { Program } from "../programs/program.ts";
import { innerName, readCommand, readInner } from "../programs/read_command.ts";
import { headOf } from "./texts/assignment_kind.ts";
import type { CommandContext } from "./command_context.ts";
import { type CommandTexts, commandTexts, withReordered } from "./texts/command_texts.ts";

/** A simple command, its reading and the texts that rules match. */
export interface SimpleCommand {
  readonly node: Simple;
  /** Its words, with braces expanded and loop variables replaced. */
  readonly words: readonly Word[];
  readonly reading: CommandReading;
  readonly texts: CommandTexts;
  /** The name of its program without a prefix that stands for GNU; absent if it has none. */
  readonly plainName?: string;
  /** The table of its program; undefined without one. */
  readonly program: Program | undefined;
}

/** Reads a simple command inside some loops. */
export function simpleCommand(
  node: Simple,
  { loops, catalog }: { loops: CommandContext["loops"]; catalog: ProgramCatalog },
): SimpleCommand {
  const words = node.isAsWritten ? node.words : expandedWords(node, loops);
  const name = words[0] && literalOf(words[0]);
  const program = programOf(words[0], catalog);
  const plainName = name === undefined ? undefined : catalog.plainName(baseName(name));
  const texts = commandTexts(words === node.words ? node : { ...node, words }, catalog);
  const reading = readCommand(words, program);
  const { overlooked } = reading;
  const command = {
    node,
    words,
    reading,
    texts: overlooked ? withReordered(texts, { words, overlooked, reading }) : texts,
    program,
  };
  return plainName === undefined ? command : { ...command, plainName };
}

/** The table of a command's program, by its first word; undefined without one. */
export function programOf(
  first: Word | undefined,
  catalog: ProgramCatalog,
): Program | undefined {
  const name = first && literalOf(first);
  return name === undefined ? undefined : catalog.program(name) ?? catalog.program(baseName(name));
}

function expandedWords({ words }: Simple, loops: CommandContext["loops"]): readonly Word[] {
  const expanded = words.some(({ choices }) => choices)
    ? words.flatMap((word) => word.choices ?? [word])
    : words;
  return loops.size === 0 ? expanded : eachWord(expanded, (word) => wordInLoop(word, loops));
}

/**
 * The words of a loop, braces expanded; undefined if one may begin with "-". A glob must begin with literal text, unless the
 * names are plain. Other commands that set the loop's variable are checked at the end of the line.
 */
export function safeLoopWords(
  variable: string,
  { words, isPlain }: { words: readonly Word[] | undefined; isPlain: boolean },
): readonly Word[] | undefined {
  if (!words || !/^\w+$/.test(variable)) return undefined;
  const all = words.flatMap((word) => word.choices ?? [word]);
  const safe = all.every(({ shape, splits, glob }) =>
    /^[^-\s]/.test(shape) && (firstOpen(shape) > 0 || isPlain && glob !== undefined) && !splits &&
    (glob !== undefined || isFixed(shape))
  );
  if (!safe || all.length === 0) return undefined;
  return isPlain ? all.map((word) => word.glob === undefined ? word : { ...word, isPlain }) : all;
}

/** A word inside a loop: one that begins with the loop's variable is one of the loop's words. */
export function wordInLoop(word: Word, loops: ReadonlyMap<string, readonly Word[]>): Word {
  const words = word.variable === undefined ? undefined : loops.get(word.variable);
  if (!words || !word.shape.startsWith(HOLE)) return word;
  // Unquoted, a name with blanks becomes several words.
  const isMany = ({ shape, glob, isPlain }: Word) =>
    glob !== undefined && !isPlain || /\s/.test(shape);
  if (word.splits && words.some(isMany)) return word;
  const shape = NAME + word.shape.slice(HOLE.length);
  if (shape === NAME) return { ...word, shape, splits: false, oneOf: words };
  return { ...word, shape, splits: word.splits && !isFixed(shape.slice(NAME.length)) };
}

/** The texts of a command that deny and ask rules match; `reading.globals` are left out of the last ones. */
export function denyTexts(
  { node, words, texts, reading: { globals, means }, plainName }: SimpleCommand,
): readonly DenyText[] {
  const { assignments, redirects } = node;
  const isBare = plainName === undefined && assignments.length === 0 && redirects.length === 0 &&
    globals.length === 0 && means === undefined;
  const name = words[0]?.shape ?? "";
  const base = baseName(name);
  const dashed = dashedWords(base);
  if (isBare && !dashed && !name.includes("/")) {
    const { written, resolved } = texts;
    const own = { text: written, template: written };
    if (written === resolved) return [own];
    if (base === name && words.every(isText)) return [own, { text: resolved, template: resolved }];
  }
  const list = new DenyTextList();
  list.add(texts.written, texts.written);
  list.addWords(words);
  if (assignments.length > 0) {
    const prefix = assignments.map((each) => ({
      text: `${headOf(each)}${each.value.text}`,
      shape: `${headOf(each)}${each.value.shape}`,
    }));
    list.addWords([...prefix, ...words]);
    list.add(texts.resolved, texts.resolved);
  }
  const first = words[0];
  if (!first) return list.texts;
  const named = base === name ? words : [{ ...first, text: base, shape: base }, ...words.slice(1)];
  if (named !== words) list.addWords(named);
  const stripped = globals.length === 0 ? named : named.filter((_, at) => !globals.includes(at));
  if (stripped !== named) list.addWords(stripped);
  if (plainName !== undefined) {
    const plain = { ...first, text: plainName, shape: plainName };
    for (const each of [named, stripped]) list.addWords([plain, ...each.slice(1)]);
  }
  if (dashed) list.addWords([...dashed.map(fixedWord), ...words.slice(1)]);
  if (means) list.addWords([...means.words.map(fixedWord), ...words.slice(means.from)]);
  const opening = redirects.filter(({ operator }) => !operator.startsWith("<<"));
  if (opening.length > 0) list.addWords([...stripped, ...opening.map(redirectText)]);
  return list.texts;
}

/** True for a word whose expansions, if it has any, stand in its shape as they are written. */
function isText({ text, shape }: Word): boolean {
  return text === shape;
}

/** True if a command may read the output of a harmless one: it is harmless, as is the command that it runs (`xargs wc`). */
export function isHarmlessReader(
  { words, reading }: SimpleCommand,
  catalog: ProgramCatalog,
): boolean {
  return reading.isHarmless && reading.wrapped.every((wrapped) => {
    if (wrapped.kind !== "argv") return false;
    const first = innerName(words, wrapped);
    const name = first && literalOf(first);
    const program = name === undefined ? undefined : catalog.program(name);
    const { isHarmless, wrapped: deeper } = readInner(words, { wrapped, program });
    // The files that it reads are judged as its own.
    return (isHarmless || program?.table.companion === true) && deeper.length === 0;
  });
}

/** Distinct texts, in the order of their addition. */
class DenyTextList {
  readonly texts: DenyText[] = [];

  add(text: string, template: string): void {
    for (const each of this.texts) {
      if (each.text === text && each.template === template) return;
    }
    this.texts.push({ text, template });
  }

  addWords(words: readonly Pick<Word, "text" | "shape">[]): void {
    let text = "";
    let template = "";
    let blank = "";
    // By an index V8 would make all lists of words those of the other kind that a spread may make.
    for (const word of words) {
      text += blank + word.text;
      template += blank + word.shape;
      blank = " ";
    }
    this.add(text, template);
  }
}

/** A redirection in canonical spacing: `> f`, `2>&1`. */
export function redirectText({ raw, operator, target }: Redirect): { text: string; shape: string } {
  const descriptor = raw.slice(0, raw.indexOf(operator));
  const head = `${descriptor}${operator}${operator.endsWith("&") ? "" : " "}`;
  return { text: `${head}${target?.text ?? ""}`, shape: `${head}${target?.shape ?? ""}` };
}
