import { parse } from "smol-toml";
import { z } from "zod";
import { shellSchema } from "../lib/policy/shell_schema.ts";

interface Table {
  readonly also?: readonly string[];
}

/**
 * The text of defaults/shell.json for that of shell.toml. Each program's table is a text of its own, which is read when
 * the program first stands in a command: most of them never do. Throws Error where the file does not fit its schema, or
 * two programs have one name.
 */
export function shellJson(toml: string): string {
  const read = parse(toml);
  const checked = shellSchema.safeParse(read);
  if (!checked.success) throw new Error(`Cannot use shell.toml: ${z.prettifyError(checked.error)}`);
  const { variables, ...tables } = read;
  const programs: Record<string, string> = {};
  const names: Record<string, string> = {};
  for (const [name, table] of Object.entries(tables)) {
    programs[name] = JSON.stringify(table);
    for (const each of [name, ...(table as Table).also ?? []]) {
      if (Object.hasOwn(names, each)) {
        throw new Error(`Cannot use shell.toml: two tables for "${each}"`);
      }
      names[each] = name;
    }
  }
  return JSON.stringify({ variables, names, programs }, null, 1) + "\n";
}
