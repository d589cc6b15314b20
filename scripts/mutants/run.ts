/**
 * Breaks the rooms that decide in one place at a time and counts the changes that a test notices:
 * `deno task test:mutants [--room=NAME…] [--changed[=BASE]] [--count=100] [--seed=14] [--workers=2] [--seconds=N] [--each=N] [--live] [--turn=N] [--quick]`.
 *
 * `--changed` takes the files that differ from BASE (the last commit on main when it is not named) and counts them together,
 * `--turn` only one of the changed rooms, another for each number, `--live` the mutants that were not noticed the last time. `--quick` leaves the laws out, as `--changed` does. The tree is copied below the cache folder with every mutant in it, and the checkout is never written.
 *
 * Exit status 1: a score below `BUDGET`, or an entry of `equivalents.json` that names no mutant. The score counts the mutants that are
 * decided: noticed, or live when every test that may notice it had run. A run that ends before that leaves a mutant undecided. One that
 * runs into its own bound (`--each`, 20 seconds of the processor) counts as live, so that nothing hides behind slow tests. With `--changed`
 * that bound is 5 seconds, and such a mutant is undecided.
 * With `--changed` the score of fewer than ten decided mutants fails nothing.
 */
import { baseline, readJson } from "./baseline.ts";
import { candidates, chosen, type Mutant } from "./candidates.ts";
import { equivalents, names, unmatched } from "./equivalents.ts";
import type { Numbered } from "./instrument.ts";
import { notTried, type Outcome } from "./outcome.ts";
import { play } from "./play.ts";
import { failing, junit, printRoom, printTable, type Row, rowOf } from "./report.ts";
import { filesOf, isIn, type Room, ROOMS, testsOf } from "./rooms.ts";
import { cacheFolder, git, loads, REPO, treeFiles, writeTree } from "./tree.ts";

interface Options {
  readonly rooms: readonly Room[];
  /** Files that may be changed; null: all of the rooms. */
  readonly changed: ReadonlySet<string> | null;
  readonly count: number;
  readonly seed: number;
  readonly workers: number;
  readonly seconds: number;
  readonly each: number;
  /** True if only what was not noticed the last time is tried. */
  readonly live: boolean;
  /** The turn of one changed room, the others rest; null: all of them. */
  readonly turn: number | null;
  /** True if laws are not run. */
  readonly quick: boolean;
  readonly junit: string | undefined;
}

/** The last test that noticed a mutant, by rank; null for a live one. */
type Memory = Record<string, string | null>;

/** The mutants of all changed files together. */
const SAMPLE = 40;

/** The mutants of a sample that are tried together. */
const PART = 10;

const start = performance.now();
Deno.exit(await main(parsed(Deno.args)));

async function main(options: Options): Promise<number> {
  const files = treeFiles();
  const all = new Map(ROOMS.map((room) => [
    room.name,
    filesOf(room, files).flatMap((file) =>
      candidates(file, Deno.readTextFileSync(REPO + file), options.seed)
    ),
  ]));
  const strangers = unmatched([...all.values()].flat());
  for (const { file, code, change } of strangers) {
    console.log(`equivalents.json names no mutant: ${file}: ${code} (${change})`);
  }
  const cache = cacheFolder();
  using lock = Deno.openSync(`${cache}/lock`, { create: true, write: true });
  lock.lockSync(true);
  const rows = await rowsOf(selected(options, all), { options, files, cache });
  const isSample = options.changed !== null;
  printTable(rows, isSample);
  if (options.junit) Deno.writeTextFileSync(options.junit, junit(rows, isSample));
  return failing(rows, isSample).length > 0 || strangers.length > 0 ? 1 : 0;
}

/** The mutants of each room, with their numbers. */
function selected(
  { changed, count, turn }: Options,
  all: ReadonlyMap<string, readonly Mutant[]>,
): ReadonlyMap<string, readonly Numbered[]> {
  let id = 0;
  const may = ({ file }: Mutant) => changed === null || changed.has(file);
  const touched = ROOMS.filter(({ name }) => all.get(name)!.some(may));
  const tried = turn === null ? touched : touched.filter((_, at) => at === turn % touched.length);
  const most = changed === null ? count : Math.ceil(count / Math.max(1, tried.length));
  return new Map(ROOMS.map((room) => {
    const { name } = room;
    const own = tried.includes(room) ? chosen(all.get(name)!.filter(may), most) : [];
    return [name, own.map((mutant) => ({ ...mutant, id: id += 1 }))];
  }));
}

