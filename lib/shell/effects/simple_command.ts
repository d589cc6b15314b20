import type { AllowText, DenyText } from "../effect.ts";
import {
  type Assignment,
  fixedWord,
  literalOf,
  type Redirect,
  type Simple,
  type Word,
} from "../parse/tree.ts";
import { baseName, dashedWords, type ProgramCatalog } from "../programs/program_catalog.ts";
import type { GlobalOptions } from "../programs/global_options.ts";
import type { CommandReading } from "../programs/program_use.ts";
import type { Program } from "../programs/program.ts";
import { readCommand } from "../programs/read_command.ts";
import { hasBlank } from "../scan_command.ts";
import { type Folders, joinPath } from "./folders.ts";
import { type CommandContext, wordInLoop } from "./command_context.ts";

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

/** The texts of a command that rules match. */
export interface CommandTexts {
  /** As written, followed by the texts of its here-documents. */
  readonly written: string;
  /** Quoting undone, one space between words, without redirections and harmless assignments. */
  readonly resolved: string;
  /** The offset of each word's end in the resolved text. */
  readonly ends: readonly number[];
  /** The texts by which an allow rule for the command allows it. */
  readonly own: readonly AllowText[];
  /** The `maxLiteral` of the resolved text. */
  readonly maxLiteral: number;
  /** Set if they are valid only with these folders in the workspace. */
  readonly folders?: readonly string[];
  /** The texts without the options that an allow rule may overlook. */
  readonly reordered?: Omit<CommandTexts, "reordered">;
}

