import type { AllowText, DenyText } from "../effect.ts";
import {
  type Assignment,
  literalOf,
  type Redirect,
  type Simple,
  type Word,
} from "../parse/tree.ts";
import { baseName, type ProgramCatalog } from "../programs/program_catalog.ts";
import type { CommandReading } from "../programs/program_use.ts";
import { readCommand } from "../programs/read_command.ts";
import { type CommandContext, wordInLoop } from "./command_context.ts";

/** A simple command, its reading and the texts that rules match. */
export interface SimpleCommand {
  readonly node: Simple;
  /** Its words, with braces expanded and loop variables replaced. */
  readonly words: readonly Word[];
  readonly reading: CommandReading;
  readonly texts: CommandTexts;
  /** True if a table describes its program. */
  readonly isDescribed: boolean;
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
  const program = name === undefined
    ? undefined
    : catalog.program(name) ?? catalog.program(baseName(name));
  const texts = commandTexts(words === node.words ? node : { ...node, words }, catalog);
  return {
    node,
    words,
    reading: readCommand(words, program),
    texts,
    isDescribed: program !== undefined,
  };
}

function commandTexts(node: Simple, catalog: ProgramCatalog): CommandTexts {
  const { words } = node;
  const assignments = node.assignments.filter((each) => !isHarmlessAssignment(each, catalog));
  const prefix = assignments.map((each) => `${headOf(each)}${each.value.shape} `).join("");
  let resolved = prefix;
  let maxLiteral = Infinity;
  const ends: number[] = [];
  for (const [index, { shape }] of words.entries()) {
    if (index > 0) resolved += " ";
    if (maxLiteral === Infinity && (shape === "" || /\s/.test(shape))) maxLiteral = resolved.length;
    resolved += shape;
    ends.push(resolved.length);
  }
  const written = writtenText(node);
  const own: AllowText[] = [{ text: resolved, minLiteral: prefix.length, maxLiteral }];
  if (written !== resolved) {
    const minLiteral = endOfAssignments(written, assignments);
    own.push({ text: written, minLiteral, maxLiteral: Infinity });
  }
  return { written, resolved, ends, own, maxLiteral };
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
  { node, words, texts, reading: { globals } }: SimpleCommand,
): readonly DenyText[] {
  const { assignments, redirects } = node;
  const isBare = assignments.length === 0 && redirects.length === 0 && globals.length === 0;
  if (isBare && texts.written === texts.resolved && !words[0]?.shape.includes("/")) {
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
  const opening = redirects.filter(({ operator }) => !operator.startsWith("<<"));
  if (opening.length > 0) list.addWords([...stripped, ...opening.map(redirectText)]);
  return list.texts;
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
    this.add(
      words.map(({ text }) => text).join(" "),
      words.map(({ shape }) => shape).join(" "),
    );
  }
}

/** A redirection in canonical spacing: `> f`, `2>&1`. */
export function redirectText({ raw, operator, target }: Redirect): { text: string; shape: string } {
  const descriptor = raw.slice(0, raw.indexOf(operator));
  const head = `${descriptor}${operator}${operator.endsWith("&") ? "" : " "}`;
  return { text: `${head}${target?.text ?? ""}`, shape: `${head}${target?.shape ?? ""}` };
}

/** True if an assignment sets a harmless variable to a plain word. */
export function isHarmlessAssignment(
  { name, value }: Assignment,
  catalog: ProgramCatalog,
): boolean {
  // Make and arithmetic evaluate the value of a variable: `CI='$(shell x)' make`.
  return catalog.isHarmlessVariable(name) && /^[\w.,:/+@% -]*$/.test(value.shape);
}

/** The part of an assignment before its value: `NAME=`, `NAME+=`, `NAME[index]=`. */
function headOf({ raw }: Assignment): string {
  return raw.slice(0, raw.indexOf("=") + 1);
}
