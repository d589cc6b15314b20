/**
 * Measures `check --stdin`: `deno run -A bench/stdin.ts`, with the number of calls behind it (60,000), and `--json` for figures as JSON. Needs `deno task bundle`, and bash.
 * Each time is the least of three turns, in each of which all streams take part.
 * bench/start_up.md says what is measured.
 */
import type { ToolCall } from "../lib/model/call.ts";
import { freshCalls, rulesOf } from "./mixed_calls.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const RULES = 1_000;
const isJson = Deno.args.includes("--json");
const count = Number(Deno.args.find((arg) => arg !== "--json") ?? 60_000);
const folder = Deno.makeTempDirSync();
const env = { HOME: folder, NO_COLOR: "1" };
const FLAGS = ["run", "--no-prompt", "--cached-only", "--allow-read", "--allow-env"];
const PROGRAM = [Deno.execPath(), ...FLAGS, `${ROOT}dist/caliban.js`];
const TURNS = 3;
/** A long stream has so many times the calls; its rate is that of its second half. */
const LONG = 4;
/** The figures of each kind of calls; `later` is the rate of a long stream, peaks are in MB, `peak` is that of the long stream. */
const figures: {
  name: string;
  perSecond: number;
  later: number;
  peak: number;
  firstPeak: number;
}[] = [];

try {
  Deno.mkdirSync(`${folder}/work/.git`, { recursive: true });
  Deno.mkdirSync(`${folder}/work/.caliban`);
  const rules = rulesOf(RULES).map(({ pattern, action }) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
  );
  Deno.writeTextFileSync(`${folder}/work/.caliban/permissions.toml`, rules.join("\n"));
  run([...PROGRAM.toSpliced(2, 0, "--allow-write"), "trust", "--yes"]);
  const first = freshCalls();
  const fresh = [first];
  while (fresh.length * first.length < LONG * count) fresh.push(freshCalls());
  const kinds = Object.entries({ fresh, repeated: fresh.map(() => first) }).map(([name, calls]) => {
    const all = calls.flat().slice(0, LONG * count);
    return { name, all, streams: [all.slice(0, count), all.slice(0, all.length / 2), all] };
  });
  const least = new Map<readonly ToolCall[], Measured>();
  for (let turn = 0; turn < TURNS; turn++) {
    for (const stream of [first, ...kinds.flatMap(({ streams }) => streams)]) {
      const { seconds, peak } = measure(stream);
      const former = least.get(stream) ?? { seconds, peak };
      least.set(stream, {
        seconds: Math.min(seconds, former.seconds),
        peak: Math.max(peak, former.peak),
      });
    }
  }
  for (const { name, all, streams } of kinds) {
    const [start, short, half, whole] = [first, ...streams].map((each) => least.get(each)!) as [
      Measured,
      Measured,
      Measured,
      Measured,
    ];
    const perSecond = Math.round((count - first.length) / (short.seconds - start.seconds));
    const later = Math.round(all.length / 2 / (whole.seconds - half.seconds));
    figures.push({ name, perSecond, later, peak: whole.peak, firstPeak: start.peak });
    if (isJson) continue;
    const [rate, long] = [perSecond, later].map((each) => each.toLocaleString("en-US"));
    console.log(
      `${
        name.padEnd(8)
      } ${rate} calls a second of CPU time, later ${long}; peak ${whole.peak} MB, ${start.peak} MB at ${first.length} calls`,
    );
  }
  if (isJson) console.log(JSON.stringify(figures));
} finally {
  Deno.removeSync(folder, { recursive: true });
}

interface Measured {
  /** User and system seconds. */
  readonly seconds: number;
  /** The most memory, in MB. */
  readonly peak: number;
}

/** One process that decides these calls. */
function measure(calls: readonly ToolCall[]): Measured {
  const lines = calls.map((call, id) => `${JSON.stringify({ id, ...call })}\n`);
  Deno.writeTextFileSync(`${folder}/input`, lines.join(""));
  const script = [
    'TIMEFORMAT="%U %S"; exec 3>&2; time "$@" < "$0" > "$0.out" 2> "$0.err" & child=$!; peak=0',
    "while kill -0 $child 2>/dev/null; do p=$(pgrep -P $child -f stdin | head -1)",
    'kb=$(awk "/VmHWM/ {print \\$2}" /proc/${p:-0}/status 2>/dev/null); [ "${kb:-0}" -gt $peak ] && peak=$kb; sleep 0.1; done',
    "wait $child; echo $? $peak",
  ].join("; ").replaceAll("do; ", "do ");
  const { stdout, stderr } = run([
    "bash",
    "-c",
    script,
    `${folder}/input`,
    ...PROGRAM,
    "check",
    "--stdin",
  ]);
  const [status, peak = 0] = stdout.trim().split(" ").map(Number);
  if (status !== 0) throw new Error(`Cannot decide the calls: ${stderr}`);
  const answers = Deno.readTextFileSync(`${folder}/input.out`).trim().split("\n").length;
  if (answers !== calls.length) throw new Error(`${answers} answers to ${calls.length} calls`);
  const [user = 0, system = 0] = stderr.trim().split(/\s+/).slice(-2).map(Number);
  return { seconds: user + system, peak: Math.round(peak / 1024) };
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
