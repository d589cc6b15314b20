import { parse } from "smol-toml";
import { COMMAND_CLASSES, type CommandClass } from "../lib/model/call.ts";
import { CLASS_PHRASES } from "../lib/model/class_phrases.ts";

/** The keys of a program's table that give classes; defaults/shell.toml explains them. */
export interface ClassTable {
  readonly also?: readonly string[];
  readonly class?: CommandClass | readonly CommandClass[];
  readonly classes?: Readonly<Partial<Record<CommandClass, readonly string[]>>>;
  readonly verbs?: Readonly<Partial<Record<CommandClass, readonly string[]>>>;
  readonly unclassed?: readonly string[];
  readonly sub?: Readonly<Record<string, ClassTable>>;
}

/** The tables of programs in the text of defaults/shell.toml. */
export function programTables(toml: string): ReadonlyMap<string, ClassTable> {
  const { variables: _, alone: _1, names: _2, configuration: _3, ...tables } = parse(toml);
  return new Map(Object.entries(tables as unknown as Readonly<Record<string, ClassTable>>));
}

/** A command with a class: its program, and the words behind it. */
export interface ClassedCommand {
  readonly program: string;
  /** Sub-commands, operands and the option that gives the class; empty for the program alone. */
  readonly rest: string;
  readonly name: CommandClass;
}

/** Every command with a class, by program and in the order of the tables. */
export function* classedCommands(
  tables: ReadonlyMap<string, ClassTable>,
): Generator<ClassedCommand> {
  for (const [program, table] of tables) yield* commandsOf(program, { table, before: "" });
}

function* commandsOf(
  program: string,
  { table, before }: { readonly table: ClassTable; readonly before: string },
): Generator<ClassedCommand> {
  const found = (name: CommandClass, more = "") => ({
    program,
    rest: [before, more].filter(Boolean).join(" "),
    name,
  });
  const own = table.class ?? [];
  for (const name of typeof own === "string" ? [own] : own) yield found(name);
  for (const name of COMMAND_CLASSES) {
    for (const option of table.classes?.[name] ?? []) {
      yield found(name, option.replace(/^\*+$/, "…").replace(/[=?]$/, ""));
    }
    for (const verb of table.verbs?.[name] ?? []) yield found(name, verb.replace(/\*+$/, "…"));
  }
  for (const [sub, inner] of Object.entries(table.sub ?? {})) {
    yield* commandsOf(program, { table: inner, before: `${before} ${sub}`.trim() });
  }
}

/** A list of the commands of each class, as Markdown. */
export function classList(toml: string): string {
  const tables = programTables(toml);
  const commands = [...classedCommands(tables)];
  const programs = new Set(commands.map(({ program }) => program));
  const subs = new Set(
    commands.filter(({ rest }) => /^[^-…]/.test(rest)).map(({ program, rest }) =>
      `${program} ${rest}`
    ),
  );
  const head = `${programs.size} programs and ${subs.size} of their sub-commands have a class.\n`;
  return head + COMMAND_CLASSES.flatMap((name) => {
    const own = commands.filter((command) => command.name === name);
    return own.length === 0 ? [] : [section(name, { own, tables })];
  }).join("");
}

function section(
  name: CommandClass,
  { own, tables }: {
    readonly own: readonly ClassedCommand[];
    readonly tables: ReadonlyMap<string, ClassTable>;
  },
): string {
  const alone = own.filter(({ rest }) => rest === "").flatMap(({ program }) => {
    const { also = [], unclassed = [] } = tables.get(program) ?? {};
    return [program, ...also.filter((each) => !unclassed.includes(each))];
  });
  const byProgram = new Map<string, string[]>();
  for (const { program, rest } of own) {
    if (rest === "") continue;
    const list = byProgram.get(program) ?? [];
    list.push(rest);
    byProgram.set(program, list);
  }
  const lines = [...byProgram].sort(([a], [b]) => a < b ? -1 : 1).map(([program, list]) =>
    `- \`${program}\`: ${codes(list)}\n`
  );
  const programs = alone.length === 0 ? "" : `${codes(alone)}\n`;
  return `\n### @${name}\n\nA command that ${CLASS_PHRASES[name].does}.\n${
    [programs, lines.join("")].filter(Boolean).map((part) => `\n${part}`).join("")
  }`;
}

function codes(texts: readonly string[]): string {
  return [...new Set(texts)].sort().map((text) => `\`${text.replaceAll("|", "\\|")}\``).join(", ");
}
