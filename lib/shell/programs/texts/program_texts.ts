import about from "../../../../defaults/about.json" with { type: "json" };
import shell from "../../../../defaults/shell.json" with { type: "json" };

// The largest texts of the defaults, of which a call needs a few lines. The bundle has another module in the place of this one, which
// reads those lines from a file beside it (`scripts/bundle/program_texts.ts`).

/** For each program of the defaults: a newline, its first name, a space and its table (`whole_table.ts`), with backticks for quotes. */
const TEXTS: { readonly programs: string } = shell;

/** The text of the table of a program, by its first name: JSON, and behind it the entries of its sub-commands. */
export function programText(first: string): string {
  const { programs } = TEXTS;
  const start = programs.indexOf(`\n${first} `) + first.length + 2;
  const end = programs.indexOf("\n", start);
  const text = programs.slice(start, end < 0 ? undefined : end);
  const own = text.indexOf("\t");
  return own < 0 ? jsonIn(text) : jsonIn(text.slice(0, own)) + text.slice(own);
}

function jsonIn(text: string): string {
  return text.replaceAll("`", '"');
}

/** A sub-command in the text of a program's table. */
export interface SubEntry {
  /** Its names, with commas between. */
  readonly names: string;
  /** The text of its table; in the bundle its place in the file. */
  readonly text: string;
}

/** The texts of the tables of sub-commands of one program, in their order: JSON. */
export function subTexts(entries: readonly SubEntry[]): readonly string[] {
  return entries.map(({ text }) => jsonIn(text));
}

/** The first names of all programs with a table. */
export function programNames(): readonly string[] {
  return TEXTS.programs.split("\n").slice(1).map((line) => line.slice(0, line.indexOf(" ")));
}

/** A value that changes if a text does, as they do in tests. */
export function programTexts(): string {
  return TEXTS.programs;
}

/**
 * The content of `defaults/about.toml`: for each set of forms, separated by blanks, the programs that answer each of them, each between
 * commas; a program may have sub-commands behind it.
 */
export function aboutAnswers(): Readonly<Record<string, string>> {
  return about;
}

const FORMS = ` ${Object.keys(about).join(" ")} `;

/** The forms of `defaults/about.toml`, with a blank before and behind each. */
export function aboutForms(): string {
  return FORMS;
}
