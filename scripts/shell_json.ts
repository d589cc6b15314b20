import { parse } from "smol-toml";
import { z } from "zod";
import { OPTION_LISTS } from "../lib/shell/programs/program_table.ts";
import { shellSchema } from "../lib/policy/schema/shell_schema.ts";

interface Table {
  readonly also?: readonly string[];
}

interface Program extends Table {
  readonly prefixes?: true;
  readonly like?: string;
  readonly sub?: Readonly<Record<string, Program>>;
}

/** A table whose sub-commands with the same facts stand in one table, under `also`, unless they can be abbreviated. */
function withSharedSubs(table: Program): Program {
  if (!table.sub) return table;
  const all = Object.entries(table.sub).flatMap(([name, { also = [] }]) => [name, ...also]);
  const stray = Object.values(table.sub).find(({ like }) => like && !all.includes(like));
  if (stray) throw new Error(`Cannot use shell.toml: no sub-command "${stray.like}" to be like`);
  const shared = new Map<string, { name: string; facts: Program; also: string[] }>();
  for (const [name, written] of Object.entries(table.sub)) {
    const { also = [], ...facts } = withSharedSubs(written);
    const key = table.prefixes ? name : JSON.stringify(facts);
    const known = shared.get(key);
    if (known) known.also.push(name, ...also);
    else shared.set(key, { name, facts, also: [...also] });
  }
  const sub = [...shared.values()].map(({ name, facts, also }): [string, Program] => [
    name,
    also.length > 0 ? { also, ...facts } : facts,
  ]);
  return { ...table, sub: Object.fromEntries(table.prefixes ? sub : withLikeSubs(sub)) };
}

const LISTS: ReadonlySet<string> = new Set(OPTION_LISTS);

/** The same tables, where one that has all keys of another names that with `like` and leaves those out. */
function withLikeSubs(subs: readonly [string, Program][]): readonly [string, Program][] {
  const bases = new Set(subs.flatMap(([, { like }]) => like ?? []));
  const found: [string, Program][] = [];
  for (const [name, own] of subs) {
    const isBase = [name, ...own.also ?? []].some((each) => bases.has(each));
    const shorter = own.like || isBase ? [] : found.filter(([, base]) => !base.like).flatMap(
      (base) => likeSub(base, own) ?? [],
    );
    const [shortest] = shorter.toSorted((a, b) => sizeOf(a) - sizeOf(b));
    if (shortest && sizeOf(shortest) < sizeOf(own)) {
      bases.add(shortest.like!);
      found.push([name, shortest]);
    } else found.push([name, own]);
  }
  return found;
}

/** A table without the keys that it has from another; undefined if that has further ones. */
function likeSub(
  [like, { also: _, sub: _1, ...base }]: readonly [string, Program],
  { also, ...own }: Program,
): Program | undefined {
  const rest: Record<string, unknown> = { ...own };
  if (Object.hasOwn(own, "shapes") && Object.hasOwn(base, "operands")) return undefined;
  for (const [key, value] of Object.entries(base as Record<string, unknown>)) {
    const mine = (own as Record<string, unknown>)[key];
    if (mine === undefined) return undefined;
    if (LISTS.has(key)) {
      const more = (mine as string[]).filter((each) => !(value as string[]).includes(each));
      if (more.length !== (mine as string[]).length - (value as string[]).length) return undefined;
      if (more.length > 0) rest[key] = more;
      else delete rest[key];
    } else if (JSON.stringify(mine) === JSON.stringify(value)) delete rest[key];
  }
  return { ...(also ? { also } : {}), like, ...rest };
}

function sizeOf(table: Program): number {
  return JSON.stringify(table).length;
}

/** Lists of options with a value; a flag has none. */
const WITH_VALUE = ["value", "read", "write", "output", "url", "run", "code", "hosts", "into"];

/** Lists of options that mean something to us, unlike `value` and `flags`. */
const WITH_MEANING = [
  "read",
  "write",
  "output",
  "url",
  "run",
  "code",
  "archive",
  "sends",
  "fields",
];

function bare(option: string): string {
  return option.replace(/[=?]$/, "");
}

/** Throws Error for an option that a table lists in two kinds: as a flag and with a value, as nothing to us and as something, twice. */
export function assertKinds(name: string, table: Readonly<Record<string, unknown>>): void {
  const flags = new Map(
    (table["flags"] as readonly string[] ?? []).map((each) => [bare(each), each]),
  );
  for (const list of WITH_VALUE) {
    for (const option of table[list] as readonly string[] ?? []) {
      const flag = flags.get(bare(option));
      // `--color` may stand alone where `--color=` may have a value.
      if (flag !== undefined && flag === option) {
        throw new Error(
          `Cannot use shell.toml: "${option}" of "${name}" is a flag and has a value in "${list}"`,
        );
      }
    }
  }
  const listOf = (list: string) => table[list] as readonly string[] ?? [];
  const fail = (option: string, why: string): never => {
    throw new Error(`Cannot use shell.toml: "${option}" of "${name}" ${why}`);
  };
  for (const option of listOf("value")) {
    const list = WITH_MEANING.find((each) => listOf(each).includes(option));
    if (list) fail(option, `is in two kinds, "value" and "${list}"`);
  }
  for (const list of OPTION_LISTS) {
    const twice = listOf(list).find((option, at) => listOf(list).indexOf(option) < at);
    if (twice) fail(twice, `is in "${list}" twice`);
  }
  assertSources(table, fail);
  const subs = table["sub"] as Readonly<Record<string, Readonly<Record<string, unknown>>>> ?? {};
  for (const [sub, inner] of Object.entries(subs)) assertKinds(`${name} ${sub}`, inner);
}

