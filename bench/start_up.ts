/**
 * Measures a process from start to exit: `deno task bench`, with the number of rounds behind it, and words that the names of programs
 * must have one of (`deno task bench 31 rules`); `--json` prints the figures as JSON, `--seconds=N` ends behind that time. bench/start_up.md says what each row is. Needs
 * bash, and Bun, which tells the CPU time of a program.
 */
import type { Start } from "../scripts/performance/figures.ts";
import { existsSync } from "node:fs";
import { watchedByStatus } from "../lib/agents/settings/watchdog.ts";
import { teamRules } from "./analysis_lists.ts";
import { CODEX } from "./peers/codex_program.ts";

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
  /** The home folder; one without a policy by default. */
  readonly home?: string;
  /** CPU times (user and system) so far, in ms. */
  readonly times: number[];
}

const ROOT = new URL("../", import.meta.url).pathname;
const CHECK = ["check", "Bash", "git status"];
const FLAGS = ["run", "--no-prompt", "--cached-only", "--allow-read", "--allow-env"];
const OWN_HOME = Deno.env.get("HOME") ?? "";
const DENO = [Deno.execPath(), ...FLAGS];
// Without the files of the folder that it runs in: those could configure it.
const BUN = ["bun", "--no-env-file"];
const RULES = [10, 1_000, 10_000];
/** More than a workspace's files may hold, so they stand in the user's own. */
const OWN_RULES = 100_000;
const SAFETY_NET =
  `${ROOT}bench/peers/engines/node_modules/cc-safety-net/dist/bin/cc-safety-net.js`;
const EVENT = JSON.stringify({
  session_id: "0",
  hook_event_name: "PreToolUse",
  permission_mode: "default",
  tool_name: "Bash",
  tool_input: { command: "git status" },
});

const folder = Deno.makeTempDirSync();
try {
  for (const name of ["empty.mjs", "empty.cjs"]) Deno.writeTextFileSync(`${folder}/${name}`, "");
  Deno.mkdirSync(`${folder}/plain/.git`, { recursive: true });
  await linkPackages(`${folder}/deno`);
  copyBundle(`${folder}/bundle`);
  for (const count of RULES) writeRules(count);
  writeOwnRules();
  const [rounds = "31", ...wanted] = Deno.args.filter((arg) => !arg.startsWith("--"));
  const programs = [...ofDeno(), ...ofNodes(), ...ofBun(), ...ofPeers()].filter(({ name }) =>
    wanted.length === 0 || /empty|10 rules|unwatched/.test(name) ||
    wanted.some((word) => name.includes(word))
  );
  // The first two rounds fill the caches. All run in turn, so that a slow moment of the machine is shared.
  const end = performance.now() + secondsOf(Deno.args) * 1_000;
  for (let round = -2; round < Number(rounds); round++) {
    if (round > 2 && performance.now() > end) break;
    for (const each of programs) {
      const time = cpuTime(each);
      if (round >= 0) each.times.push(time);
    }
  }
  if (Deno.args.includes("--json")) console.log(JSON.stringify(rowsOf(programs)));
  else console.log(table(programs));
} finally {
  Deno.removeSync(folder, { recursive: true });
}

/** The time of `--seconds=N`; without it there is no end. */
function secondsOf(args: readonly string[]): number {
  const flag = args.find((arg) => arg.startsWith("--seconds="));
  return flag === undefined ? Infinity : Number(flag.slice("--seconds=".length));
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
    hookOf("deno, source, hook", [...DENO, `${ROOT}cli.ts`], empty),
    program("deno, bundle", [...DENO, bundle, ...CHECK], empty),
    hookOf("deno, bundle, hook", [...DENO, bundle], empty),
    { ...program("hook, unwatched", ["/bin/sh", "-c", line(hook)], empty), input: EVENT },
    { ...program("hook, watched", ["/bin/sh", "-c", watched], "hook, unwatched"), input: EVENT },
    ...rules,
    {
      ...program(
        `deno, bundle, ${OWN_RULES} rules of the user`,
        [...DENO, bundle, ...CHECK],
        first,
      ),
      home: `${folder}/owner`,
    },
    ...compiled(empty),
  ];
}

