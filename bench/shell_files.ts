/**
 * Runs many random command lines that open files, and holds them against a deny of each of these files: `deno run -A
 * bench/shell_files.ts --shell zsh --seed 1 --count 20000`. Needs strace. Exit status 1 when a line is allowed and opens one.
 */
import { randomFileLine } from "../tests/support/shell_files.ts";
import {
  filesOpened,
  type Opening,
  openings,
  withoutWatch,
} from "../tests/support/shell_opened.ts";
import type { RealShell } from "../tests/support/shell_recorder.ts";

const BATCH = 250;
const shell = text("--shell", "bash") as RealShell;
const seed = Number(text("--seed", "1"));
const count = Number(text("--count", "20000"));
const missing = withoutWatch(shell);
if (missing !== false) throw new Error(`Cannot watch ${shell}: ${missing}`);

const found: Opening[] = [];
let [lines, files] = [0, 0];
for (let first = 0; first < count; first += BATCH) {
  const length = Math.min(BATCH, count - first);
  const batch = Array.from({ length }, (_, at) => randomFileLine(seed * 1_000_003 + first + at));
  const all = await filesOpened(shell, batch);
  lines += all.filter(({ opened }) => opened.length > 0).length;
  files += all.reduce((sum, { opened }) => sum + opened.length, 0);
  found.push(...openings(shell, all));
}
console.log(
  `${count} lines; ${lines} opened ${files} files; ${found.length} of these were allowed`,
);
for (const { line, file, access } of found.toSorted((a, b) => a.line.length - b.line.length)) {
  console.log(`${JSON.stringify(line)} opens ${file} to ${access} it`);
}
if (found.length > 0) Deno.exitCode = 1;

function text(flag: string, otherwise: string): string {
  const at = Deno.args.indexOf(flag);
  return at < 0 ? otherwise : Deno.args[at + 1] ?? otherwise;
}
