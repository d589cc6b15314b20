import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { bundleInto } from "../../scripts/bundle_into.ts";
import { CLI, commandOf, PROGRAMS } from "../support/process.ts";
import { cacheEnv, REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Why no bundle can be made here; false when one can. */
function missing(): string | false {
  if (!existsSync(join(REPO, "node_modules"))) return "bun install was not run";
  const absent = PROGRAMS.find((name) => spawnSync(name, ["--version"]).status !== 0);
  return absent === undefined ? false : `there is no ${absent}`;
}

const READING = ["--allow-read", "--allow-env"];

/** The folder of a test: its bundle in `dist`, its workspace in `ws`. */
interface Place {
  readonly folder: string;
}

interface Running {
  readonly main?: string;
  readonly flags?: readonly string[];
  readonly input?: string;
}

function run(args: readonly string[], { folder }: Place, running: Running = {}) {
  const { main = join(folder, "dist/caliban.js"), flags = READING, input = "" } = running;
  return spawnSync(commandOf("deno"), [
    "run",
    "--no-prompt",
    "--cached-only",
    ...flags,
    main,
    ...args,
  ], {
    cwd: join(folder, "ws"),
    encoding: "utf8",
    env: { ...process.env, ...cacheEnv(), HOME: folder, NO_COLOR: "1" },
    input,
  });
}

function filesStandApart({ folder }: Place): void {
  const names = readdirSync(join(folder, "dist"));
  const apart = [
    "classifier.js",
    "edit_file.js",
    "node_runtime.js",
    "opinion_cache.js",
    "regex_matcher.js",
    "rotate_audit.js",
  ];
  const main = ["caliban.js", "hot.js", "rest.js", "start.js"];
  assert.deepEqual([...apart, ...main].filter((name) => !names.includes(name)), []);
  for (const name of main) {
    const text = readFileSync(join(folder, "dist", name), "utf8");
    assert.doesNotMatch(text, /\b(?:from|import)"node:/, name);
    // One character more, and V8 needs two bytes for each.
    assert.match(text, /^[\0-\x7f]*$/, name);
  }
}

/** Command lines whose answers the bundle must give as the source does: of each part one, and what it writes to stderr. */
const ALIKE: readonly (readonly string[])[] = [
  ["check", "Bash", "git status"],
  ["check", "--json", "Bash", "cd src && rm -rf \"$x\" | sed -n 's/a/b/w f' > ../⚠; sudo ls"],
  ["check", "Edit", "../\u{202e}outside"],
  ["check", "mcp__a__b", "{}"],
  ["explain", "Bash", "git push"],
  ["schema", "permissions"],
  ["--version"],
  ["nonsense"],
];

function answersAreAlike(place: Place): void {
  for (const words of ALIKE) {
    const [bundled, source] = [run(words, place), run(words, place, { main: CLI })];
    const told = ({ status, stdout, stderr }: typeof source) => ({ status, stdout, stderr });
    assert.deepEqual(told(bundled), told(source), words.join(" "));
  }
  const bun = ["--no-env-file", join(place.folder, "dist/caliban.js"), "check", "Bash", "ls"];
  const { status } = spawnSync(commandOf("bun"), bun, { cwd: join(place.folder, "ws") });
  assert.equal(status, 2);
}

function writesWithItsFlagOnly(place: Place): void {
  const add = ["add", "Bash(git push:*)", "allow"];
  assert.equal(run(["check", "Bash", "git push"], place).status, 2);
  const refused = run(add, place);
  assert.match(refused.stderr, /--allow-write/);
  assert.equal(refused.status, 64);
  assert.equal(run(add, place, { flags: [...READING, "--allow-write"] }).status, 0);
  assert.equal(run(["check", "Bash", "git push"], place).status, 0);
  assert.equal(run(["audit"], place).status, 0);
}

/** A file that is not there, or is cut, is no verdict. */
function damageIsNoVerdict(place: Place): void {
  const main = join(place.folder, "damaged/caliban.js");
  const hot = join(place.folder, "damaged/hot.js");
  cpSync(join(place.folder, "dist"), join(place.folder, "damaged"), { recursive: true });
  const statuses = () => [
    run(["check", "Bash", "ls"], place, { main }).status,
    run(["hook", "claude"], place, { main, input: "{}" }).status,
  ];
  writeFileSync(hot, readFileSync(hot, "utf8").slice(0, 100_000));
  assert.deepEqual(statuses(), [70, 2]);
  rmSync(hot);
  assert.deepEqual(statuses(), [70, 2]);
}

test("a folder that holds something else is not replaced", () =>
  withTempDir((folder) => {
    writeFileSync(join(folder, "mine.txt"), "");
    assert.throws(() => bundleInto(folder), /it holds "mine\.txt", no bundle/);
    assert.deepEqual(readdirSync(folder), ["mine.txt"]);
  }));

test(
  "a bundle decides, writes and fails as the source does, and without Node's modules where it can",
  { skip: missing(), timeout: 60_000 },
  () =>
    withTempDir((folder) => {
      const place = { folder };
      bundleInto(join(folder, "dist"));
      mkdirSync(join(folder, "ws/.git"), { recursive: true });
      filesStandApart(place);
      answersAreAlike(place);
      writesWithItsFlagOnly(place);
      damageIsNoVerdict(place);
    }),
);