/** The program as the hook of Claude Code. */
function hookOf(name: string, words: readonly string[], beside: string): Program {
  return { ...program(name, [...words, "hook", "claude"], beside), input: EVENT };
}

/** The compiled program, where `deno task compile` made one. */
function compiled(empty: string): readonly Program[] {
  const path = `${ROOT}dist/caliban`;
  if (!existsSync(path)) return [];
  return [
    program("compiled", [path, ...CHECK], empty),
    hookOf("compiled, hook", [path], empty),
  ];
}

/** Node of the PATH, and those that `NODES` names with a colon between. */
function ofNodes(): readonly Program[] {
  const paths = (Deno.env.get("NODES") ?? "node").split(":");
  return paths.flatMap((path) => {
    const { code, stdout } = run(`"$0" --version`, { words: [path], cwd: folder });
    if (code !== 0) return [];
    const name = `node ${stdout.trim()}`;
    const [empty, bundle] = [`${name}, empty`, `${folder}/bundle/caliban.cjs`];
    return [
      program(empty, [path, `${folder}/empty.mjs`], empty),
      program(`${name}, empty script`, [path, `${folder}/empty.cjs`], empty),
      // Compiled code is kept in the user's own home folder alone.
      { ...program(`${name}, bundle`, [path, bundle, ...CHECK], empty), home: OWN_HOME },
      { ...hookOf(`${name}, bundle, hook`, [path, bundle], empty), home: OWN_HOME },
    ];
  });
}

function ofBun(): readonly Program[] {
  if (run("bun --version", { words: [], cwd: folder }).code !== 0) return [];
  const bundle = `${folder}/bundle/caliban.js`;
  return [
    program("bun, empty", [...BUN, `${folder}/empty.mjs`], "bun, empty"),
    program("bun, bundle", [...BUN, bundle, ...CHECK], "bun, empty"),
    hookOf("bun, bundle, hook", [...BUN, bundle], "bun, empty"),
  ];
}

/** Other programs that decide a command, where `deno task bench:engines` installed them. */
function ofPeers(): readonly Program[] {
  const empty = "deno, empty";
  const rules = `${folder}/codex.rules`;
  Deno.writeTextFileSync(rules, 'prefix_rule(pattern=["git","status"], decision="allow")\n');
  const codex = [CODEX ?? "", "execpolicy", "check", "--rules", rules, "--", "git", "status"];
  const net = ["node", SAFETY_NET, "hook", "--claude-code"];
  return [
    ...CODEX === undefined ? [] : [program("codex execpolicy", codex, empty)],
    ...existsSync(SAFETY_NET)
      ? [{ ...program("cc-safety-net, hook", net, empty), input: EVENT }]
      : [],
  ];
}

/** The bundle as the npm package and the copies of hooks have it, beside a manifest that says that it is of modules. */
function copyBundle(to: string): void {
  Deno.mkdirSync(to);
  for (const { name } of Deno.readDirSync(`${ROOT}dist`)) {
    if (/\.(?:c?js|txt)$/.test(name)) Deno.copyFileSync(`${ROOT}dist/${name}`, `${to}/${name}`);
  }
  Deno.writeTextFileSync(`${to}/package.json`, '{ "type": "module" }\n');
}

/** A trusted workspace with so many rules of a team. */
function writeRules(count: number): void {
  const cwd = `${folder}/rules${count}`;
  Deno.mkdirSync(`${cwd}/.caliban`, { recursive: true });
  Deno.mkdirSync(`${cwd}/.git`);
  Deno.writeTextFileSync(`${cwd}/.caliban/permissions.toml`, rulesText(count));
  const words = [...DENO, "--allow-write", `${folder}/bundle/caliban.js`, "trust", "--yes"];
  const { code, stderr } = run('"$0" "$@"', { words, cwd });
  if (code !== 0) throw new Error(`Cannot trust ${cwd}: ${stderr}`);
}

