import type { Baseline, Known } from "./baseline.ts";
import type { Numbered } from "./instrument.ts";
import { runWorker } from "./processes.ts";
import { isIn, type Room, SHARED } from "./rooms.ts";
import type { Report, Task } from "./worker.ts";

/** The end of one mutant: noticed `by` a test or a time-out, or live. `null`: the time was over before it was tried. */
export interface Outcome {
  readonly mutant: Numbered;
  readonly by: string | null;
  readonly state: "noticed" | "live" | "undecided";
  /** Details of a live one: no test reaches it, or its time was over before every test had run. */
  readonly note: string;
}

/** The bounds of a run, and what it knows from before. */
export interface PlayOptions {
  readonly root: string;
  readonly room: Room;
  readonly baseline: Baseline;
  readonly workers: number;
  /** The tests of one mutant take at most this many ms. */
  readonly mostMs: number;
  /** The end of the whole run, in ms of `performance.now()`. */
  readonly deadline: number;
  /** Is told of each mutant when it is decided. */
  readonly onEnd: (outcome: Outcome) => void;
  /** The test that noticed a mutant of this rank the last time. */
  readonly before: (rank: number) => string | undefined;
}

/** The test that noticed a mutant, and true if every test had time. */
type Noticed = Pick<Extract<Report, { kind: "end" }>, "by" | "isWhole">;

const SILENT_MS = 45_000;

/** Tries the mutants of a room: first in processes that switch from one to the next, then the rest each in its own. */
export async function play(
  mutants: readonly Numbered[],
  options: PlayOptions,
): Promise<readonly Outcome[]> {
  const { baseline, room } = options;
  const good = baseline.tests.filter(({ ok }) => ok);
  const outcomes = new Map<number, Outcome>();
  const end = (mutant: Numbered, by: string | null, note = "") => {
    const outcome = { mutant, by, state: by === null ? "live" : "noticed", note } as const;
    outcomes.set(mutant.id, outcome);
    options.onEnd(outcome);
  };
  const hint = ({ rank, file }: Numbered, tests: readonly Known[]) => {
    const first = options.before(rank);
    const keys = tests.toSorted((one, other) => order(room, file, one) - order(room, file, other))
      .map(({ key }) => key);
    return first !== undefined && good.some(({ key }) => key === first)
      ? [first, ...keys.filter((key) => key !== first)]
      : keys;
  };
  const tasks = mutants.flatMap((mutant) => {
    const reaching = good.filter(({ reached }) => reached.includes(mutant.rank));
    return reaching.length > 0 ? [{ id: mutant.id, tests: hint(mutant, reaching) }] : [];
  });
  const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
  const switched = await inTurn(tasks, options, (id, by) => {
    if (by !== null) end(byId.get(id)!, by);
  });
  const alone = mutants.filter(({ id }) => !outcomes.has(id));
  await spread(alone, options.workers, async (mutant) => {
    if (performance.now() > options.deadline) return;
    const isReached = switched.has(mutant.id) || baseline.loaded.has(mutant.rank) ||
      good.some(({ reached }) => reached.includes(mutant.rank));
    if (!isReached) return end(mutant, null, "no test reaches it");
    const touching = good.filter(({ reached, entered }) =>
      reached.includes(mutant.rank) || entered.includes(mutant.file)
    );
    // A file may use a value that a module made while it loaded, and call no function of the module.
    const loading = baseline.loaded.has(mutant.rank)
      ? good.filter((each) => isIn(fileOf(each.key), room.tests) && !touching.includes(each))
      : [];
    const tests = [...hint(mutant, touching), ...hint(mutant, loading)];
    const isOwn = (key: string) => isIn(fileOf(key), room.tests);
    const { own = [], others = [] } = Object.groupBy(tests, (key) => isOwn(key) ? "own" : "others");
    // A mutant that was tried in turn is noticed here only through a value that outlives a test: its own tests are enough.
    const parts = switched.has(mutant.id) ? [own] : [own, others];
    let result: Noticed = { by: null, isWhole: true };
    // Few files load quickly.
    for (const part of parts) {
      if (result.by === null && part.length > 0) {
        result = await byItself(mutant.id, part, options);
      }
    }
    end(mutant, result.by, result.isWhole ? "" : "not every test had time");
  });
  return mutants.map((mutant) =>
    outcomes.get(mutant.id) ?? { mutant, by: null, state: "undecided", note: "" }
  );
}

/**
 * Tests named after the file first, then those of the room, then by the groups of all rooms: among them the quick ones that
 * reach little.
 */