async function rowsOf(
  mutants: ReadonlyMap<string, readonly Numbered[]>,
  { options, files, cache }: {
    readonly options: Options;
    readonly files: readonly string[];
    readonly cache: string;
  },
): Promise<readonly Row[]> {
  const root = `${cache}/tree/`;
  const rooms = options.rooms.filter(({ name }) => mutants.get(name)!.length > 0);
  if (rooms.length === 0) return [];
  const numbered = [...mutants.values()].flat();
  Deno.mkdirSync(root, { recursive: true });
  writeTree(root, files, numbered);
  const { workers } = options;
  const load = loads(files);
  const broken = new Set(rooms.flatMap(({ name }) => mutants.get(name)!.map(({ file }) => file)));
  // Laws take longer than a sample may, and a test that loads no broken file notices nothing.
  const tests = testsOf(rooms, files)
    .filter((test) => !options.quick || !test.startsWith("tests/laws/"))
    .filter((test) => !load([test]).isDisjointFrom(broken));
  const deadline = start + options.seconds * 1000;
  const known = await baseline(root, {
    cache,
    tests,
    files,
    mutants: numbered,
    workers,
    deadline,
  });
  if (known === null) {
    console.log("The time was over before every test had run on the tree as it is");
    return rooms.map(({ name }) => rowOf(name, mutants.get(name)!.map(notTried), 0));
  }
  const bad = known.tests.filter(({ ok }) => !ok).length;
  console.log(
    `${known.tests.length} tests in ${seconds()} s; ${bad} of them fail in the copied tree and are left out`,
  );
  const path = `${cache}/memory.json`;
  const rows: Row[] = [];
  for (const room of rooms) {
    const memory = readJson<Memory>(path) ?? {};
    const listed = equivalents();
    const isListed = (mutant: Mutant) => listed.some((entry) => names(entry, mutant));
    const own = mutants.get(room.name)!;
    const tried = own.filter((mutant) =>
      !isListed(mutant) && (!options.live || typeof memory[mutant.rank] !== "string")
    );
    const outcomes: Outcome[] = [];
    for (const part of options.changed === null ? [tried] : parts(tried)) {
      outcomes.push(
        ...await play(part, {
          root,
          room,
          baseline: known,
          workers,
          isSample: options.changed !== null,
          mostMs: options.each * 1000,
          deadline,
          before: (rank) => memory[rank] ?? undefined,
          onEnd: ({ mutant, by, state }) => {
            if (state === "undecided") return;
            memory[mutant.rank] = by;
            Deno.writeTextFileSync(path, JSON.stringify(memory));
          },
        }),
      );
    }
    rows.push(rowOf(room.name, outcomes, own.filter(isListed).length));
    printRoom(rows.at(-1)!, seconds());
  }
  return rows;
}

/** Mutants in the order of their ranks, some at a time: what the end of a run leaves undecided is not what is hard to notice. */
function parts(mutants: readonly Numbered[]): readonly (readonly Numbered[])[] {
  const sorted = mutants.toSorted((one, other) => one.rank - other.rank);
  return Array.from(
    { length: Math.ceil(sorted.length / PART) },
    (_part, at) => sorted.slice(at * PART, (at + 1) * PART),
  );
}

/** Whole seconds since the start. */
function seconds(): number {
  return Math.round((performance.now() - start) / 1000);
}

function parsed(args: readonly string[]): Options {
  const values = (name: string) =>
    args.filter((word) => word.startsWith(`--${name}=`)).map((word) => word.slice(name.length + 3));
  const number = (name: string, usual: number) => Number(values(name)[0] ?? usual);
  const asked = values("room");
  for (const name of asked) {
    if (!ROOMS.some((room) => room.name === name)) throw new Error(`No room is named "${name}"`);
  }
  const isChanged = args.includes("--changed") || values("changed").length > 0;
  return {
    rooms: ROOMS.filter(({ name }) => asked.length === 0 || asked.includes(name)),
    changed: isChanged ? changedFiles(values("changed")[0]) : null,
    count: number("count", isChanged ? SAMPLE : 100),
    seed: number("seed", 14),
    workers: number("workers", 2),
    seconds: number("seconds", 36_000),
    each: number("each", isChanged ? 5 : 20),
    live: args.includes("--live"),
    turn: values("turn").length === 0 ? null : number("turn", 0),
    quick: isChanged || args.includes("--quick"),
    junit: values("junit")[0],
  };
}

/** The files that differ from a commit: the one that is named, or the last that is on main as well. */
function changedFiles(base: string | undefined): ReadonlySet<string> {
  const from = base ?? ["origin/main", "main", "HEAD~1"].find(isOther) ?? "HEAD";
  const common = git("merge-base", "HEAD", from).trim();
  const names = git("diff", "--name-only", "-z", common, "--", "lib").split("\0");
  const others = git("ls-files", "-z", "-o", "--exclude-standard", "--", "lib").split("\0");
  return new Set([...names, ...others].filter((name) => isIn(name, ["lib/"])));
}

/** True if a commit is there and HEAD is not a part of it. */
function isOther(commit: string): boolean {
  const succeeds = (...args: readonly string[]) =>
    new Deno.Command("git", { args: ["-C", REPO, ...args], stdout: "null", stderr: "null" })
      .outputSync().success;
  return succeeds("rev-parse", "--verify", `${commit}^{commit}`) &&
    !succeeds("merge-base", "--is-ancestor", "HEAD", commit);
}
