import { existsSync, readFileSync } from "node:fs";
import type { Numbered } from "./instrument.ts";
import { runWorker } from "./processes.ts";
import { fingerprints } from "./tree.ts";
import type { Report } from "./worker.ts";

/** A test of the tree as it is. */
export interface Known {
  readonly key: string;
  readonly ok: boolean;
  readonly ms: number;
  /** Ranks of the mutants that it reaches. */
  readonly reached: readonly number[];
  /** Files with mutants of which it calls a function. */
  readonly entered: readonly string[];
}

/** The tests of the tree as it is, and the mutants that are reached while modules load. */
export interface Baseline {
  readonly tests: readonly Known[];
  readonly loaded: ReadonlySet<number>;
}

interface Kept {
  readonly mark: string;
  readonly tests: readonly Known[];
  readonly loaded: readonly number[];
}

/**
 * Runs the test files once, in `workers` processes that share them, unless their tests are known from a run of the same content. Null: the
 * time was over before that.
 */
export async function baseline(
  root: string,
  { cache, tests, files, mutants, workers, deadline }: {
    readonly cache: string;
    readonly tests: readonly string[];
    readonly files: readonly string[];
    readonly mutants: readonly Numbered[];
    readonly workers: number;
    /** In ms of `performance.now()`. */
    readonly deadline: number;
  },
): Promise<Baseline | null> {
  const path = `${cache}/baseline.json`;
  const kept = new Map(Object.entries(readJson<Record<string, Kept>>(path) ?? {}));
  const markOf = fingerprints(files, mutants);
  const marks = new Map(tests.map((test) => [test, markOf(test)]));
  const missing = tests.filter((test) => kept.get(test)?.mark !== marks.get(test));
  if (missing.length > 0) console.log(`${missing.length} test files run on the tree as it is`);
  const made = await recorded(root, missing, { mutants, workers, deadline });
  if (made === null) return null;
  const { loaded, byFile } = made;
  for (const [file, known] of byFile) {
    kept.set(file, { mark: marks.get(file)!, tests: known, loaded });
  }
  Deno.writeTextFileSync(path, JSON.stringify(Object.fromEntries(kept)));
  const all = tests.map((test) => kept.get(test)!);
  return {
    tests: all.flatMap((each) => each.tests),
    loaded: new Set(all.flatMap((each) => each.loaded)),
  };
}

async function recorded(
  root: string,
  tests: readonly string[],
  { mutants, workers, deadline }: {
    readonly mutants: readonly Numbered[];
    readonly workers: number;
    readonly deadline: number;
  },
) {
  const files = [...new Set(mutants.map(({ file }) => file))];
  const rankOf = new Map(mutants.map(({ id, rank }) => [id, rank]));
  const ranks = (ids: readonly number[]) => ids.map((id) => rankOf.get(id)!);
  const byFile = new Map<string, Known[]>(tests.map((test) => [test, []]));
  let loaded: readonly number[] = [];
  if (tests.length === 0) return { loaded, byFile };
  let isWhole = true;
  const onReport = (report: Report) => {
    if (report.kind === "end" && !report.isWhole) isWhole = false;
    if (report.kind === "loaded") loaded = ranks(report.reached);
    if (report.kind !== "test") return;
    const { key, ok, ms } = report;
    const entered = report.entered.map((probe) => files[probe - 1]!);
    byFile.get(key.slice(0, key.indexOf("|")))!.push({
      key,
      ok,
      ms,
      reached: ranks(report.reached),
      entered,
    });
  };
  const shared = Deno.makeTempDirSync({ prefix: "caliban-mutants-" });
  const endMs = deadline - performance.now();
  const job = { files: tests, tasks: null, mostMs: 0, endMs, loadedWith: 0, shared };
  try {
    // Each loads every file: which places are reached while modules load depends on no other process.
    await Promise.all(Array.from({ length: workers }, async () => {
      const ending = await runWorker(root, job, { silentMs: 180_000, onReport });
      if (ending !== "ended") throw new Error(`The tests ${ending} on the tree as it is`);
    }));
  } finally {
    Deno.removeSync(shared, { recursive: true });
  }
  return isWhole ? { loaded, byFile } : null;
}

/** The JSON of a file; null when there is none. */
export function readJson<T>(path: string): T | null {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) as T : null;
}
