import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { findVerb } from "../../lib/cli/args/verb.ts";
import { VERBS } from "../../lib/cli/registry.ts";
import { privateFolder } from "../../lib/io/runtime/compile_cache.ts";
import { bundleInto } from "../../scripts/bundle_into.ts";
import { compileInto } from "../../scripts/release/compile_into.ts";
import {
  damageIsNoVerdict,
  decidesWithoutRest,
  logsWithoutRest,
  noHookIsDamaged,
  type Place,
  READING,
  textsAreItsOwn,
} from "../support/bundle_damage.ts";
import { startsByItself } from "../support/bundle_node.ts";
import { LINES, SCENE, type VerbLine } from "../support/every_verb.ts";
import { CLI, commandOf, PROGRAMS } from "../support/process.ts";
import { cacheEnv, REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Why no bundle can be made here; false when one can. */
function missing(): string | false {
  if (!existsSync(join(REPO, "node_modules"))) return "bun install was not run";
  const absent = PROGRAMS.find((name) => spawnSync(name, ["--version"]).status !== 0);
  return absent === undefined ? false : `there is no ${absent}`;
}

interface Running {
  readonly main?: string;
  readonly flags?: readonly string[];
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function run(args: readonly string[], { folder }: Place, running: Running = {}) {
  const { main = join(folder, "dist/caliban.js"), flags = READING, input = "", env } = running;
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
    env: { ...process.env, ...cacheEnv(), HOME: folder, NO_COLOR: "1", ...env },
    input,
  });
}

function filesStandApart({ folder }: Place): void {
  const names = readdirSync(join(folder, "dist"));
  const apart = [
    "classifier.js",
    "edit_file.js",
    "opinion_cache.js",
    "regex_matcher.js",
    "rotate_audit.js",
  ];
  const main = [
    "caliban.js",
    "caliban.cjs",
    "hot.js",
    "setting.js",
    "rest.js",
    "start.js",
    "start.cjs",
  ];
  const all = [...apart, ...main, "texts.txt"];
  assert.deepEqual(all.filter((name) => !names.includes(name)), []);
  for (const name of main) {
    const text = readFileSync(join(folder, "dist", name), "utf8");
    assert.doesNotMatch(text, /\b(?:from|import)"node:/, name);
    // A form of hot.js may run that is no module, so nobody imports what it has from it.
    assert.doesNotMatch(text, /\}from"\.\/hot\.js"/, name);
    // One character more, and V8 needs two bytes for each.
    assert.match(text, /^[\0-\x7f]*$/, name);
  }
  // The client of models comes along.
  const client = readFileSync(join(folder, "dist/classifier.js"), "utf8");
  assert.equal(client.includes(`import("openai")`), false);
  assert.ok(client.length > 100_000, `${client.length}`);
}

