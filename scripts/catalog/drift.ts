import { helpOptions } from "./help_options.ts";

/** A program's table as TOML gives it. */
export type WrittenTable = Readonly<Record<string, unknown>>;

/** The keys of a table that hold other words than options. */
const NOT_OPTIONS: ReadonlySet<string> = new Set([
  "also",
  "operands",
  "class",
  "unclassed",
  "prints_name",
  "tails",
]);

/** Options that every program may have, and that no table needs. */
const ALWAYS: ReadonlySet<string> = new Set(["--help", "--version", "-h", "-V", "-?", "--usage"]);

/** A table and a program's help that differ. */
export interface Drift {
  /** Options of the help that the table does not name: a command with one is of the class unknown. */
  readonly missing: readonly string[];
  /** Options of the table that the help does not name: other versions or systems may have them. */
  readonly extra: readonly string[];
}

/** The options that a table names, in any of its lists, without the marks of their values. */
export function tableOptions(table: WrittenTable): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (value: unknown) => {
    if (typeof value === "string" && value.startsWith("-")) {
      found.add(value.replace(/[=?]+$/, "").split(" ")[0]!);
    } else if (Array.isArray(value)) value.forEach(add);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        add(key);
        add(inner);
      }
    }
  };
  for (const [key, value] of Object.entries(table)) {
    if (key !== "sub" && !NOT_OPTIONS.has(key)) add(value);
  }
  return found;
}

/** The differences between a table and the text that `--help` prints; undefined if the text names no option. */
export function driftOf(table: WrittenTable, help: string): Drift | undefined {
  const named = tableOptions(table);
  const printed = helpOptions(help).filter((option) => !ALWAYS.has(option));
  if (printed.length === 0) return undefined;
  const known = new Set(printed);
  return {
    missing: printed.filter((option) => !named.has(option)),
    extra: [...named].filter((option) =>
      !known.has(option) && !ALWAYS.has(option) && !/^-[#\d]?$/.test(option)
    ),
  };
}
