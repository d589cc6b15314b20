import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadedWith } from "../support/modules.ts";
import { CLI, commandOf, finish, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { trustAtHome } from "../support/trust.ts";
import { withTempDir } from "../support/temp_dir.ts";

/**
 * The budget of a start: every tool call of an agent pays for each module and byte. Lower it after a gain; raise it only for
 * code that every call needs, and import everything else where it is needed.
 */
const BUDGET = { modules: 230, bytes: 1_436_000 };

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
async function loadedBy(
  words: readonly string[],
  folder: string,
  { trusts = true, status = 0, input = "" } = {},
): Promise<Loaded> {
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
  if (trusts) await trustAtHome(join(folder, "ws"), home);
  const ended = await finish(command, { cwd: join(folder, "ws"), env: { HOME: home }, input });
  assert.equal(ended.status, status, ended.stderr);
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
  "check of a plain line loads few modules, no package and nothing of Node",
  NEEDS,
  () =>
    withPolicy(example, async (folder) => {
      const { own, packages, texts } = await loadedBy(["check", "Bash", "git status"], folder);
      const bytes = own.reduce((sum, path) => sum + (texts.get(join(REPO, path)) ?? "").length, 0);
      assert.ok(own.length <= BUDGET.modules, `${own.length} modules`);
      assert.ok(bytes <= BUDGET.bytes, `${bytes} bytes`);
      const idle = own.filter((path) => IDLE_ROOMS.some((room) => path.startsWith(`lib/${room}/`)));
      assert.deepEqual(idle, []);
      assert.deepEqual([...packages], []);
      const names = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']node:/;
      assert.deepEqual([...texts].filter(([, text]) => names.test(text)).map(([path]) => path), []);
    }),
);

test(
  "one module names all that check loads: Deno parses the source map of each module that is the first to name another one",
  NEEDS,
  () =>
    withTempDir(async (folder) => {
      mkdirSync(join(folder, "ws/.git"), { recursive: true });
      const words = ["check", "Bash", "git status"];
      const { own } = await loadedBy(words, folder, { trusts: false, status: 2 });
      const named = loadedWith(REPO, ["lib/cli/check/preload.ts"]).map(({ path }) => path);
      assert.deepEqual(own.filter((path) => !named.includes(path)), ["cli.ts"]);
    }),
);

test(
  "one module names all that a hook loads, but for the modules of its agent",
  NEEDS,
  () =>
    withTempDir(async (folder) => {
      mkdirSync(join(folder, "ws/.git"), { recursive: true });
      const event = { hook_event_name: "PreToolUse", session_id: "x", tool_name: "Bash" };
      const input = JSON.stringify({ ...event, tool_input: { command: "git status" } });
      const { own } = await loadedBy(["hook", "claude"], folder, { trusts: false, input });
      const named = loadedWith(REPO, ["lib/cli/hook/preload.ts"]).map(({ path }) => path);
      const others = own.filter((path) => !named.includes(path));
      assert.deepEqual(others.filter((path) => !path.startsWith("lib/agents/")), ["cli.ts"]);
    }),
);

test(
  "a line that is not plain loads the parser, within another one too",
  NEEDS,
  () =>
    withPolicy(example, async (folder) => {
      const lines = ["if true; then ls; fi", "timeout 5 sh -c 'if true; then ls; fi'"];
      for (const [at, line] of lines.entries()) {
        mkdirSync(join(folder, `${at}`));
        cpSync(join(folder, "ws"), join(folder, `${at}/ws`), { recursive: true });
        const words = ["check", "Bash", line];
        const { packages } = await loadedBy(words, join(folder, `${at}`), { status: 2 });
        assert.deepEqual([...packages], ["unbash"], line);
      }
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
  "another format loads no reporter but its own and that of text",
  NEEDS,
  () =>
    withPolicy(example, async (folder) => {
      const { own } = await loadedBy(["check", "--json", "Bash", "git status"], folder);
      const reporters = own.filter((path) => path.startsWith("lib/report/"));
      assert.deepEqual(reporters, [
        "lib/report/color.ts",
        "lib/report/decision_json.ts",
        "lib/report/decision_text.ts",
        "lib/report/layout.ts",
        "lib/report/place_text.ts",
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
