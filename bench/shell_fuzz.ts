/**
 * Reads many random command lines and holds what was read against what a shell starts: `deno run -A bench/shell_fuzz.ts --seed 1
 * --count 20000`, `--shell zsh` for another one than bash (dash, busybox), and `--shrink 40` for that many violations cut short, `--reader FILE` for another module that exports `readLine`.
 * Exit status 1 when a program was started that no unit names.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import "../lib/shell/parse/loaded_parser.ts";
import {
  type RealShell,
  type ShellRecorder,
  withShellRecorder,
} from "../tests/support/shell_recorder.ts";
import {
  compareWithShell,
  type Outcome,
  type Reader,
  readerFor,
  shrunk,
  type Violation,
} from "../tests/support/shell_differential.ts";
import { randomLine } from "../tests/support/shell_grammar.ts";

const BATCH = 500;
const seed = number("--seed", 1);
const count = number("--count", 20_000);
const shell = text("--shell", "bash") as RealShell;
const read = await reader();
const dialect = shell === "bash" ? "bash" : "mixed";

await withShellRecorder(shell, async (recorder) => {
  const start = performance.now();
  const outcomes: Outcome[] = [];
  for (let first = 0; first < count; first += BATCH) {
    const length = Math.min(BATCH, count - first);
    const lines = Array.from(
      { length },
      (_, index) => randomLine(seed * 1_000_003 + first + index, dialect),
    );
    outcomes.push(await compareWithShell(read, recorder, lines));
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(summary(outcomes, seconds));
  const violations = outcomes.flatMap((outcome) => outcome.violations);
  if (violations.length > 0) Deno.exitCode = 1;
  await report(recorder, violations);
});

/** Violations from the shortest line on, each cut short; those that come to the same line are one. */
async function report(recorder: ShellRecorder, violations: readonly Violation[]): Promise<void> {
  const shortest = violations.toSorted((one, other) => one.line.length - other.line.length);
  const told = new Set<string>();
  for (const { line, missed } of shortest.slice(0, number("--shrink", 40))) {
    const least = await shrunk(read, recorder, line);
    const key = least ? least.line : line;
    if (told.has(key)) continue;
    told.add(key);
    const about = least ? "" : " (not again on its own)";
    console.log(`${JSON.stringify(key)} runs ${(least?.missed ?? missed).join(", ")}${about}`);
  }
}

function summary(outcomes: readonly Outcome[], seconds: number): string {
  const sum = (key: "lines" | "knowable" | "started" | "compared" | "stopped") =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const violations = outcomes.reduce((total, outcome) => total + outcome.violations.length, 0);
  const lines = sum("lines");
  return [
    `${lines} lines, ${(lines / seconds).toFixed(0)} a second`,
    `${(100 * sum("knowable") / lines).toFixed(1)} % knowable`,
    `${sum("started")} programs started, ${sum("compared")} by knowable lines`,
    `${sum("stopped")} lines stopped`,
    `${violations} violations`,
  ].join("; ");
}

function text(flag: string, otherwise: string): string {
  const at = Deno.args.indexOf(flag);
  return at < 0 ? otherwise : Deno.args[at + 1] ?? otherwise;
}

function number(flag: string, otherwise: number): number {
  const at = Deno.args.indexOf(flag);
  const value = at < 0 ? otherwise : Number(Deno.args[at + 1]);
  if (!Number.isSafeInteger(value)) {
    throw new TypeError(`Cannot use ${flag} "${Deno.args[at + 1] ?? ""}": not a whole number`);
  }
  return value;
}

async function reader(): Promise<Reader> {
  const at = Deno.args.indexOf("--reader");
  if (at < 0) return readerFor(shell);
  return (await import(pathToFileURL(resolve(Deno.args[at + 1] ?? "")).href)).readLine;
}
