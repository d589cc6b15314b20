import type { CommandClass } from "../../model/call.ts";
import { EVER } from "./class_conditions.ts";
import { alternativesOf, isFixed, type Word } from "../parse/tree.ts";
import { fitsGlob } from "./program.ts";
import type { ProgramTable } from "./program_table.ts";
import type { Level, ProgramUse } from "./program_use.ts";
import type { OptionUse } from "./read_options.ts";
import { urlClass } from "../../pattern/url/url_class.ts";

/** True if the classes of a table hold with an option: it is known to them, or its value is one that makes no difference. */
export function keepsClasses(use: OptionUse, table: ProgramTable): boolean {
  const { option: { name } } = use;
  if (isSafe(use, table)) return true;
  if (table.doubtful?.includes(name)) return false;
  if (table.known === undefined) return true;
  let named = namedOptions.get(table);
  if (named === undefined) namedOptions.set(table, named = namedBy(table));
  return named.has(name) || table.known.includes(EVER);
}

/** The options that the lists of tables name for their classes. */
const namedOptions = new WeakMap<ProgramTable, ReadonlySet<string>>();

function namedBy({ known = [], classes = {} }: ProgramTable): ReadonlySet<string> {
  return new Set([...known, ...Object.values(classes).flat()]);
}

/** True if the value of an option is one with which it adds no class. */
export function isSafe({ option, value }: OptionUse, { safe }: ProgramTable): boolean {
  const globs = safe?.[option.name];
  return globs !== undefined && value !== undefined && isPrintable(value) &&
    globs.some((glob) => fitsGlob(glob, value));
}

/** The first word behind a program that may name a file or a host where another program would see a value. */
export function doubtfulWordOf(
  words: readonly Word[],
  { from, program: { table: { doubtful_words: globs } } }: Level,
): Word | undefined {
  return globs &&
    words.slice(from).find(({ shape }) => globs.some((glob) => fitsGlob(glob, shape)));
}

/** The most parts of an operand such as `pods,services`. */
const MAX_PARTS = 16;

/** The classes of a command by its first operands; undefined if its table names none for these. */
export function classesOfVerb(
  words: readonly Word[],
  { args: { operands }, program: { table: { verbs } } }: Level,
): readonly CommandClass[] | undefined {
  if (verbs === undefined) return undefined;
  const [first = "", ...others] = operands.map((at) => words[at]!.shape);
  const parts = first.split(",");
  if (parts.length > MAX_PARTS) return undefined;
  let index = verbIndexes.get(verbs);
  if (index === undefined) verbIndexes.set(verbs, index = indexOf(verbs));
  const found = new Set<CommandClass>();
  for (const part of parts) {
    const texts = [part, ...others];
    const fitting = [...index.byFirst.get(part) ?? [], ...index.open]
      .filter((verb) => beginsWith(texts, verb));
    if (fitting.length === 0) return undefined;
    for (const { name } of fitting) found.add(name);
  }
  return [...found];
}

/** A verb of a table. */
interface Verb {
  readonly name: CommandClass;
  readonly words: readonly string[];
}

/** The verbs of a table by their first words, and those that begin with any. */
interface VerbIndex {
  readonly byFirst: ReadonlyMap<string, readonly Verb[]>;
  readonly open: readonly Verb[];
}

const verbIndexes = new WeakMap<NonNullable<ProgramTable["verbs"]>, VerbIndex>();

function indexOf(verbs: NonNullable<ProgramTable["verbs"]>): VerbIndex {
  const byFirst = new Map<string, Verb[]>();
  const open: Verb[] = [];
  for (const [name, list] of Object.entries(verbs) as [CommandClass, readonly string[]][]) {
    for (const verb of list) {
      const words = verb.split(" ");
      const first = words[0]!;
      const isOpen = words.length === 1 && (first === "*" || first === "**");
      const known = isOpen ? open : byFirst.get(first);
      if (known === undefined) byFirst.set(first, [{ name, words }]);
      else known.push({ name, words });
    }
  }
  return { byFirst, open };
}

/** True if texts are the words of a verb. A final `*` stands for any words without a slash, `**` for any words. */
function beginsWith(texts: readonly string[], { words }: Verb): boolean {
  const last = words[words.length - 1];
  const isOpen = last === "*" || last === "**";
  const count = isOpen ? words.length - 1 : words.length;
  if (isOpen ? texts.length < count : texts.length !== count) return false;
  for (let at = 0; at < count; at++) if (texts[at] !== words[at]) return false;
  return last !== "*" ||
    texts.slice(count).every((text) => isFixed(text) && !text.includes("/"));
}

/** The classes of the URLs that a command fetches; undefined if that of one is unknown. One that the line does not fix has none. */
export function classesOfUrls(uses: readonly ProgramUse[]): readonly CommandClass[] | undefined {
  const shapes = uses.filter(({ kind }) => kind === "url")
    .flatMap(({ value }) => alternativesOf(value)).map(({ shape }) => shape)
    .filter(isFixed);
  const classes = shapes.map(urlClass);
  return classes.every((each) => each !== undefined) ? [...new Set(classes)] : undefined;
}

function isPrintable(text: string): boolean {
  // deno-lint-ignore no-control-regex
  return isFixed(text) && !/[\u0000-\u001f\u007f]/.test(text);
}

/**
 * True if an option certainly takes a class from a command: a flag without a value of its own, or an option that the list names
 * with values. Each option that it names so has one of these where it stands, and none stands there with "!" before it.
 */
export function isSpared(
  list: readonly string[],
  { words, args: { options } }: {
    readonly words: readonly Word[];
    readonly args: Pick<Level["args"], "options">;
  },
): boolean {
  const usesOf = (name: string) => options.filter(({ option }) => option.name === name);
  if (list.some((each) => each[0] === "!" && usesOf(each.slice(1)).length > 0)) return false;
  const valued = new Set(list.filter((each) => each.includes("=")).map(nameOf));
  const given = [...valued].flatMap(usesOf);
  if (given.some(({ option, value }) => !list.includes(`${option.name}=${value}`))) return false;
  return given.length > 0 || list.some((each) => {
    const uses = valued.has(each) ? [] : usesOf(each);
    return uses.length > 0 && uses.every(({ first }) => !words[first]!.shape.includes("="));
  });
}

/** The reason why a program that shows pages has no class. */
export const SHOWS_PAGES = "it shows its output page by page, which only a person can end";

/** True if a command may show pages where its output goes to a terminal. */
export function showsPages(words: readonly Word[], levels: readonly Level[]): boolean {
  return levels.some(({ args, program: { table: { interactive } } }) =>
    interactive !== undefined && (interactive === true || !isSpared(interactive, { words, args }))
  );
}

/** The option of an entry such as `-o=v`. */
function nameOf(entry: string): string {
  return entry.slice(0, entry.indexOf("="));
}