function order({ tests }: Room, source: string, { key, ms, reached }: Known): number {
  const file = fileOf(key);
  const cost = Math.min(1e6, ms + reached.length / 10);
  const name = source.slice(source.lastIndexOf("/") + 1, -".ts".length);
  if (file.endsWith(`/${name}_test.ts`)) return cost;
  if (isIn(file, tests)) return 1e7 + cost;
  const group = SHARED.findIndex((place) => isIn(file, [place]));
  return (group + 2) * 1e7 + cost;
}

function fileOf(key: string): string {
  return key.slice(0, key.indexOf("|"));
}

/** Runs tasks in `workers` processes; the test that noticed each, or null. A mutant that ended its process is missing. */
async function inTurn(
  tasks: readonly Task[],
  options: PlayOptions,
  onEnd: (id: number, by: string | null) => void,
): Promise<ReadonlyMap<number, string | null>> {
  const results = new Map<number, string | null>();
  const keep = (id: number, by: string | null) => {
    results.set(id, by);
    onEnd(id, by);
  };
  const lanes = Array.from(
    { length: options.workers },
    (_lane, lane) => tasks.filter((_task, at) => at % options.workers === lane),
  );
  await Promise.all(lanes.map(async (lane) => {
    let left = lane;
    while (left.length > 0 && performance.now() < options.deadline) {
      const done = await someOf(left, options, keep);
      left = left.filter(({ id }) => !done.has(id));
    }
  }));
  return results;
}

/** Runs tasks in one process until it ends; the mutants that need not be tried there again. */
async function someOf(
  tasks: readonly Task[],
  { root, mostMs, deadline }: PlayOptions,
  keep: (id: number, by: string | null) => void,
): Promise<ReadonlySet<number>> {
  const done = new Set<number>();
  const onReport = (report: Report) => {
    if (report.kind === "start") done.add(report.id);
    if (report.kind === "end" && report.isClean) keep(report.id, report.by);
  };
  const files = [...new Set(tasks.flatMap(({ tests }) => tests.map(fileOf)))];
  const job = { files, tasks, mostMs, loadedWith: 0, endMs: deadline - performance.now() };
  const ending = await runWorker(root, job, { silentMs: SILENT_MS, onReport });
  // One that hangs is tried again by itself, for it may be the machine that does.
  if (done.size === 0 && performance.now() < deadline) {
    throw new Error(`A process of mutants ${ending} before the first`);
  }
  return done;
}

/** Runs a mutant that is on from the beginning of its process. */
async function byItself(
  id: number,
  tests: readonly string[],
  options: PlayOptions,
): Promise<Noticed> {
  const { root } = options;
  const mostMs = Math.max(1000, Math.min(options.mostMs, options.deadline - performance.now()));
  const ended: Extract<Report, { kind: "end" }>[] = [];
  const onReport = (report: Report) => {
    if (report.kind === "end") ended.push(report);
  };
  const files = [...new Set(tests.map(fileOf))];
  const job = { files, tasks: [{ id, tests }], mostMs, loadedWith: id, endMs: mostMs * 2 };
  const ending = await runWorker(root, job, { silentMs: SILENT_MS, onReport });
  const [end] = ended;
  if (end === undefined) {
    return { by: ending === "hung" ? "(time-out)" : "(its process ended)", isWhole: true };
  }
  if (end.by === null || end.by.endsWith("|(loading)")) return end;
  return await passesAlone(end.by, options)
    ? end
    : await byItself(id, tests.filter((key) => key !== end.by), options);
}

const alone = new Map<string, boolean>();

/** True if a test passes in a process of its own with no mutant on. */
async function passesAlone(key: string, { root, mostMs }: PlayOptions): Promise<boolean> {
  const known = alone.get(key);
  if (known !== undefined) return known;
  let passed = false;
  const onReport = (report: Report) => {
    if (report.kind === "end") passed = report.by === null;
  };
  const tasks = [{ id: 0, tests: [key] }];
  const job = { files: [fileOf(key)], tasks, mostMs, loadedWith: 0, endMs: mostMs * 2 };
  await runWorker(root, job, { silentMs: SILENT_MS, onReport });
  alone.set(key, passed);
  return passed;
}

async function spread<T>(
  all: readonly T[],
  workers: number,
  run: (one: T) => Promise<void>,
): Promise<void> {
  const queue = [...all];
  await Promise.all(Array.from({ length: workers }, async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await run(one);
  }));
}
