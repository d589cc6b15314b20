/**
 * How long one `caliban check` takes from start to exit, as a multiple of an empty program's time: `deno task bench`, or with
 * the number of rounds behind it. The programs run in turn, so that a slow moment of the machine is shared by all.
 */

/** One program that is measured. */
interface Program {
  /** Its name in the table. */
  readonly name: string;
  /** The command line. */
  readonly words: readonly string[];
  /** Times so far, in ms. */
  readonly times: number[];
}

const ROOT = new URL("../", import.meta.url).pathname;
const CHECK = ["perms", "check", "Bash", "git status"];
const DENO = [
  Deno.execPath(),
  "run",
  "--no-prompt",
  "--cached-only",
  "--allow-read",
  "--allow-env",
];
// Without the files of the folder that it runs in: those could configure it.
const BUN = ["bun", "--no-env-file"];

const folder = Deno.makeTempDirSync();
try {
  const empty = `${folder}/empty.ts`;
  Deno.writeTextFileSync(empty, "");
  Deno.mkdirSync(`${folder}/project/.git`, { recursive: true });
  const programs = [
    program("deno, empty", [...DENO, empty]),
    program("deno, check from source", [...DENO, `${ROOT}cli.ts`, ...CHECK]),
    program("deno, check bundled", [...DENO, `${ROOT}dist/caliban.js`, ...CHECK]),
    program("deno, --version", [...DENO, `${ROOT}cli.ts`, "--version"]),
    program("bun, empty", [...BUN, empty]),
    program("bun, check from source", [...BUN, `${ROOT}cli.ts`, ...CHECK]),
    program("bun, check bundled", [...BUN, `${ROOT}dist/caliban.js`, ...CHECK]),
  ];
  const rounds = Number(Deno.args[0] ?? 21);
  for (let round = 0; round <= rounds; round++) {
    for (const each of programs) {
      const time = timeOf(each);
      // The first round fills the caches.
      if (round > 0) each.times.push(time);
    }
  }
  console.log(table(programs));
} finally {
  Deno.removeSync(folder, { recursive: true });
}

function program(name: string, words: readonly string[]): Program {
  return { name, words, times: [] };
}

/** Milliseconds that one run takes; 0 and 2 (ask) are the statuses of a run that worked. */
function timeOf({ name, words }: Program): number {
  const [command = "", ...args] = words;
  const start = performance.now();
  const { code, stderr } = new Deno.Command(command, { args, cwd: `${folder}/project` })
    .outputSync();
  const time = performance.now() - start;
  if (code !== 0 && code !== 2) throw new Error(`${name}: ${new TextDecoder().decode(stderr)}`);
  return time;
}

/** The median of each program, and how many times that of the empty program of its runtime it is. */
function table(programs: readonly Program[]): string {
  const width = Math.max(...programs.map(({ name }) => name.length));
  let empty = 1;
  return programs.map(({ name, times }) => {
    const middle = median(times);
    if (name.endsWith("empty")) empty = middle;
    const ratio = (middle / empty).toFixed(2).padStart(6);
    return `${name.padEnd(width)} ${middle.toFixed(1).padStart(7)} ms ${ratio} ×`;
  }).join("\n");
}

function median(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