/** Command lines whose answers the bundle must give as the source does: of each part one, and what it writes to stderr. */
const ALIKE: readonly (readonly string[])[] = [
  ["check", "Bash", "git status"],
  ["check", "--json", "Bash", "cd src && rm -rf \"$x\" | sed -n 's/a/b/w f' > ../⚠; sudo ls"],
  ["check", "Edit", "../\u{202e}outside"],
  ["check", "mcp__a__b", "{}"],
  ["check", "Bash", "make all", "--headless"],
  ["explain", "Bash", "git push"],
  ["schema", "permissions"],
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

/** Under Node a bundle answers as the source does where it keeps compiled code, too: then `hot.js` is run as a script. */
function nodeAnswersAlike(place: Place): void {
  const { homedir, uid } = userInfo();
  if (spawnSync("node", ["--version"]).error !== undefined) return;
  const folder = privateFolder(homedir, uid);
  if (folder === undefined) return;
  const home = { HOME: homedir, XDG_CONFIG_HOME: place.folder, XDG_STATE_HOME: place.folder };
  const env = { ...process.env, ...home, NO_COLOR: "1" };
  for (const main of ["caliban.cjs", "caliban.cjs, from what was kept", "caliban.js"]) {
    const path = join(place.folder, "dist", main.split(",")[0]!);
    for (const words of ALIKE) {
      const { status, stdout, stderr } = spawnSync("node", [path, ...words], {
        cwd: join(place.folder, "ws"),
        encoding: "utf8",
        env,
      });
      const source = run(words, place, { main: CLI, env: home });
      const told = { status: source.status, stdout: source.stdout, stderr: source.stderr };
      assert.deepEqual({ status, stdout, stderr }, told, `${main}: ${words.join(" ")}`);
    }
  }
  assert.ok(readdirSync(folder).some((name) => /^hot-v\d.*\.code$/.test(name)));
}

/** The commit is that of the clone it was made in. */
function namesItself(place: Place): void {
  const { status, stdout } = spawnSync("git", ["rev-parse", "--short=12", "HEAD"], {
    cwd: REPO,
    encoding: "utf8",
  });
  const commit = status === 0 ? `commit ${stdout.trim()}, ` : "";
  const line = run(["-V"], place).stdout;
  assert.ok(line.includes(`(${commit}deno `), line);
  assert.ok(line.endsWith(`, ${join(place.folder, "dist/caliban.js")})\n`), line);
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

/** The copy that a hook starts has every file. */
function hookStartsWhole({ folder }: Place): void {
  const home = join(folder, "home");
  mkdirSync(join(home, "ws/.git"), { recursive: true });
  const main = join(folder, "dist/caliban.js");
  const words = [...["run", "--no-prompt", "--cached-only", "--allow-all"], main];
  const { status, stderr } = spawnSync(commandOf("deno"), [...words, "hook", "install", "claude"], {
    cwd: join(home, "ws"),
    encoding: "utf8",
    env: { ...process.env, ...cacheEnv(), HOME: home, XDG_DATA_HOME: join(home, "data") },
  });
  assert.equal(status, 0, stderr);
  const copies = join(home, "data/caliban/hooks");
  const copied = readdirSync(join(copies, readdirSync(copies)[0]!));
  const own = readdirSync(join(folder, "dist")).filter((name) => /\.(?:c?js|txt)$/.test(name));
  assert.ok(own.includes("texts.txt"));
  assert.deepEqual(own.filter((name) => !copied.includes(name)), []);
}

test("a folder that holds something else is not replaced", () =>
  withTempDir((folder) => {
    writeFileSync(join(folder, "mine.txt"), "");
    assert.throws(
      () => bundleInto(folder),
      /Cannot write the bundle .*"mine\.txt"; name an empty folder/,
    );
    assert.deepEqual(readdirSync(folder), ["mine.txt"]);
  }));

/** The folder of the bundle that the tests share. */
const shared = mkdtempSync(join(tmpdir(), "caliban-bundle-test-"));
after(() => rmSync(shared, { recursive: true, force: true }));

function bundledPlace(): Place {
  const place = { folder: shared };
  if (!existsSync(join(shared, "dist"))) {
    // The site of the documents may be there before the bundle.
    mkdirSync(join(shared, "dist/site"), { recursive: true });
    bundleInto(join(shared, "dist"));
    mkdirSync(join(shared, "ws/.git"), { recursive: true });
  }
  return place;
}

test(
  "a bundle decides, writes and fails as the source does, and without Node's modules where it can",
  { skip: missing(), timeout: 120_000 },
  () => {
    const place = bundledPlace();
    filesStandApart(place);
    namesItself(place);
    answersAreAlike(place);
    decidesWithoutRest(place);
    logsWithoutRest(place);
    nodeAnswersAlike(place);
    startsByItself(place);
    writesWithItsFlagOnly(place);
    hookStartsWhole(place);
    damageIsNoVerdict(place);
    textsAreItsOwn(place);
    noHookIsDamaged(place);
  },
);

/** All that comes of a line: what it says, its status, and the files that are there then. */
function outcomeOf({ words, input = "" }: VerbLine, program: readonly string[]) {
  const home = join(shared, "scene");
  rmSync(home, { recursive: true, force: true });
  for (const [name, text] of Object.entries(SCENE)) {
    const path = join(home, name.startsWith("~/") ? name.slice(2) : `ws/${name}`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const [command = "", ...args] = program;
  const { status, stdout, stderr } = spawnSync(command, [...args, ...words], {
    cwd: join(home, "ws"),
    encoding: "utf8",
    env: { PATH: process.env["PATH"], ...cacheEnv(), HOME: home },
    input,
  });
  return { status, stdout: withoutProgram(stdout), stderr, files: filesBelow(home) };
}

/** The text without the names of the program and its runtime: in the command of an installed hook, and in the version. */
function withoutProgram(text: string): string {
  return text.replace(/"command": ".*"/, '"command": …')
    .replace(/"program": ".*"/, '"program": …')
    .replace(/^(caliban [\d.]+) \(commit (\w+), .*\)$/m, "$1 ($2)");
}

/** The text of each file, without the time of a record of trust. */
function filesBelow(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    names.filter((each) => each.isFile()).map((each) => {
      const path = join(each.parentPath, each.name);
      return [path, readFileSync(path, "utf8").replace(/"at": ".*"/, '"at": …')];
    }),
  );
}

test("each verb has a line in which the compiled program is compared with the bundle", () => {
  const tried = new Set(LINES.map(({ words }) => findVerb(words, VERBS)?.verb));
  assert.deepEqual(VERBS.filter((verb) => !tried.has(verb)).map(({ path }) => path), []);
});

test(
  "the compiled program says, writes and ends as the bundle does, byte for byte, on every verb",
  { skip: missing(), timeout: 120_000 },
  () => {
    const { folder } = bundledPlace();
    const compiled = join(folder, "caliban");
    compileInto(compiled);
    const flags = ["run", "--no-prompt", "--cached-only", "--allow-all"];
    const bundled = [commandOf("deno"), ...flags, join(folder, "dist/caliban.js")];
    for (const line of LINES) {
      const expected = outcomeOf(line, bundled);
      assert.deepEqual(outcomeOf(line, [compiled]), expected, line.words.join(" "));
    }
  },
);
