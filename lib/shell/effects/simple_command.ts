import type { DenyText } from "../effect.ts";
import { fixedWord, literalOf, type Redirect, type Simple, type Word } from "../parse/tree.ts";
import { baseName, dashedWords, type ProgramCatalog } from "../programs/program_catalog.ts";
import type { CommandReading } from "../programs/program_use.ts";
import type { Program } from "../programs/program.ts";
import { innerName, readCommand, readInner } from "../programs/read_command.ts";
import { headOf } from "./texts/assignment_kind.ts";
import { type CommandContext, wordInLoop } from "./command_context.ts";
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
  return loops.size === 0 ? expanded : expanded.map((word) => wordInLoop(word, loops));
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
    for (let at = 0; at < words.length; at++) {
      const word = words[at]!;
      text += at === 0 ? word.text : ` ${word.text}`;
      template += at === 0 ? word.shape : ` ${word.shape}`;
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
