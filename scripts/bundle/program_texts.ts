// Stands in the bundle in the place of `lib/shell/programs/texts/program_texts.ts`: the texts are lines of a file beside it, of which a
// call reads those that it needs. As a string of the bundle they would be loaded, and kept in V8's code cache, for every call.
import { linkOf } from "./link.ts";

/** The list of lines, made by `text_lines.ts`: for each a newline, its name, where it begins and its length in bytes. */
declare const CALIBAN_TEXTS: {
  readonly mark: string;
  readonly lines: string;
  readonly forms: string;
};

const { mark: MARK, lines: LINES, forms: FORMS } = CALIBAN_TEXTS;

/** The text of the table of a program, by its first name. Throws Error where the file is not the one of this bundle. */
export function programText(first: string): string {
  return textOf(first);
}

/** A sub-command in the text of a program's table. */
export interface SubEntry {
  /** Its names, with commas between. */
  readonly names: string;
  /** The place of its line: where it begins and its length. */
  readonly text: string;
}

/** The texts of the tables of sub-commands of one program, in their order, in which their lines follow each other. Throws Error as `programText` does. */
export function subTexts(entries: readonly SubEntry[]): readonly string[] {
  const places = entries.map(({ text }) => placeOf(text));
  const { start } = places[0]!;
  const last = places.at(-1)!;
  const lines = readLine(start, last.start + last.length - start);
  return places.map((place, index) => {
    const line = lines.slice(place.start - start, place.start - start + place.length);
    return textIn(line, entries[index]!.names.split(",", 1)[0]!);
  });
}

/** The first names of all programs with a table. */
export function programNames(): readonly string[] {
  const [, , ...names] = LINES.split("\n").map((line) => line.split(" ")[0]!);
  return names;
}

/** A value that never changes: the file belongs to the bundle. */
export function programTexts(): string {
  return MARK;
}

/** The forms of `defaults/about.toml`, with a blank before and behind each. */
export function aboutForms(): string {
  return FORMS;
}

/** The content of `defaults/about.toml`. Throws Error where the file is not the one of this bundle. */
export function aboutAnswers(): Readonly<Record<string, string>> {
  return JSON.parse(textOf("*about"));
}

/** The text of a line. Each line begins with the bundle's mark, so that nothing is read from the file of another bundle. */
function textOf(name: string): string {
  const at = LINES.indexOf(`\n${name} `) + name.length + 2;
  const { start, length } = placeOf(LINES.slice(at, LINES.indexOf("\n", at)));
  return textIn(readLine(start, length), name);
}

function placeOf(text: string): { readonly start: number; readonly length: number } {
  const [start = 0, length = 0] = text.split(" ").map(Number);
  return { start, length };
}

/** The text of a line with the newlines round it. */
function textIn(line: string, name: string): string {
  const head = `\n${MARK} ${name} `;
  if (!line.startsWith(head) || !line.endsWith("\n")) throw damaged();
  return line.slice(head.length, -1);
}

/** So many bytes from a place of the file, which are ASCII. */
function readLine(start: number, length: number): string {
  if (!isSize(start) || !isSize(length)) throw damaged();
  const path = pathBeside("./texts.txt");
  const { files } = linkOf();
  if (files === undefined) return readByDeno(path, { start, length });
  const bytes = Buffer.allocUnsafe(length);
  const file = files.openSync(path, "r");
  try {
    for (let done = 0; done < length;) {
      const count = files.readSync(file, bytes, done, length - done, start + done);
      if (count === 0) throw damaged();
      done += count;
    }
  } finally {
    files.closeSync(file);
  }
  return bytes.toString("latin1");
}

/** True for a whole number that is no more than a file of texts may have bytes. */
function isSize(number: number): boolean {
  return Number.isInteger(number) && number >= 0 && number <= MOST_BYTES;
}

const MOST_BYTES = 0x1000000;

/** The path of a file beside this one, which begins with a dot; as a URL where that says it in another way. */
function pathBeside(name: string): string | URL {
  const folder = /^file:\/\/((?:\/[\w.-]+)+\/)[^/]*$/.exec(import.meta.url)?.[1];
  // Deno takes longer to read a URL than the file.
  return folder === undefined ? new URL(name, import.meta.url) : `${folder}${name.slice(2)}`;
}

function readByDeno(
  path: string | URL,
  { start, length }: { readonly start: number; readonly length: number },
): string {
  const bytes = new Uint8Array(length);
  const file = Deno.openSync(path);
  try {
    file.seekSync(start, Deno.SeekMode.Start);
    for (let done = 0; done < length;) {
      const count = file.readSync(bytes.subarray(done));
      if (count === null || count === 0) throw damaged();
      done += count;
    }
  } finally {
    file.close();
  }
  return new TextDecoder().decode(bytes);
}

function damaged(): Error {
  return new Error('Cannot read "texts.txt": it is not the file of this bundle');
}