/** Fails for an option of `from` that another list contradicts, and for one of `listed` that `from` lacks. */
function assertSources(
  table: Readonly<Record<string, unknown>>,
  fail: (option: string, why: string) => never,
): void {
  const from = Object.entries(table["from"] as Readonly<Record<string, readonly string[]>> ?? {});
  const listOf = (list: string) => table[list] as readonly string[] ?? [];
  const seen = new Map<string, string>();
  for (const [source, options] of from) {
    const others = source === "value" ? ["value", "flags", "known"] : WITH_VALUE;
    for (const option of options) {
      const known = seen.get(option);
      if (known) fail(option, `is in two kinds of "from", "${known}" and "${source}"`);
      seen.set(option, source);
      const list = others.find((each) => listOf(each).includes(option));
      if (list) fail(option, `is in two kinds, "${list}" and "${source}" of "from"`);
    }
  }
  const lacking = listOf("listed").find((option) => !seen.has(option));
  if (lacking) fail(lacking, `is in "listed" and not in "from"`);
}

/** A table, and behind a tab each of its sub-commands: names with commas between, a space and the table. */
function tableText(table: Program): string {
  const subs = Object.entries(table.sub ?? {}).map(([name, sub]) => {
    const names = [name, ...sub.also ?? []];
    const wrong = names.find((each) => /[\s,]/.test(each));
    if (wrong !== undefined) {
      throw new Error(`Cannot use shell.toml: a blank or comma in the name "${wrong}"`);
    }
    return `${names.join(",")} ${JSON.stringify(sub)}`;
  });
  return [JSON.stringify(table.sub ? { ...table, sub: {} } : table), ...subs].join("\t");
}

/** `[alone]`: names of programs by option. */
type Alone = Readonly<Record<string, readonly string[]>>;

/** The names of `[names]`. */
interface Families {
  readonly gnu: readonly string[];
  readonly versioned: readonly string[];
  readonly runners: readonly string[];
  readonly runs: readonly string[];
}

/**
 * The text of defaults/shell.json for that of shell.toml. All tables of programs are one text, and all names, since each string of a file
 * costs time at the start of every process; the line of a program, and the part of a sub-command, is read when it first stands in a command. Backticks stand for its quotes, which JSON would escape. Throws Error where the file does not fit its schema, or
 * two programs have one name.
 */
export function shellJson(toml: string): string {
  const read = parse(toml);
  const checked = shellSchema.safeParse(read);
  if (!checked.success) throw new Error(`Cannot use shell.toml: ${z.prettifyError(checked.error)}`);
  const { variables, alone, configuration, names: families, ...tables } = read;
  const { gnu, versioned, runners, runs } = families as unknown as Families;
  let programs = "";
  const names: Record<string, string> = {};
  for (const [name, table] of Object.entries(tables)) {
    assertKinds(name, table as Readonly<Record<string, unknown>>);
    const text = tableText(withSharedSubs(table as Program));
    if (text.includes("`")) throw new Error(`Cannot use shell.toml: a backtick in "${name}"`);
    programs += `\n${name} ${text.replaceAll('"', "`")}`;
    for (const each of [name, ...(table as Table).also ?? []]) {
      if (/\s/.test(each)) throw new Error(`Cannot use shell.toml: a blank in the name "${each}"`);
      if (Object.hasOwn(names, each)) {
        throw new Error(`Cannot use shell.toml: two tables for "${each}"`);
      }
      names[each] = name;
    }
  }
  for (const each of [...gnu, ...versioned, ...Object.values(alone as Alone).flat()]) {
    if (!Object.hasOwn(names, each)) {
      throw new Error(`Cannot use shell.toml: no table for "${each}"`);
    }
  }
  for (const each of gnu) names[`g${each}`] ??= names[each]!;
  const words = { runners: runners.join(" "), runs: runs.join(" ") };
  const printers = Object.fromEntries(
    Object.entries(alone as Alone).map(([option, list]) => [option, ` ${list.join(" ")} `]),
  );
  const lines = Object.fromEntries(
    Object.entries(configuration as Alone).map(([name, patterns]) => [name, patterns.join("|")]),
  );
  const texts = {
    variables,
    alone: printers,
    configuration: lines,
    names:
      Object.entries(names).map(([name, first]) =>
        name === first ? `\n${name}` : `\n${name} ${first}`
      ).join("") + "\n",
    versioned,
    ...words,
    programs,
  };
  return JSON.stringify(texts, null, 1) + "\n";
}
