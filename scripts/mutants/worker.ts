/**
 * Runs in the copied tree: `worker.ts JOB.json OUT.jsonl --cases=few:1`. A line of the output is one `Report`.
 */
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { type Collected, collected, collectInto } from "./collect.ts";
import { entered, reached, switchTo } from "./switch.ts";

/** The tests that a process loads, and its tasks. */
export interface Job {
  /** Test files, from the root of the repository. */
  readonly files: readonly string[];
  /** The mutants in turn; none: every test runs once, and its places are recorded. */
  readonly tasks: readonly Task[] | null;
  /** The first test that fails ends a task; so do this many ms of the processor, or ten times as many on the clock. */
  readonly mostMs: number;
  /** A folder in which processes that share the files name those that they run; null: this process runs all of them. */
  readonly shared: string | null;
  /** No task is begun after this many ms; without tasks, no test. */
  readonly endMs: number;
  /** The mutant that is on from the beginning; its task is the only one. */
  readonly loadedWith: number;
}

/** A mutant with the tests that may notice it. */
export interface Task {
  readonly id: number;
  readonly tests: readonly string[];
}

/** One line of a worker's output. */
export type Report =
  | { readonly kind: "loaded"; readonly reached: readonly number[] }
  | {
    readonly kind: "test";
    readonly key: string;
    readonly ok: boolean;
    readonly ms: number;
    readonly reached: readonly number[];
    readonly entered: readonly number[];
  }
  | { readonly kind: "start"; readonly id: number }
  | { readonly kind: "alive" }
  | {
    readonly kind: "end";
    readonly id: number;
    readonly by: string | null;
    readonly isClean: boolean;
    readonly isWhole: boolean;
  };

const HANG = 20_000;
const [jobPath, outPath] = process.argv.slice(2) as [string, string];
const job = JSON.parse(readFileSync(jobPath, "utf8")) as Job;
const ROOT = new URL("../../", import.meta.url);
const startFolder = process.cwd();

process.on("unhandledRejection", () => {});
await main();
process.exit(0);

async function main(): Promise<void> {
  if (job.loadedWith > 0) report({ kind: "start", id: job.loadedWith });
  for (const file of job.files) {
    collectInto(file);
    report({ kind: "alive" });
    try {
      await import(new URL(file, ROOT).href);
    } catch (error) {
      if (job.loadedWith === 0) throw error;
      report({
        kind: "end",
        id: job.loadedWith,
        by: `${file}|(loading)`,
        isClean: true,
        isWhole: true,
      });
      return;
    }
  }
  report({ kind: "loaded", reached: numbers(reached) });
  if (job.tasks === null) return await record();
  for (const task of job.tasks) {
    if (performance.now() > job.endMs || !await play(task)) return;
  }
}

/** Runs every test once, but those of the files that another process runs, and reports its places; `isWhole`: in time. */
async function record(): Promise<void> {
  const takes = taker();
  for (const each of collected.values()) {
    if (!takes(each.file)) continue;
    if (performance.now() > job.endMs) return reportEnd(false);
    reached.fill(0);
    entered.fill(0);
    const start = performance.now();
    const ok = await passes(each);
    const ms = performance.now() - start;
    report({
      kind: "test",
      key: each.key,
      ok,
      ms,
      reached: numbers(reached),
      entered: numbers(entered),
    });
  }
  reportEnd(true);
}

function reportEnd(isWhole: boolean): void {
  report({ kind: "end", id: 0, by: null, isClean: true, isWhole });
}

/** True for a file that this process was the first to ask for. */
function taker(): (file: string) => boolean {
  const known = new Map<string, boolean>();
  return (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    let takes = true;
    try {
      if (job.shared !== null) mkdirSync(`${job.shared}/${job.files.indexOf(file)}`);
    } catch {
      takes = false;
    }
    known.set(file, takes);
    return takes;
  };
}

/** Runs the tests of a mutant up to the first that fails; false when the process is of no more use. */
async function play({ id, tests }: Task): Promise<boolean> {
  if (job.loadedWith === 0) report({ kind: "start", id });
  switchTo(id);
  const start = performance.now();
  const startCpu = cpuMs();
  let heard = start;
  for (const key of tests) {
    const each = collected.get(key);
    if (each !== undefined && !await passes(each)) {
      switchTo(0);
      const isClean = job.loadedWith > 0 || await passes(each);
      report({ kind: "end", id, by: key, isClean, isWhole: true });
      return isClean;
    }
    const now = performance.now();
    if (cpuMs() - startCpu > job.mostMs || now - start > 10 * job.mostMs) {
      switchTo(0);
      report({ kind: "end", id, by: null, isClean: true, isWhole: false });
      return true;
    }
    if (now - heard > 1000) {
      report({ kind: "alive" });
      heard = now;
    }
  }
  switchTo(0);
  report({ kind: "end", id, by: null, isClean: true, isWhole: true });
  return true;
}

/** The time of the processor that this process has used, in ms; a busy machine does not add to it. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function passes({ run }: Collected): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error("hangs")), HANG);
    });
    await Promise.race([run(), late]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    if (process.cwd() !== startFolder) process.chdir(startFolder);
  }
}

function numbers(marks: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (let index = marks.indexOf(1); index >= 0; index = marks.indexOf(1, index + 1)) {
    found.push(index);
  }
  return found;
}

function report(line: Report): void {
  appendFileSync(outPath, `${JSON.stringify(line)}\n`);
}
