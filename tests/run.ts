/**
 * Runs the tests under Deno: `deno task test [GROUP…] [FLAG…]`, everything when no group is named. A FLAG goes to `deno test`, and
 * `--junit=FOLDER` writes a report of each group there.
 *
 * - `core`: `tests/unit` and `tests/laws`, with no permission. They are imported by one module for each processor, for most of
 *   their time is spent on loading the library.
 * - `specs`: the scenarios of `tests/specs`, every other one in each of two processes.
 * - `io`: the other tests of `tests/io`, side by side.
 *   With `few` two thirds of those that take long rest, others each day.
 * - `alone`: those of `tests/io` that start many programs or change their process: one after the other in each of two processes,
 *   which run at the same time.
 */
import { ALONE, IN_TURN } from "./support/alone.ts";
import { casesText, parseCases } from "./support/cases.ts";

const SPECS = ["specs"];
/** All groups in their order: those of a list at the same time, for the programs of `alone` wait a lot. */
const ALL = [["core"], ["io"], ["alone", "specs"]] as const;
const GROUPS = ["core", "specs", "io", "alone"] as const;
const ALLOWED = [
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-run",
  "--allow-sys",
  "--allow-net=127.0.0.1",
];
const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname);

type Group = typeof GROUPS[number];

/** The runs of `deno test` of a group, side by side: each takes the same flags and files of its own. */
interface Batch {
  readonly group: Group;
  readonly flags: readonly string[];
  readonly lanes: readonly (readonly string[])[];
}

const chosen = parseCases(Deno.env.get("CALIBAN_CASES") ?? "");
const cases = casesText(chosen);
const resting = chosen.amount === "few"
  ? IN_TURN.filter((_, at) => (at + chosen.seed) % 3 !== 0)
  : [];
const isGroup = (word: string): word is Group => GROUPS.some((group) => group === word);
const named = Deno.args.filter(isGroup);
const reports = Deno.args.find((word) => word.startsWith("--junit="))?.slice("--junit=".length);
const flags = Deno.args.filter((word) => !isGroup(word) && !word.startsWith("--junit="));

console.log(`CALIBAN_CASES=${cases}`);
// Deno fetches a package when it is imported, but many tests start programs that may fetch nothing.
await run(["install", "--frozen", "--quiet"], "inherit");
const folder = await Deno.makeTempDir({ prefix: "caliban-tests-" });
let failed = 0;
try {
  for (const groups of named.length > 0 ? named.map((group) => [group]) : ALL) {
    const outcomes = groups.map((group, at) => outcome(batchOf(group), at === 0));
    for (const each of await Promise.all(outcomes)) failed += each;
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
const isPart = named.length > 0 && !named.some((group) => group === "io" || group === "alone");
if (resting.length > 0 && !isPart) {
  console.log(`Left out today, run with CALIBAN_CASES=some: ${resting.join(", ")}`);
}
if (failed > 0) console.log(`To run the same cases again: CALIBAN_CASES=${cases}`);
Deno.exit(failed > 0 ? 1 : 0);

function batchOf(group: Group): Batch {
  const isAmong = (names: readonly string[]) => (file: string) =>
    names.some((name) => file.endsWith(`/${name}_test.ts`));
  const io = testsBelow("tests/io").filter((file) => !isAmong(resting)(file));
  switch (group) {
    case "core":
      return { group, flags: ["--parallel"], lanes: [modulesOf(["tests/unit", "tests/laws"])] };
    case "specs": {
      // Each process tries its half of them, by `ofLane`.
      const specs = io.filter(isAmong(SPECS));
      return { group, flags: ALLOWED, lanes: [specs, specs] };
    }
    case "io": {
      const others = io.filter((file) => !isAmong([...SPECS, ...ALONE.flat()])(file));
      return { group, flags: [...ALLOWED, "--parallel"], lanes: [others] };
    }
    case "alone":
      return { group, flags: ALLOWED, lanes: ALONE.map((names) => io.filter(isAmong(names))) };
  }
}

/** Modules that import every test below some folders, one for each processor. */
function modulesOf(folders: readonly string[]): readonly string[] {
  const count = Math.max(1, navigator.hardwareConcurrency);
  const files = folders.flatMap(testsBelow);
  return Array.from({ length: count }, (_, index) => {
    const path = `${folder}/${index + 1}_test.ts`;
    const mine = files.filter((_file, at) => at % count === index);
    const lines = mine.map((file) => `import ${JSON.stringify(new URL(`file://${file}`).href)};\n`);
    Deno.writeTextFileSync(path, lines.join(""));
    return path;
  });
}

function testsBelow(path: string): readonly string[] {
  const found = [...Deno.readDirSync(`${ROOT}${path}`)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return testsBelow(`${path}/${name}`);
    return name.endsWith("_test.ts") ? [`${ROOT}${path}/${name}`] : [];
  });
  return found.toSorted();
}

/** Runs a batch; 1 when it failed. The output of a lane beside another is printed when it ends. */
async function outcome({ group, flags: own, lanes }: Batch, isFirst: boolean): Promise<number> {
  const start = performance.now();
  const results = await Promise.all(lanes.map(async (files, index) => {
    const report = lanes.length === 1 ? group : `${group}-${index + 1}`;
    const args = [
      "test",
      "--no-prompt",
      "--no-check",
      `--config=${ROOT}deno.json`,
      ...own,
      ...(reports === undefined ? [] : [`--junit-path=${reports}/${report}.xml`]),
      ...flags,
      ...files,
      "--",
      `--cases=${cases}`,
      `--lane=${index}/${lanes.length}`,
    ];
    return await run(args, isFirst && index === 0 ? "inherit" : "piped");
  }));
  const success = results.every((each) => each);
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`${group}: ${success ? "ok" : "FAILED"} (${seconds} s)`);
  return success ? 0 : 1;
}

/** True if Deno ends well with these arguments. */
async function run(args: readonly string[], output: "inherit" | "piped"): Promise<boolean> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: ROOT,
    stdin: "null",
    stdout: output,
    stderr: output,
  });
  if (output === "inherit") return (await command.spawn().status).success;
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  console.log(decoder.decode(stdout) + decoder.decode(stderr));
  return success;
}
