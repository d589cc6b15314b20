import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CLI, commandOf, finish, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { trustAtHome } from "../support/trust.ts";
import { withTempDir } from "../support/temp_dir.ts";

/**
 * The budget of a start: every tool call of an agent pays for each module and byte. Lower it after a gain; raise it only for
 * code that every call needs, and import everything else where it is needed.
 */
const BUDGET = { modules: 233, bytes: 1_440_000 };

/** Rooms that no decision of `check` needs. */
const IDLE_ROOMS = ["analysis", "lint", "suite", "gate", "prompt", "adapters"];

const NEEDS = { skip: without("deno") };

/** The modules that one run of the command line loaded. */
interface Loaded {
  /** Our modules, by path from the root, sorted. */
  readonly own: readonly string[];
  /** The names of the packages. */
  readonly packages: ReadonlySet<string>;
  /** The text of every module, ours and the packages'. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Runs a command line in a folder, as Deno. V8 writes one coverage profile for each module that it has run, and for no other. */
async function loadedBy(words: readonly string[], folder: string): Promise<Loaded> {
  const profiles = join(folder, "profiles");
  const flags = ["--quiet", "--no-prompt", "--cached-only", "--allow-read", "--allow-env"];
  const command = [
    commandOf("deno"),
    "run",
    ...flags,
    `--coverage=${profiles}`,
    CLI,
    ...words,
  ];
  const home = join(folder, "home");
  mkdirSync(home);
  await trustAtHome(join(folder, "ws"), home);
  const ended = await finish(command, { cwd: join(folder, "ws"), env: { HOME: home } });
  assert.equal(ended.status, 0, ended.stderr);
  const paths = readdirSync(profiles).map((name) => {
    const profile: { url: string } = JSON.parse(readFileSync(join(profiles, name), "utf8"));
    return fileURLToPath(profile.url);
  });
  const isOwn = (path: string) => path.startsWith(`${REPO}/`) && !path.includes("/node_modules/");
  return {
    own: paths.filter(isOwn).map((path) => path.slice(REPO.length + 1)).toSorted(),
    packages: new Set(paths.filter((path) => !isOwn(path)).map(packageOf)),
    texts: new Map(paths.map((path) => [path, readFileSync(path, "utf8")])),
  };
}

/** The package that a module in Deno's cache, or in node_modules, belongs to. */
function packageOf(path: string): string {
  const match = /\/(?:npm\/[^/]+|node_modules)\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
  return match?.[1] ?? path;
}

function withPolicy(text: string, use: (folder: string) => Promise<void>): Promise<void> {
  return withTempDir(async (folder) => {
    mkdirSync(join(folder, "ws/.caliban"), { recursive: true });
    writeFileSync(join(folder, "ws/.caliban/permissions.toml"), text);
    await use(folder);
  });
}

const example = readFileSync(join(REPO, "examples/policy/.caliban/permissions.toml"), "utf8");

test(
  "check of a plain policy loads few modules, a parser of shell lines and nothing of Node",
  NEEDS,
  () =>
    withPolicy(example, async (folder) => {
      const { own, packages, texts } = await loadedBy(["check", "Bash", "git status"], folder);
      const bytes = own.reduce((sum, path) => sum + (texts.get(join(REPO, path)) ?? "").length, 0);
      assert.ok(own.length <= BUDGET.modules, `${own.length} modules`);
      assert.ok(bytes <= BUDGET.bytes, `${bytes} bytes`);
      const idle = own.filter((path) => IDLE_ROOMS.some((room) => path.startsWith(`lib/${room}/`)));
      assert.deepEqual(idle, []);
      assert.deepEqual([...packages], ["unbash"]);
      const names = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']node:/;
      assert.deepEqual([...texts].filter(([, text]) => names.test(text)).map(([path]) => path), []);
    }),
);

test(
  "no module of check makes an error when it is loaded: for its stack trace V8 parses the whole bundle once more",
  NEEDS,
  () =>
    withPolicy(example, async (folder) => {
      const { texts } = await loadedBy(["check", "Bash", "git status"], folder);
      const makes = /^(?:export )?(?:const|let|var) .*= (?:new )?\w*(?:Error|Fault)\(/m;
      assert.deepEqual([...texts].filter(([, text]) => makes.test(text)).map(([path]) => path), []);
    }),
);

for (const words of [["--version"], ["--help"], ["help", "check"]]) {
  test(
    `${words.join(" ")} loads neither policies nor the shell`,
    NEEDS,
    () =>
      withPolicy(example, async (folder) => {
        const { own } = await loadedBy(words, folder);
        const rooms = ["decide/classes", "policy/compile", "policy/decode", "shell", "io/load"];
        const idle = own.filter((path) => rooms.some((room) => path.startsWith(`lib/${room}/`)));
        assert.deepEqual(idle, []);
      }),
  );
}

test(
  "another format loads its own reporter alone",
  NEEDS,
  () =>
    withPolicy(example, async (folder) => {
      const { own } = await loadedBy(["check", "--json", "Bash", "git status"], folder);
      const reporters = own.filter((path) => path.startsWith("lib/report/"));
      assert.deepEqual(reporters, [
        "lib/report/color.ts",
        "lib/report/decision_json.ts",
      ]);
    }),
);

test(
  "a policy that is written in another way loads the full decoder and its parser",
  NEEDS,
  () =>
    withPolicy(
      'permissions.rules = [{ pattern = "Bash(git:*)", action = "allow" }]\n',
      async (folder) => {
        const { own, packages } = await loadedBy(["check", "Bash", "git status"], folder);
        assert.ok(own.includes("lib/policy/decode/decode_policy.ts"));
        assert.ok(packages.has("toml-eslint-parser"));
      },
    ),
);
