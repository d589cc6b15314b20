import type { ProgramTable } from "./program_table.ts";
import { type SubEntry, subTexts } from "./texts/program_texts.ts";

/** The separator of the table of a program and those of its sub-commands. */
const TAB = "\t";

/**
 * Reads the text of a table as `program_texts.ts` has it: JSON in which `sub` is empty, and the sub-commands behind it. Each of
 * them is looked for, read and parsed when it is asked for: git has 120, and a line names one.
 */
export function readTable(text: string): ProgramTable {
  const end = text.indexOf(TAB);
  if (end < 0) return jsonOf(text);
  return { ...jsonOf(text.slice(0, end)), sub: new Proxy({}, new SubTables(text.slice(end))) };
}

/**
 * Has an object give the table of a sub-command by each of its names. A look at all of them meets each by its first name only, in the order of
 * the text.
 */
class SubTables implements ProxyHandler<Record<string, ProgramTable>> {
  readonly #text: string;
  readonly #tables = new Map<string, ProgramTable>();
  #names: readonly string[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get(_: object, name: string | symbol): ProgramTable | undefined {
    return typeof name === "string" ? this.#named(name)?.table : undefined;
  }

  has(_: object, name: string | symbol): boolean {
    return this.get(_, name) !== undefined;
  }

  ownKeys(): string[] {
    this.#names ??= this.#readAll();
    return [...this.#names];
  }

  getOwnPropertyDescriptor(_: object, name: string | symbol): PropertyDescriptor | undefined {
    const found = typeof name === "string" ? this.#named(name) : undefined;
    return found && { value: found.table, enumerable: found.first === name, configurable: true };
  }

  #named(name: string): { readonly first: string; readonly table: ProgramTable } | undefined {
    const entry = entryOf(this.#text, name);
    if (entry === undefined) return undefined;
    const first = firstOf(entry);
    let table = this.#tables.get(first);
    if (table === undefined) this.#tables.set(first, table = jsonOf(subTexts([entry])[0]!));
    return { first, table };
  }

  #readAll(): readonly string[] {
    const entries = this.#text.slice(1).split(TAB).map(entryIn);
    for (const [index, text] of subTexts(entries).entries()) {
      const first = firstOf(entries[index]!);
      if (!this.#tables.has(first)) this.#tables.set(first, jsonOf(text));
    }
    return entries.map(firstOf);
  }
}

/** The entry of a sub-command, by any of its names; undefined if none has it. */
function entryOf(text: string, name: string): SubEntry | undefined {
  // These would reach from one name into another.
  if (name === "" || /[\s,]/.test(name)) return undefined;
  const at = placeOf(text, `${TAB}${name}`) ?? placeOf(text, `,${name}`);
  if (at === undefined) return undefined;
  const start = text.lastIndexOf(TAB, at) + 1;
  const end = text.indexOf(TAB, at + 1);
  return entryIn(text.slice(start, end < 0 ? undefined : end));
}

/** The first place of a name with what stands before it, among the names of an entry. */
function placeOf(text: string, written: string): number | undefined {
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1)) {
    const next = text[at + written.length];
    if (next !== " " && next !== ",") continue;
    // Behind the first blank stands the table.
    if (text[at] === TAB || text.lastIndexOf(" ", at) < text.lastIndexOf(TAB, at)) return at;
  }
  return undefined;
}

function entryIn(written: string): SubEntry {
  const end = written.indexOf(" ");
  return { names: written.slice(0, end), text: written.slice(end + 1) };
}

function firstOf({ names }: SubEntry): string {
  const end = names.indexOf(",");
  return end < 0 ? names : names.slice(0, end);
}

function jsonOf(text: string): ProgramTable {
  return JSON.parse(text) as ProgramTable;
}

/**
 * A table with a place for every key. Each program's table has other keys, and a look at the members of objects of a hundred shapes
 * is slow; those of one shape are found at once.
 */
export function wholeTable(table: ProgramTable): ProgramTable {
  return { ...BLANK, ...table } as ProgramTable;
}

const BLANK: { readonly [Key in keyof ProgramTable]-?: undefined } = {
  also: undefined,
  style: undefined,
  bundle: undefined,
  permute: undefined,
  abbreviate: undefined,
  harmless: undefined,
  fixed_files: undefined,
  sends_input: undefined,
  operands: undefined,
  operands_with: undefined,
  shapes: undefined,
  tails: undefined,
  endings: undefined,
  means: undefined,
  language: undefined,
  drops: undefined,
  moves: undefined,
  enters: undefined,
  inner: undefined,
  stdin: undefined,
  prompt: undefined,
  binary: undefined,
  lines: undefined,
  prefixes: undefined,
  separator: undefined,
  skip: undefined,
  assigns: undefined,
  adds: undefined,
  placeholders: undefined,
  adds_with: undefined,
  bare: undefined,
  transparent: undefined,
  remote: undefined,
  opaque: undefined,
  trade: undefined,
  interpreter: undefined,
  trade_options: undefined,
  companion: undefined,
  keeps: undefined,
  idle: undefined,
  prints_name: undefined,
  prints_integer: undefined,
  pathspecs: undefined,
  repository: undefined,
  class: undefined,
  class_if: undefined,
  needs: undefined,
  elsewhere: undefined,
  blobs: undefined,
  names_only: undefined,
  hooks: undefined,
  revisions: undefined,
  upstream: undefined,
  shows_remotes: undefined,
  fetches: undefined,
  filters: undefined,
  request: undefined,
  doubtful_values: undefined,
  shaped: undefined,
  doubtful: undefined,
  starts: undefined,
  known: undefined,
  safe: undefined,
  doubtful_words: undefined,
  verbs: undefined,
  redirects: undefined,
  from: undefined,
  interactive: undefined,
  home: undefined,
  unclassed: undefined,
  recursive: undefined,
  unbounded: undefined,
  skips_hidden: undefined,
  unhides: undefined,
  follows_links: undefined,
  builtin: undefined,
  classes: undefined,
  without: undefined,
  scripts: undefined,
  config: undefined,
  any_words: undefined,
  arguments: undefined,
  like: undefined,
  binaries: undefined,
  packages: undefined,
  online: undefined,
  sub: undefined,
  inherits: undefined,
  value: undefined,
  flags: undefined,
  read: undefined,
  write: undefined,
  archive: undefined,
  output: undefined,
  url: undefined,
  sends: undefined,
  fields: undefined,
  anywhere: undefined,
  run: undefined,
  code: undefined,
  acts: undefined,
  commands: undefined,
  marks: undefined,
  in_place: undefined,
  nothing: undefined,
  prompts: undefined,
  reads: undefined,
  script_options: undefined,
  hosts: undefined,
  globs: undefined,
  into: undefined,
  hidden: undefined,
  listed: undefined,
  relinks: undefined,
  copies: undefined,
  unpacks: undefined,
  fills: undefined,
  saves: undefined,
  sweeps: undefined,
  skips: undefined,
  stays: undefined,
  renames: undefined,
  descends: undefined,
};