/** Reads a simple command inside some loops. */
export function simpleCommand(
  node: Simple,
  { loops, catalog }: { loops: CommandContext["loops"]; catalog: ProgramCatalog },
): SimpleCommand {
  const expanded = node.words.some(({ choices }) => choices)
    ? node.words.flatMap((word) => word.choices ?? [word])
    : node.words;
  const words = loops.size === 0 ? expanded : expanded.map((word) => wordInLoop(word, loops));
  const name = words[0] && literalOf(words[0]);
  const base = name === undefined ? "" : baseName(name);
  const program = name === undefined ? undefined : catalog.program(name) ?? catalog.program(base);
  const plainName = catalog.plainName(base);
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

/** Adds the texts with some options left out and others at the end; one that enters a folder is only known there. */
function withReordered(
  texts: CommandTexts,
  { words, overlooked, reading }: Pick<SimpleCommand, "words" | "reading"> & {
    overlooked: GlobalOptions;
  },
): CommandTexts {
  const { dropped, moved, folder, covered } = overlooked;
  const { ends, own, maxLiteral } = texts;
  const prefix = texts.resolved.slice(0, ends[0]! - words[0]!.shape.length);
  const isMoved = (at: number) => dropped.includes(at) || moved.includes(at);
  const order = [...words.keys()].filter((at) => !isMoved(at)).concat(moved);
  const reordered = joinedWords(prefix, words, order);
  const named = covered === undefined ? 0 : ends[covered]!;
  const strict = own.map((each) => ({
    ...each,
    minLiteral: covered === undefined || each.text === texts.resolved
      ? Math.max(each.minLiteral, named)
      : Infinity,
  }));
  if (covered !== undefined && reading.isInterpreter) {
    strict.push({
      text: texts.resolved,
      minLiteral: Infinity,
      maxLiteral,
      interpreter: texts.resolved.slice(0, ends[0]),
    } as AllowText);
  }
  const inFolder = folder === undefined ? {} : { folders: [folder.shape] };
  const { resolved, maxLiteral: max } = reordered;
  return {
    ...texts,
    own: [...strict, { text: resolved, minLiteral: prefix.length, maxLiteral: max, ...inFolder }],
    reordered: { ...reordered, written: resolved, own: [], ...inFolder },
  };
}

/** The texts of a command that enters a folder, seen from the folder of the call. */
export function textsIn(texts: CommandTexts, { paths, open }: Folders): CommandTexts {
  if (texts.reordered?.folders === undefined) return texts;
  const { own, reordered, ...rest } = texts;
  if (open) return { ...rest, own: own.filter(({ folders }) => folders === undefined) };
  const folders = paths.map((path) => joinPath(path, reordered!.folders![0]!));
  return {
    ...rest,
    own: own.map((each) => each.folders ? { ...each, folders } : each),
    reordered: { ...reordered!, folders },
  };
}

/** Words behind a prefix, all of them or some in an order; a word that is left out has no end. */
function joinedWords(
  prefix: string,
  words: readonly Word[],
  order?: readonly number[],
): Pick<CommandTexts, "resolved" | "ends" | "maxLiteral"> {
  let resolved = prefix;
  let maxLiteral = Infinity;
  const ends: number[] = [];
  const count = order?.length ?? words.length;
  for (let index = 0; index < count; index++) {
    const at = order === undefined ? index : order[index]!;
    const { shape } = words[at]!;
    if (index > 0) resolved += " ";
    if (maxLiteral === Infinity && (shape === "" || hasBlank(shape))) maxLiteral = resolved.length;
    resolved += shape;
    ends[at] = resolved.length;
  }
  return { resolved, ends, maxLiteral };
}

function commandTexts(node: Simple, catalog: ProgramCatalog): CommandTexts {
  const { words } = node;
  const written = writtenText(node);
  if (node.assignments.length === 0) {
    const { resolved, ends, maxLiteral } = joinedWords("", words);
    const own: AllowText[] = [{ text: resolved, minLiteral: 0, maxLiteral }];
    if (written !== resolved) own.push({ text: written, minLiteral: 0, maxLiteral: Infinity });
    return { written, resolved, ends, own, maxLiteral };
  }
  const kinds = node.assignments.map((each) => assignmentKind(each, catalog));
  const kept = node.assignments.filter((_, at) =>
    kinds[at] !== "harmless" && kinds[at] !== "switch"
  );
  const prefix = prefixOf(kept);
  const { resolved, ends, maxLiteral } = joinedWords(prefix, words);
  const own: AllowText[] = [{ text: resolved, minLiteral: prefix.length, maxLiteral }];
  if (kinds.includes("switch")) {
    const all = node.assignments.filter((_, at) => kinds[at] !== "harmless");
    const named = joinedWords(prefixOf(all), words);
    own.push({
      text: named.resolved,
      minLiteral: prefixOf(all).length,
      maxLiteral: named.maxLiteral,
    });
  }
  if (written !== resolved) {
    const minLiteral = endOfAssignments(written, kept);
    own.push({ text: written, minLiteral, maxLiteral: Infinity });
  }
  return { written, resolved, ends, own, maxLiteral };
}

function prefixOf(assignments: readonly Assignment[]): string {
  return assignments.map((each) => `${headOf(each)}${each.value.shape} `).join("");
}

function writtenText({ text, redirects }: Simple): string {
  if (redirects.length === 0) return text;
  const bodies = redirects.filter(({ operator }) => operator === "<<");
  return [text, ...bodies.map(({ target }) => target?.raw ?? "")].join("\n");
}

/** The offset behind the last of some assignments in the written text; Infinity if one is not in it. */
function endOfAssignments(written: string, assignments: readonly Assignment[]): number {
  let end = 0;
  for (const { raw } of assignments) {
    const at = written.indexOf(raw, end);
    if (at < 0) return Infinity;
    end = at + raw.length;
  }
  return end;
}

/** The texts of a command that deny and ask rules match; `reading.globals` are left out of the last ones. */
export function denyTexts(
  { node, words, texts, reading: { globals, means }, plainName }: SimpleCommand,
): readonly DenyText[] {
  const { assignments, redirects } = node;
  const isBare = plainName === undefined && assignments.length === 0 && redirects.length === 0 &&
    globals.length === 0 && means === undefined;
  const dashed = dashedWords(baseName(words[0]?.shape ?? ""));
  if (isBare && !dashed && texts.written === texts.resolved && !words[0]?.shape.includes("/")) {
    return [{ text: texts.written, template: texts.written }];
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
  const base = baseName(first.shape);
  const named = base === first.shape
    ? words
    : [{ ...first, text: base, shape: base }, ...words.slice(1)];
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

/** True if a command may read the output of a harmless one: it is harmless, as is the command that it runs (`xargs wc`). */
export function isHarmlessReader(
  { words, reading }: SimpleCommand,
  catalog: ProgramCatalog,
): boolean {
  return reading.isHarmless && reading.wrapped.every((wrapped) => {
    const inner = wrapped.kind === "argv" ? words.slice(wrapped.from, wrapped.to) : [];
    const name = inner[0] && literalOf(inner[0]);
    const program = name === undefined ? undefined : catalog.program(name);
    const { isHarmless, wrapped: deeper } = readCommand(inner, program);
    // The files that it reads are judged as its own.
    return (isHarmless || program?.table.companion === true) && deeper.length === 0;
  });
}

/** Distinct texts, in the order of their addition. */
class DenyTextList {
  readonly texts: DenyText[] = [];

  add(text: string, template: string): void {
    if (!this.texts.some((each) => each.text === text && each.template === template)) {
      this.texts.push({ text, template });
    }
  }

  addWords(words: readonly Pick<Word, "text" | "shape">[]): void {
    const text = words.map((word) => word.text).join(" ");
    const isFixed = words.every((word) => word.text === word.shape);
    this.add(text, isFixed ? text : words.map(({ shape }) => shape).join(" "));
  }
}

/** A redirection in canonical spacing: `> f`, `2>&1`. */
export function redirectText({ raw, operator, target }: Redirect): { text: string; shape: string } {
  const descriptor = raw.slice(0, raw.indexOf(operator));
  const head = `${descriptor}${operator}${operator.endsWith("&") ? "" : " "}`;
  return { text: `${head}${target?.text ?? ""}`, shape: `${head}${target?.shape ?? ""}` };
}

/** The effect of an assignment before a command; `NAME+=` and `NAME[1]=` only set variables that are harmless with any value. */
export function assignmentKind(
  { name, value, raw }: Assignment,
  catalog: ProgramCatalog,
): ReturnType<ProgramCatalog["variableKind"]> {
  // The wildcards of an assignment are text.
  const kind = catalog.variableKind(name, value.glob === undefined ? value.shape : value.text);
  return kind === "switch" && !raw.startsWith(`${name}=`) ? "unknown" : kind;
}

/** True if an assignment needs no rule that names it. */
export function isHarmlessAssignment(assignment: Assignment, catalog: ProgramCatalog): boolean {
  return /^(?:harmless|switch)$/.test(assignmentKind(assignment, catalog));
}

/** The part of an assignment before its value: `NAME=`, `NAME+=`, `NAME[index]=`. */
function headOf({ raw }: Assignment): string {
  return raw.slice(0, raw.indexOf("=") + 1);
}
