import { parse } from "smol-toml";
import { z } from "zod";
import { shellSchema } from "../lib/policy/schema/shell_schema.ts";

interface Table {
  readonly also?: readonly string[];
}

/** The names of `[names]`. */
interface Families {
  readonly gnu: readonly string[];
  readonly versioned: readonly string[];
}

/**
 * The text of defaults/shell.json for that of shell.toml. All tables of programs are one text, since each string of a file
 * costs time at the start of every process; the line of a program is read when it first stands in a command. Backticks stand for its quotes, which JSON would escape. Throws Error where the file does not fit its schema, or
 * two programs have one name.
 */
export function shellJson(toml: string): string {
  const read = parse(toml);
  const checked = shellSchema.safeParse(read);
  if (!checked.success) throw new Error(`Cannot use shell.toml: ${z.prettifyError(checked.error)}`);
  const { variables, names: families, ...tables } = read;
  const { gnu, versioned } = families as unknown as Families;
  let programs = "";
  const names: Record<string, string> = {};
  for (const [name, table] of Object.entries(tables)) {
    if (/\s/.test(name)) throw new Error(`Cannot use shell.toml: a blank in the name "${name}"`);
    const text = JSON.stringify(table);
    if (text.includes("`")) throw new Error(`Cannot use shell.toml: a backtick in "${name}"`);
    programs += `\n${name} ${text.replaceAll('"', "`")}`;
    for (const each of [name, ...(table as Table).also ?? []]) {
      if (Object.hasOwn(names, each)) {
        throw new Error(`Cannot use shell.toml: two tables for "${each}"`);
      }
      names[each] = name;
    }
  }
  for (const each of [...gnu, ...versioned]) {
    if (!Object.hasOwn(names, each)) {
      throw new Error(`Cannot use shell.toml: no table for "${each}"`);
    }
  }
  for (const each of gnu) names[`g${each}`] ??= names[each]!;
  return JSON.stringify({ variables, names, versioned, programs }, null, 1) + "\n";
}
