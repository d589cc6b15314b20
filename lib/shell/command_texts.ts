import { baseName, type ProgramCatalog } from "./programs/programs.ts";
import type { Assignment, Redirect, Simple, Word } from "./parse/tree.ts";
import type { AllowText, DenyText } from "./unit.ts";

/** A command as rules see it, in each of its spellings. */
export interface CommandTexts {
  /** As it is written, with the text of its here-documents. */
  readonly written: string;
  /** Quoting undone; redirections and harmless assignments left out; one space between words. */
  readonly resolved: string;
  /** Where each word ends in the resolved text. */
  readonly ends: readonly number[];
  /** The allow rules that may cover the command itself. */
  readonly own: readonly AllowText[];
  /** Where an allow rule's literal text must end at the latest in the resolved text. */
  readonly limit: number;
}

/** Puts the texts of a command together. */
export function commandTexts(
  node: Pick<Simple, "text" | "assignments" | "words" | "redirects">,
  catalog: ProgramCatalog,
): CommandTexts {
  const { words } = node;
  const loud = node.assignments.filter((each) => !isDirectoryOnly(each, catalog));
  const prefix = loud.map((each) => `${headOf(each)}${each.value.shape} `).join("");
  let resolved = prefix;
  let limit = Infinity;
  const ends: number[] = [];
  for (const [index, { shape }] of words.entries()) {
    if (index > 0) resolved += " ";
    if (limit === Infinity && (shape === "" || /\s/.test(shape))) limit = resolved.length;
    resolved += shape;
    ends.push(resolved.length);
  }
  const written = writtenText(node);
  const own: AllowText[] = [{ text: resolved, minLiteral: prefix.length, maxLiteral: limit }];
  if (written !== resolved) {
    own.push({ text: written, minLiteral: loudEnd(written, loud), maxLiteral: Infinity });
  }
  return { written, resolved, ends, own, limit };
}

/** What deny and ask rules are tried on. */
export function denyTexts(
  node: Pick<Simple, "assignments" | "words" | "redirects">,
  { texts, globals }: { texts: CommandTexts; globals: readonly number[] },
): readonly DenyText[] {
  const { words, assignments, redirects } = node;
  const simple = assignments.length === 0 && redirects.length === 0 && globals.length === 0;
  if (simple && texts.written === texts.resolved && !words[0]?.shape.includes("/")) {
    // The words are all as they are written, and nothing stands round them.
    return [{ text: texts.written, template: texts.written }];
  }
  const found = new DenyTextList();
  found.add(texts.written, texts.written);
  found.addWords(words);
  if (assignments.length > 0) {
    const prefix = assignments.map((each) => ({
      text: `${headOf(each)}${each.value.text}`,
      shape: `${headOf(each)}${each.value.shape}`,
    }));
    found.addWords([...prefix, ...words]);
    found.add(texts.resolved, texts.resolved);
  }
  const first = words[0];
  if (!first) return found.list;
  const base = baseName(first.shape);
  const bare = base === first.shape
    ? words
    : [{ ...first, text: base, shape: base }, ...words.slice(1)];
  if (bare !== words) found.addWords(bare);
  const stripped = globals.length === 0 ? bare : bare.filter((_, at) => !globals.includes(at));
  if (stripped !== bare) found.addWords(stripped);
  const opens = redirects.filter(({ operator }) => !operator.startsWith("<<"));
  if (opens.length > 0) found.addWords([...stripped, ...opens.map(redirectText)]);
  return found.list;
}

/** A redirection as `> f`. */
export function redirectText({ raw, operator, target }: Redirect): { text: string; shape: string } {
  const descriptor = raw.slice(0, raw.indexOf(operator));
  const head = `${descriptor}${operator}`;
  const space = operator.endsWith("&") ? "" : " ";
  return {
    text: `${head}${space}${target?.text ?? ""}`,
    shape: `${head}${space}${target?.shape ?? ""}`,
  };
}

/** Whether an assignment changes nothing of what runs: a harmless variable with a plain word. */
export function isDirectoryOnly({ name, value }: Assignment, catalog: ProgramCatalog): boolean {
  // Make and arithmetic evaluate what a variable holds: `CI='$(shell x)' make`.
  return catalog.isHarmlessVariable(name) && /^[\w.,:/+@% -]*$/.test(value.shape);
}

/** `NAME=`, `NAME+=`, `NAME[index]=`. */
function headOf({ raw }: Assignment): string {
  return raw.slice(0, raw.indexOf("=") + 1);
}

class DenyTextList {
  readonly list: DenyText[] = [];

  add(text: string, shape: string): void {
    if (!this.list.some((known) => known.text === text && known.template === shape)) {
      this.list.push({ text, template: shape });
    }
  }

  addWords(words: readonly Pick<Word, "text" | "shape">[]): void {
    this.add(
      words.map(({ text }) => text).join(" "),
      words.map(({ shape }) => shape).join(" "),
    );
  }
}

function writtenText({ text, redirects }: Pick<Simple, "text" | "redirects">): string {
  if (redirects.length === 0) return text;
  const bodies = redirects.filter(({ operator }) => operator === "<<");
  return [text, ...bodies.map(({ target }) => target?.raw ?? "")].join("\n");
}

/** Where the last assignment that is not harmless ends in the written text. */
function loudEnd(written: string, loud: readonly { raw: string }[]): number {
  let end = 0;
  for (const { raw } of loud) {
    const at = written.indexOf(raw, end);
    if (at < 0) return Infinity;
    end = at + raw.length;
  }
  return end;
}
