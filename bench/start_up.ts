/**
 * Measures a process from start to exit: `deno task bench`, with the number of rounds behind it, and words that the names of programs
 * must have one of (`deno task bench 31 rules`). bench/start_up.md says what each row is. Needs bash, which tells the CPU time of a program.
 */
import { watchedByStatus } from "../lib/agents/settings/watchdog.ts";
import { teamRules } from "./analysis_lists.ts";

/** One program that is measured. */
interface Program {
  /** Its name in the table. */
  readonly name: string;
  /** The command line. */
  readonly words: readonly string[];
  /** The row that it is a multiple of, or has so many ms more than. */
  readonly beside: string;
  /** The folder that it runs in; the plain one by default. */
  readonly cwd?: string;
  readonly input?: string;
  /** CPU times (user and system) so far, in ms. */
  readonly times: number[];
}

const ROOT = new URL("../", import.meta.url).pathname;
const CHECK = ["check", "Bash", "git status"];
const FLAGS = ["run", "--no-prompt", "--cached-only", "--allow-read", "--allow-env"];
const DENO = [Deno.execPath(), ...FLAGS];
// Without the files of the folder that it runs in: those could configure it.
const BUN = ["bun", "--no-env-file"];
const RULES = [10, 1_000, 10_000];
const EVENT = JSON.stringify({
  session_id: "0",
  hook_event_name: "PreToolUse",
  permission_mode: "default",
  tool_name: "Bash",
  tool_input: { command: "git status" },
});

const folder = Deno.makeTempDirSync();
try {
  Deno.writeTextFileSync(`${folder}/empty.mjs`, "");
  Deno.mkdirSync(`${folder}/plain/.git`, { recursive: true });
  await linkPackages(`${folder}/deno`);
  copyBundle(`${folder}/bundle`);
  for (const count of RULES) writeRules(count);
  const [rounds = "31", ...wanted] = Deno.args;
  const programs = [...ofDeno(), ...ofNodes(), ...ofBun()].filter(({ name }) =>
    wanted.length === 0 || /empty|10 rules|unwatched/.test(name) ||
    wanted.some((word) => name.includes(word))
  );
  // The first two rounds fill the caches. All run in turn, so that a slow moment of the machine is shared.
  for (let round = -2; round < Number(rounds); round++) {
    for (const each of programs) {
      const time = cpuTime(each);
      if (round >= 0) each.times.push(time);
    }
  }
  console.log(table(programs));
} finally {
  Deno.removeSync(folder, { recursive: true });
}

function ofDeno(): readonly Program[] {
  const bundle = `${folder}/bundle/caliban.js`;
  const empty = "deno, empty";
  const hook = [...DENO, bundle, "hook", "claude"];
  const first = `deno, bundle, ${RULES[0]} rules`;
  const watched = watchedByStatus({
    words: [...hook, "--watched"],
    file: bundle,
    waitMs: 60_000,
  }, "no answer");
  const rules = RULES.map((count) => ({
    ...program(`deno, bundle, ${count} rules`, [...DENO, bundle, ...CHECK], first),
    cwd: `${folder}/rules${count}`,
  }));
  return [
    program(empty, [...DENO, `${folder}/empty.mjs`], empty),
    program("deno, source", [...DENO, `${ROOT}cli.ts`, ...CHECK], empty),
    program("deno, bundle", [...DENO, bundle, ...CHECK], empty),
    { ...program("deno, bundle, hook", hook, empty), input: EVENT },
    { ...program("hook, unwatched", ["/bin/sh", "-c", line(hook)], empty), input: EVENT },
    { ...program("hook, watched", ["/bin/sh", "-c", watched], "hook, unwatched"), input: EVENT },
    ...rules,
    ...compiled(empty),
  ];
}

/** The compiled program, where `deno task compile` made one. */
function compiled(empty: string): readonly Program[] {
  const path = `${ROOT}dist/caliban`;
  if (!isThere(path)) return [];
  return [
    program("compiled", [path, ...CHECK], empty),
    { ...program("compiled, hook", [path, "hook", "claude"], empty), input: EVENT },
  ];
}

