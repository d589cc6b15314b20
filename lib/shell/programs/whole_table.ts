import { onDemand } from "../../model/on_demand.ts";
import type { ProgramTable } from "./program_table.ts";

/** The separator of the table of a program and those of its sub-commands. */
const TAB = "\t";

/**
 * Reads the text of a table as `defaults/shell.json` has it: JSON with backticks for quotes, in which `sub` is empty, and the
 * sub-commands behind it. Each of them is parsed when it is asked for: git has 120, and a line names one.
 */
export function readTable(text: string): ProgramTable {
  const [own = "", ...subs] = text.split(TAB);
  const table = jsonOf(own);
  const { sub } = table;
  if (sub === undefined) return table;
  const others: [string, PropertyDescriptor][] = [];
  for (const each of subs) {
    const end = each.indexOf(" ");
    const names = each.slice(0, end);
    const get = onDemand(() => jsonOf(each.slice(end + 1)));
    const comma = names.indexOf(",");
    const name = comma < 0 ? names : names.slice(0, comma);
    Object.defineProperty(sub, name, { get, enumerable: true });
    if (comma < 0) continue;
    for (const other of names.slice(comma + 1).split(",")) others.push([other, { get }]);
  }
  // A look at all sub-commands meets each by its first name only.
  for (const [name, hidden] of others) {
    if (!Object.hasOwn(sub, name)) Object.defineProperty(sub, name, hidden);
  }
  return table;
}

function jsonOf(text: string): ProgramTable {
  return JSON.parse(text.replaceAll("`", '"')) as ProgramTable;
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
