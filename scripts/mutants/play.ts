import type { Baseline, Known } from "./baseline.ts";
import type { Numbered } from "./instrument.ts";
import { notTried, type Outcome, outcomeOf, type Trial } from "./outcome.ts";
import { runWorker } from "./processes.ts";
import { isIn, type Room, SHARED } from "./rooms.ts";
import type { Report, Task } from "./worker.ts";

/** The bounds of a run, and what it knows from before. */
export interface PlayOptions {
  readonly root: string;
  readonly room: Room;
  readonly baseline: Baseline;
  readonly workers: number;
  /** True if a mutant with costly tests is undecided: a sample has too little time for it. */
  readonly isSample: boolean;
  /** The tests of one mutant take at most this many ms. */
  readonly mostMs: number;
  /** The end of the whole run, in ms of `performance.now()`. */
  readonly deadline: number;
  /** Is told of each mutant when it is decided. */
  readonly onEnd: (outcome: Outcome) => void;
  /** The test that noticed a mutant of this rank the last time. */
  readonly before: (rank: number) => string | undefined;
}

/** A process that says nothing for this many ms hangs, for a test takes a few seconds; a sample has no time for the longer wait. */
const silentMsOf = ({ isSample }: PlayOptions) => isSample ? 15_000 : 45_000;

/** Tries the mutants of a room: first in processes that switch from one to the next, then the rest each in its own. */
export async function play(
  mutants: readonly Numbered[],
  options: PlayOptions,
): Promise<readonly Outcome[]> {
  const { baseline, room } = options;
  const good = baseline.tests.filter(({ ok }) => ok);
  const outcomes = new Map<number, Outcome>();
  const end = (outcome: Outcome) => {
    outcomes.set(outcome.mutant.id, outcome);
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
  const switched = await takeTurns(tasks, options, (id, trial) => {
    if (trial.by !== null) end(outcomeOf(byId.get(id)!, trial, options.isSample));
  });
  // Those that may still be found live come before those that ran into a bound.
  const alone = mutants.filter(({ id }) => !outcomes.has(id))
    .toSorted((one, other) => boundsOf(switched, one) - boundsOf(switched, other));
  await spread(alone, options.workers, async (mutant) => {
    if (performance.now() > options.deadline) return;
    const inTurn = switched.get(mutant.id);
    // Only what is reached while modules load may be noticed by itself and not in turn, but for values that outlive a test.
    if (inTurn?.bound && options.isSample && !baseline.loaded.has(mutant.rank)) {
      return end(outcomeOf(mutant, inTurn, true));
    }
    const isReached = inTurn !== undefined || baseline.loaded.has(mutant.rank) ||
      good.some(({ reached }) => reached.includes(mutant.rank));
    if (!isReached) return end({ mutant, by: null, state: "live", note: "no test reaches it" });
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
    const parts = inTurn !== undefined ? [own] : [own, others];
    let { by, bound }: Trial = inTurn ?? { by: null, bound: null };
    // Few files load quickly.
    for (const part of parts) {
      if (by !== null || part.length === 0) continue;
      const trial = await byItself(mutant.id, part, options);
      by = trial.by;
      bound = trial.bound ?? bound;
    }
    end(outcomeOf(mutant, { by, bound }, options.isSample));
  });
  return mutants.map((mutant) => outcomes.get(mutant.id) ?? notTried(mutant));
}

function boundsOf(trials: ReadonlyMap<number, Trial>, { id }: Numbered): number {
  return (trials.get(id)?.bound ?? null) === null ? 0 : 1;
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

/** Runs tasks in `workers` processes; the trial of each. A mutant that ended its process is missing. */
async function takeTurns(
  tasks: readonly Task[],
  options: PlayOptions,
  onEnd: (id: number, trial: Trial) => void,
): Promise<ReadonlyMap<number, Trial>> {
  const results = new Map<number, Trial>();
  const keep = (id: number, trial: Trial) => {
    results.set(id, trial);
    onEnd(id, trial);
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
  options: PlayOptions,
  keep: (id: number, trial: Trial) => void,
): Promise<ReadonlySet<number>> {
  const { root, mostMs, deadline } = options;
  const done = new Set<number>();
  const onReport = (report: Report) => {
    if (report.kind === "start") done.add(report.id);
    if (report.kind !== "end" || !report.isClean) return;
    keep(report.id, { by: report.by, bound: report.isWhole ? null : "its own bound" });
  };
  const files = [...new Set(tasks.flatMap(({ tests }) => tests.map(fileOf)))];
  const job = {
    files,
    tasks,
    mostMs,
    loadedWith: 0,
    shared: null,
    endMs: deadline - performance.now(),
  };
  const ending = await runWorker(root, job, { silentMs: silentMsOf(options), onReport });
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
): Promise<Trial> {
  const { root } = options;
  const leftMs = options.deadline - performance.now();
  const mostMs = Math.max(1000, Math.min(options.mostMs, leftMs));
  const ended: Extract<Report, { kind: "end" }>[] = [];
  const onReport = (report: Report) => {
    if (report.kind === "end") ended.push(report);
  };
  const files = [...new Set(tests.map(fileOf))];
  const tasks = [{ id, tests }];
  const job = { files, tasks, mostMs, loadedWith: id, shared: null, endMs: mostMs * 2 };
  const ending = await runWorker(root, job, { silentMs: silentMsOf(options), onReport });
  const [end] = ended;
  if (end === undefined) {
    return { by: ending === "hung" ? "(time-out)" : "(its process ended)", bound: null };
  }
  const own = leftMs < options.mostMs ? "the end of the run" : "its own bound";
  const trial: Trial = { by: end.by, bound: end.isWhole ? null : own };
  if (end.by === null || end.by.endsWith("|(loading)")) return trial;
  return await passesAlone(end.by, options)
    ? trial
    : await byItself(id, tests.filter((key) => key !== end.by), options);
}

const alone = new Map<string, boolean>();

/** True if a test passes in a process of its own with no mutant on. */
async function passesAlone(key: string, options: PlayOptions): Promise<boolean> {
  const { root, mostMs } = options;
  const known = alone.get(key);
  if (known !== undefined) return known;
  let passed = false;
  const onReport = (report: Report) => {
    if (report.kind === "end") passed = report.by === null;
  };
  const tasks = [{ id: 0, tests: [key] }];
  const files = [fileOf(key)];
  const job = { files, tasks, mostMs, loadedWith: 0, shared: null, endMs: mostMs * 2 };
  await runWorker(root, job, { silentMs: silentMsOf(options), onReport });
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
