/**
 * Writes tests/cases/shell/unnoticed.json anew for the programs among its arguments, or for all:
 * `deno run --allow-read --allow-write=tests/cases tests/support/update_unnoticed.ts curl`. A list that grew needs a reason.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { programEntries, PROGRAMS, tableMark } from "./shell_deletion.ts";

const FILE = new URL("../cases/shell/unnoticed.json", import.meta.url);
const { waiting, tables, programs: lists } = JSON.parse(readFileSync(FILE, "utf8")) as {
  waiting: readonly string[];
  tables: Record<string, string>;
  programs: Record<string, Record<string, string[]>>;
};
const given = (globalThis as { Deno?: { args: string[] } }).Deno?.args ?? [];

const tried = given.length > 0 ? given : PROGRAMS;
for (const program of tried) {
  const list: Record<string, string[]> = {};
  for (const { place, text, isNoticed } of programEntries(program)) {
    if (!isNoticed()) (list[place] ??= []).push(text);
  }
  delete lists[program];
  tables[program] = tableMark(program);
  if (Object.keys(list).length > 0) lists[program] = list;
}
const text = Object.keys(lists).filter((program) => PROGRAMS.includes(program)).toSorted()
  .map((program) => {
    const places = Object.entries(lists[program]!).toSorted(([a], [b]) => a < b ? -1 : 1)
      .map(([place, texts]) => `   ${JSON.stringify(place)}: ${JSON.stringify(texts.toSorted())}`);
    return `  ${JSON.stringify(program)}: {\n${places.join(",\n")}\n  }`;
  });
const marks = Object.entries(tables).filter(([program]) => PROGRAMS.includes(program))
  .toSorted(([a], [b]) => a < b ? -1 : 1);
const left = waiting.filter((program) => !tried.includes(program));
writeFileSync(
  FILE,
  `{\n "waiting": ${JSON.stringify(left)},\n "tables": ${
    JSON.stringify(Object.fromEntries(marks))
  },\n "programs": {\n${text.join(",\n")}\n }\n}\n`,
);
