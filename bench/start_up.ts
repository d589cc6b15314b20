/**
 * Measures one `caliban check` from start to exit, as a multiple of an empty program's time: `deno task bench`, or with
 * the number of rounds behind it. The programs run in turn, so that a slow moment of the machine is shared by all; on a
 * machine that does other things, too, the fastest run says more than the one in the middle. Deno has caches of its own
 * here, because what other programs write into the shared ones is read at every start.
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
  await linkPackages(`${folder}/deno`);
  const programs = [
    program("deno, empty", [...DENO, empty]),
    program("deno, check from source", [...DENO, `${ROOT}cli.ts`, ...CHECK]),
    program("deno, check bundled", [...DENO, `${ROOT}dist/caliban.js`, ...CHECK]),
    program("deno, --version", [...DENO, `${ROOT}cli.ts`, "--version"]),
    program("deno, --version bundled", [...DENO, `${ROOT}dist/caliban.js`, "--version"]),
    program("bun, empty", [...BUN, empty]),
    program("bun, check from source", [...BUN, `${ROOT}cli.ts`, ...CHECK]),
    program("bun, check bundled", [...BUN, `${ROOT}dist/caliban.js`, ...CHECK]),
  ];
  const rounds = Number(Deno.args[0] ?? 31);
  // The first two rounds fill the caches.
  for (let round = -2; round < rounds; round++) {
    for (const each of programs) {
      const time = timeOf(each);
      if (round >= 0) each.times.push(time);
    }
  }
  console.log(table(programs));
} finally {
  Deno.removeSync(folder, { recursive: true });
}

/** Fills a folder for Deno's caches with the packages that are there already. */
async function linkPackages(caches: string): Promise<void> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(stdout));
  Deno.mkdirSync(caches);
  Deno.symlinkSync(`${denoDir}/npm`, `${caches}/npm`);
}

function program(name: string, words: readonly string[]): Program {
  return { name, words, times: [] };
}

/** Milliseconds that one run takes; 0 and 2 (ask) are the statuses of a run that worked. */
function timeOf({ name, words }: Program): number {
  const [command = "", ...args] = words;
  const start = performance.now();
  const { code, stderr } = new Deno.Command(command, {
    args,
    cwd: `${folder}/project`,
    env: { DENO_DIR: `${folder}/deno` },
  }).outputSync();
  const time = performance.now() - start;
  if (code !== 0 && code !== 2) throw new Error(`${name}: ${new TextDecoder().decode(stderr)}`);
  return time;
}

/** The fastest and the middle run of each program, and how many times that of the empty program of its runtime it is. */
function table(programs: readonly Program[]): string {
  const width = Math.max(...programs.map(({ name }) => name.length));
  const head = `${"".padEnd(width)}        fastest             middle`;
  let empty: readonly number[] = [1, 1];
  const lines = programs.map(({ name, times }) => {
    const sorted = times.toSorted((one, other) => one - other);
    const both = [sorted[0] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0];
    if (name.endsWith("empty")) empty = both;
    const columns = both.map((time, index) => {
      const ratio = (time / (empty[index] ?? 1)).toFixed(2).padStart(6);
      return `${time.toFixed(1).padStart(7)} ms ${ratio} ×`;
    });
    return `${name.padEnd(width)} ${columns.join(" ")}`;
  });
  return [head, ...lines].join("\n");
}