/** Node of the PATH, and those that `NODES` names with a colon between. */
function ofNodes(): readonly Program[] {
  const paths = (Deno.env.get("NODES") ?? "node").split(":");
  return paths.flatMap((path) => {
    const { code, stdout } = run(`"$0" --version`, { words: [path], cwd: folder });
    if (code !== 0) return [];
    const name = `node ${stdout.trim()}`;
    return [
      program(`${name}, empty`, [path, `${folder}/empty.mjs`], `${name}, empty`),
      program(`${name}, bundle`, [path, `${folder}/bundle/caliban.js`, ...CHECK], `${name}, empty`),
    ];
  });
}

function ofBun(): readonly Program[] {
  if (run("bun --version", { words: [], cwd: folder }).code !== 0) return [];
  return [
    program("bun, empty", [...BUN, `${folder}/empty.mjs`], "bun, empty"),
    program("bun, bundle", [...BUN, `${folder}/bundle/caliban.js`, ...CHECK], "bun, empty"),
  ];
}

/** The bundle as the npm package and the copies of hooks have it, beside a manifest that says that it is of modules. */
function copyBundle(to: string): void {
  Deno.mkdirSync(to);
  for (const { name } of Deno.readDirSync(`${ROOT}dist`)) {
    if (name.endsWith(".js")) Deno.copyFileSync(`${ROOT}dist/${name}`, `${to}/${name}`);
  }
  Deno.writeTextFileSync(`${to}/package.json`, '{ "type": "module" }\n');
}

/** A trusted workspace with so many rules of a team. */
function writeRules(count: number): void {
  const cwd = `${folder}/rules${count}`;
  Deno.mkdirSync(`${cwd}/.caliban`, { recursive: true });
  Deno.mkdirSync(`${cwd}/.git`);
  const rules = teamRules(count).map(({ pattern, action }) =>
    `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`
  );
  Deno.writeTextFileSync(`${cwd}/.caliban/permissions.toml`, rules.join("\n"));
  const words = [...DENO, "--allow-write", `${folder}/bundle/caliban.js`, "trust", "--yes"];
  const { code, stderr } = run('"$0" "$@"', { words, cwd });
  if (code !== 0) throw new Error(`Cannot trust ${cwd}: ${stderr}`);
}

/** Fills a folder for Deno's caches with the packages that are there already. */
async function linkPackages(caches: string): Promise<void> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { denoDir } = JSON.parse(new TextDecoder().decode(stdout));
  Deno.mkdirSync(caches);
  Deno.symlinkSync(`${denoDir}/npm`, `${caches}/npm`);
}

function program(name: string, words: readonly string[], beside: string): Program {
  return { name, words, beside, times: [] };
}

function line(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function run(
  script: string,
  { words, cwd }: { readonly words: readonly string[]; readonly cwd: string },
): { readonly code: number; readonly stdout: string; readonly stderr: string } {
  const { code, stdout, stderr } = new Deno.Command("bash", {
    args: ["-c", script, ...words],
    cwd,
    env: { DENO_DIR: `${folder}/deno`, HOME: folder, NO_COLOR: "1" },
    stdin: "null",
  }).outputSync();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** User and system time of one run, in ms; 0, 2 (ask) and 42 (answered) are the statuses of a run that worked. */
function cpuTime({ name, words, cwd = `${folder}/plain`, input = "" }: Program): number {
  Deno.writeTextFileSync(`${folder}/input`, input);
  const script =
    `TIMEFORMAT="%U %S"; input=$0; time "$@" < "$input" > "$input.out" 2> "$input.err"`;
  const { code, stderr } = run(script, { words: [`${folder}/input`, ...words], cwd });
  if (![0, 2, 42].includes(code)) throw new Error(`${name}: status ${code}: ${stderr}`);
  const [user = 0, system = 0] = stderr.trim().split(/\s+/).slice(-2).map(Number);
  return (user + system) * 1_000;
}

/** The least CPU time of each program, and how it compares with the one beside it. */
function table(programs: readonly Program[]): string {
  const width = Math.max(...programs.map(({ name }) => name.length));
  const least = new Map(programs.map(({ name, times }) => [name, Math.min(...times)]));
  return programs.map(({ name, beside }) => {
    const [own = 0, other = 0] = [least.get(name), least.get(beside)];
    const ratio = `${(own / other).toFixed(2).padStart(6)} ×`;
    const more = `${(own - other).toFixed(0).padStart(5)} ms more than ${beside}`;
    return `${name.padEnd(width)} ${own.toFixed(0).padStart(5)} ms ${ratio} ${more}`;
  }).join("\n");
}
