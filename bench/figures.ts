/**
 * Runs the benches one after another and records their figures in bench/figures.json, of which `deno task update` makes the pictures and tables of
 * docs/performance.md: `deno task bench:figures`, with `--quick` for few rounds. Needs what bench/README.md says; a program or an engine that is not there is left out.
 */
import type { Figures } from "../scripts/performance/figures.ts";

const ROOT = new URL("../", import.meta.url).pathname;
const PATH = `${ROOT}bench/figures.json`;
const isQuick = Deno.args.includes("--quick");
const rounds = (full: number, quick: number) => String(isQuick ? quick : full);
const BUN = ["bun", "--no-env-file"];
const DENO = [Deno.execPath(), "run", "--no-check", "-A", "--node-modules-dir=manual"];
const START = [Deno.execPath(), "run", "--no-check", "-A", "bench/start_up.ts", "--json"];
const NODES = ["20", "22", "24"];
const LISTS = ["team:1000:lint", "team:10000", "hard:3000"];

const load = loadNow();
const speed = ["bench/analysis_speed.ts", "--json", ...LISTS];
const analysis = printed([Deno.execPath(), "run", "--no-check", "-A", ...speed]).trim().split("\n")
  .map((line) => JSON.parse(line));
const growth = jsonOf([...BUN, "bench/growth.ts", rounds(20, 4), "--json"]);
const decisions = [BUN, DENO].map((runtime) =>
  jsonOf([...runtime, "bench/decisions.ts", rounds(60, 11), "--json", "--seconds=80"])
);
const stdin = jsonOf([...DENO, "bench/stdin.ts", rounds(1_000_000, 20_000), "--json"]);
const startUp = jsonOf(START.concat(rounds(21, 3), "--seconds=130"), {
  NODES: nodePaths().join(":"),
});
const figures = {
  run: { ...machine(), load: [load, loadNow()], isQuick },
  startUp,
  growth,
  decisions,
  stdin,
  analysis,
} as Figures;
Deno.writeTextFileSync(PATH, `${JSON.stringify(figures, rounded, 1)}\n`);
console.log("Wrote bench/figures.json; deno task update makes the pictures and tables of it");

/** The machine, the moment, the commit and the versions. */
function machine(): Omit<Figures["run"], "load" | "isQuick"> {
  const cpu = Deno.readTextFileSync("/proc/cpuinfo").match(/^model name\s*: (.*)$/m)?.[1] ?? "";
  const memory = Deno.readTextFileSync("/proc/meminfo").match(/^MemTotal:\s*(\d+)/m)?.[1];
  return {
    date: new Date().toISOString().slice(0, 16).replace("T", " ") + " UTC",
    // The last commit that changed the program.
    commit: printed(["git", "log", "-1", "--format=%h", "--", "lib", "defaults", "cli.ts"]).trim(),
    cpu,
    cores: navigator.hardwareConcurrency,
    memory: `${Math.round(Number(memory) / 2 ** 20)} GiB`,
    system: printed(["uname", "-sm"]).trim(),
    versions: versions(),
  };
}

function versions(): Readonly<Record<string, string>> {
  const found: Record<string, string> = {
    Deno: Deno.version.deno,
    Bun: printed(["bun", "--version"]).trim(),
  };
  const packages = {
    "Gemini CLI": "@google/gemini-cli-core",
    Cedar: "engines/node_modules/@cedar-policy/cedar-wasm",
    Casbin: "engines/node_modules/casbin",
    CASL: "engines/node_modules/@casl/ability",
    Codex: "engines/node_modules/@openai/codex",
    "cc-safety-net": "engines/node_modules/cc-safety-net",
  };
  for (const [name, path] of Object.entries(packages)) {
    const folder = path.startsWith("engines") ? path : `node_modules/${path}`;
    const manifest = textOr(`${ROOT}bench/peers/${folder}/package.json`, "{}");
    const { version } = JSON.parse(manifest);
    if (typeof version === "string") found[name] = version;
  }
  return found;
}

/** The paths of the versions of Node that npx has or fetches. */
function nodePaths(): readonly string[] {
  return NODES.flatMap((version) => {
    const args = ["-y", `node@${version}`, "-p", "process.execPath"];
    const { code, stdout } = new Deno.Command("npx", { args, stdin: "null" }).outputSync();
    if (code === 0) return [new TextDecoder().decode(stdout).trim()];
    console.error(`(Node ${version} is not there)`);
    return [];
  });
}

/** The mean number of processes that wanted a core in the last minute. */
function loadNow(): number {
  return Number(Deno.readTextFileSync("/proc/loadavg").split(" ")[0]);
}

function textOr(path: string, otherwise: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return otherwise;
    throw error;
  }
}

/** The last line that a program prints, as JSON. */
function jsonOf(words: readonly string[], env: Readonly<Record<string, string>> = {}): unknown {
  return JSON.parse(printed(words, env).trim().split("\n").at(-1) ?? "");
}

function printed(
  [command = "", ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): string {
  if (command !== "git" && command !== "uname") console.error([command, ...args].join(" "));
  const { code, stdout } = new Deno.Command(command, {
    args,
    env,
    cwd: ROOT,
    stdin: "null",
    stderr: "inherit",
  }).outputSync();
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
  return new TextDecoder().decode(stdout);
}

/** Figures to four digits: more are noise. */
function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value)
    ? Number(value.toPrecision(4))
    : value;
}