/** The user's own file with more rules than a workspace may have, in a home of its own. */
function writeOwnRules(): void {
  const path = `${folder}/owner/.config/caliban`;
  Deno.mkdirSync(path, { recursive: true });
  Deno.writeTextFileSync(`${path}/permissions.toml`, rulesText(OWN_RULES));
}

function rulesText(count: number): string {
  return teamRules(count).map(({ pattern, action }) =>
    `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`
  ).join("\n");
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

function run(
  script: string,
  { words, cwd, home = folder }: {
    readonly words: readonly string[];
    readonly cwd: string;
    readonly home?: string | undefined;
  },
): { readonly code: number; readonly stdout: string; readonly stderr: string } {
  // The rules of the person who measures do not count.
  const config = home === OWN_HOME ? folder : home;
  const { code, stdout, stderr } = new Deno.Command("bash", {
    args: ["-c", script, ...words],
    cwd,
    // Variables of the machine change what a runtime does at its start: Node reads the file of NODE_EXTRA_CA_CERTS.
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      DENO_DIR: `${folder}/deno`,
      HOME: home,
      XDG_CONFIG_HOME: `${config}/.config`,
      NO_COLOR: "1",
    },
    stdin: "null",
  }).outputSync();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** User and system time of one run, in ms; 0, 2 (ask) and 42 (answered) are the statuses of a run that worked. */
function cpuTime({ name, words, cwd = `${folder}/plain`, home, input = "" }: Program): number {
  Deno.writeTextFileSync(`${folder}/input`, input);
  const meter = [...BUN, `${ROOT}bench/cpu_time.ts`, `${folder}/input`];
  const { stdout, stderr } = run('exec "$0" "$@"', { words: [...meter, ...words], cwd, home });
  const [code = NaN, time = NaN] = stdout.trim().split(" ").map(Number);
  if (![0, 2, 42].includes(code)) throw new Error(`${name}: status ${code}: ${stderr}`);
  return time / 1_000;
}

/** The most memory of one run, in MB, looked at every 20 ms. */
function peakOf({ words, cwd = `${folder}/plain`, home }: Program): number {
  const script = [
    '"$0" "$@" > "$HOME/out" 2>&1 & child=$!; peak=0',
    "while kb=$(awk '/VmHWM/ {print $2}' /proc/$child/status 2>/dev/null)",
    '[ -n "$kb" ]; do peak=$kb; sleep 0.02; done; echo $peak',
  ].join("; ");
  return Math.round(Number(run(script, { words, cwd, home }).stdout.trim()) / 1_024);
}

/** The least CPU time of each program, and how it compares with the one beside it. */
function rowsOf(programs: readonly Program[]): readonly Start[] {
  const least = new Map(programs.map(({ name, times }) => [name, Math.min(...times)]));
  return programs.map((each) => {
    const { name, beside, home, times } = each;
    const [ms = 0, other = 0] = [least.get(name), least.get(beside)];
    const row = { name, ms, beside, ratio: ms / other, more: ms - other, rounds: times.length };
    return home === undefined ? row : { ...row, peak: peakOf(each) };
  });
}

function table(programs: readonly Program[]): string {
  const width = Math.max(...programs.map(({ name }) => name.length));
  return rowsOf(programs).map(({ name, beside, ms, ratio, more, peak }) => {
    const cells = `${ms.toFixed(1).padStart(6)} ms ${ratio.toFixed(2).padStart(6)} ×`;
    const memory = peak === undefined ? "" : `, ${peak} MB`;
    return `${name.padEnd(width)} ${cells} ${
      more.toFixed(1).padStart(6)
    } ms more than ${beside}${memory}`;
  }).join("\n");
}
