/**
 * Measures `check --stdin`: `deno run -A bench/stdin.ts`, with the number of calls behind it (a million), and `--json` for figures as JSON. Needs `deno task bundle`, and bun.
 * bench/start_up.md says what is measured.
 */
import type { ToolCall } from "../lib/model/call.ts";
import { freshCalls, rulesOf } from "./mixed_calls.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const RULES = 1_000;
const isJson = Deno.args.includes("--json");
const count = Number(Deno.args.find((arg) => arg !== "--json") ?? 1_000_000);
/** The calls of the short stream. */
const SHORT = Math.min(60_000, count);
const folder = Deno.makeTempDirSync();
const env = { HOME: folder, NO_COLOR: "1" };
const FLAGS = ["run", "--no-prompt", "--cached-only", "--allow-read", "--allow-env"];
const PROGRAM = [Deno.execPath(), ...FLAGS, `${ROOT}dist/caliban.js`];
const METER = ["bun", "--no-env-file", `${ROOT}bench/cpu_time.ts`];
/** The turns in which streams take part: the least time of a stream counts. */
const TURNS = 3;
const LONG_TURNS = 2;

/** Lines that are decided: the file that holds them, and how many. */
interface Stream {
  readonly path: string;
  readonly calls: number;
}

interface Measured {
  /** User and system seconds. */
  readonly seconds: number;
  /** The most memory, in MB. */
  readonly peak: number;
}

/**
 * The figures of each kind of calls: `perSecond` is the rate of the whole stream, its start included, `early` that of a short one without its start. Peaks are in MB, `peak` is that of the whole
 * stream, `firstPeak` that of the first thousand calls.
 */
const figures: {
  name: string;
  calls: number;
  perSecond: number;
  early: number;
  peak: number;
  firstPeak: number;
}[] = [];

try {
  prepare();
  const first = freshCalls();
  const start = written("start", first.length, () => first);
  const kinds = Object.entries({ fresh: freshCalls, repeated: () => first }).map((
    [name, next],
  ) => ({
    name,
    short: written(`${name}-short`, SHORT, next),
    whole: written(name, count, next),
  }));
  const least = new Map<Stream, Measured>();
  for (let turn = 0; turn < TURNS; turn++) {
    const long = turn < LONG_TURNS ? kinds.map(({ whole }) => whole) : [];
    for (const stream of [start, ...kinds.map(({ short }) => short), ...long]) {
      const { seconds, peak } = measure(stream);
      const former = least.get(stream) ?? { seconds, peak };
      least.set(stream, {
        seconds: Math.min(seconds, former.seconds),
        peak: Math.max(peak, former.peak),
      });
    }
  }
  const begun = least.get(start)!;
  for (const { name, short, whole } of kinds) {
    const { seconds, peak } = least.get(whole)!;
    const early = (SHORT - start.calls) / (least.get(short)!.seconds - begun.seconds);
    figures.push({
      name,
      calls: count,
      perSecond: Math.round(count / seconds),
      early: Math.round(early),
      peak,
      firstPeak: begun.peak,
    });
  }
  console.log(isJson ? JSON.stringify(figures) : figures.map(described).join("\n"));
} finally {
  Deno.removeSync(folder, { recursive: true });
}

function described({ name, perSecond, early, peak, firstPeak }: typeof figures[number]): string {
  const [all, rate, few] = [count, perSecond, early].map((each) => each.toLocaleString("en-US"));
  const memory = `peak ${peak} MB, ${firstPeak} MB at first`;
  return `${
    name.padEnd(8)
  } ${rate} calls a second of CPU time of ${all}, ${few} of the first ${SHORT}; ${memory}`;
}

/** Makes a trusted workspace with rules. */
function prepare() {
  Deno.mkdirSync(`${folder}/work/.git`, { recursive: true });
  Deno.mkdirSync(`${folder}/work/.caliban`);
  const rules = rulesOf(RULES).map(({ pattern, action }) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
  );
  Deno.writeTextFileSync(`${folder}/work/.caliban/permissions.toml`, rules.join("\n"));
  run([...PROGRAM.toSpliced(2, 0, "--allow-write"), "trust", "--yes"]);
}

/** Writes a stream of so many calls, taken from `next` some at a time. */
function written(name: string, calls: number, next: () => readonly ToolCall[]): Stream {
  const path = `${folder}/${name}`;
  for (let id = 0; id < calls;) {
    const lines = next().slice(0, calls - id).map((call) =>
      `${JSON.stringify({ id: id++, ...call })}\n`
    );
    Deno.writeTextFileSync(path, lines.join(""), { append: true });
  }
  return { path, calls };
}

/** One process that decides these calls. */
function measure({ path, calls }: Stream): Measured {
  const { stdout } = run([...METER, path, ...PROGRAM, "check", "--stdin"]);
  const [status, time = NaN, memory = NaN] = stdout.trim().split(" ").map(Number);
  if (status !== 0) throw new Error(`Cannot decide the calls: status ${status}`);
  const answers = linesOf(`${path}.out`);
  Deno.removeSync(`${path}.out`);
  if (answers !== calls) throw new Error(`${answers} answers to ${calls} calls`);
  return { seconds: time / 1e6, peak: Math.round(memory / 2 ** 20) };
}

/** The number of lines of a file of any size. */
function linesOf(path: string): number {
  using file = Deno.openSync(path);
  const bytes = new Uint8Array(2 ** 20);
  let lines = 0;
  for (let size = file.readSync(bytes); size !== null; size = file.readSync(bytes)) {
    for (let index = 0; index < size; index++) if (bytes[index] === 10) lines++;
  }
  return lines;
}

function run([command = "", ...args]: readonly string[]) {
  const cwd = `${folder}/work`;
  const { code, ...printed } = new Deno.Command(command, { args, cwd, env, stdin: "null" })
    .outputSync();
  const [stdout, stderr] = [printed.stdout, printed.stderr].map((bytes) =>
    new TextDecoder().decode(bytes)
  ) as [string, string];
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stderr}`);
  return { stdout, stderr };
}
