import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import type { Classifier, ModelQuestion } from "../../lib/gate/auto/model_answer.ts";
import { run } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { gitState } from "../../lib/io/git/repository.ts";
import { type AutoModeOptions, openAutoMode } from "../../lib/io/load/load_auto_mode.ts";
import { openPolicy } from "../../lib/io/load/load_policy.ts";
import { LoadError, type Runtime } from "../../lib/io/runtime/runtime.ts";
import { PolicyError } from "../../lib/policy/decode/policy_error.ts";
import { withTempDir } from "../support/temp_dir.ts";

const CLASSIFIER = '[classifier]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n';

/** A workspace and a home in a new folder. */
interface Scene {
  readonly workspace: string;
  readonly home: string;
  readonly runtime: Runtime;
  /** Writes a file below the scene's folder. */
  write(path: string, text: string): void;
  /** Opens auto mode as a verb would. */
  open(options?: Partial<AutoModeOptions>): ReturnType<typeof openAutoMode>;
}

function withScene(use: (scene: Scene) => Promise<void>, env: Record<string, string> = {}) {
  return withTempDir(async (folder) => {
    const [workspace, home] = [join(folder, "ws"), join(folder, "home")];
    mkdirSync(join(workspace, ".git"), { recursive: true });
    mkdirSync(home);
    const variables: Record<string, string> = { HOME: home, ...env };
    const runtime: Runtime = {
      ...await chooseRuntime(),
      env: (name) => variables[name],
      cwd: () => workspace,
      write: () => Promise.resolve(true),
    };
    await use({
      workspace,
      home,
      runtime,
      write(path, text) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      },
      open: async (options = {}) =>
        await openAutoMode(runtime, { policy: await openPolicy(runtime), ...options }),
    });
  });
}

const PROJECT = "ws/.caliban/auto-mode.toml";
const USER = "home/.config/caliban/auto-mode.toml";

const bash = (command: string) => ({ tool: "Bash", input: { command } });

/** A model that allows all, and what it was asked. */
function allowing(questions: ModelQuestion[] = []): Classifier {
  return {
    ask(question) {
      questions.push(question);
      const content = '{"decision":"allow","reason":"r"}';
      return Promise.resolve({
        kind: "completion",
        completion: { choices: [{ message: { content } }] },
      });
    },
  };
}

test("without a file the curated lists decide, and nobody is asked", () =>
  withScene(async ({ open }) => {
    const { mode, settings, disabled } = await open();
    assert.equal(disabled, undefined);
    assert.equal(settings.classifier, undefined);
    assert.equal((await mode.classify({ call: bash("sudo ls") })).source, "static-rule");
    assert.equal((await mode.classify({ call: bash("make") })).source, "fallback");
  }));

test("the user's file and the project's add up", () =>
  withScene(async ({ open, write }) => {
    write(PROJECT, 'soft_deny = ["Bash:a *"]\n');
    write(USER, `soft_deny = ["Bash:b *"]\nallow = ["Bash:c *"]\n${CLASSIFIER}`);
    const { mode, settings } = await open({ classifier: () => Promise.resolve(allowing()) });
    assert.equal(settings.classifier?.source.kind, "user");
    const said = async (command: string) => {
      const { decision, source } = await mode.classify({ call: bash(command) });
      return `${decision} ${source}`;
    };
    assert.equal(await said("a x"), "soft_deny static-rule");
    assert.equal(await said("b x"), "soft_deny static-rule");
    assert.equal(await said("c x"), "allow static-rule");
    assert.equal(await said("d x"), "allow classifier");
  }));

test("a project's allow, environment and classifier count only when it is trusted", () =>
  withScene(async ({ open, write, runtime }) => {
    write(PROJECT, `allow = ["Bash:c *"]\nenvironment = ["x"]\n${CLASSIFIER}`);
    const counts = async (options: Partial<AutoModeOptions> = {}) => {
      const { settings } = await open(options);
      const own = settings.lists.allow.some(({ pattern }) => pattern.value === "Bash:c *");
      return [own, settings.environment[0] === "x", settings.classifier !== undefined];
    };
    assert.deepEqual(await counts(), [false, false, false]);
    assert.equal((await open()).settings.notices.length, 3);
    assert.deepEqual(await counts({ trust: "given" }), [true, true, true]);
    assert.equal(await run(["trust", "--yes"], runtime), 0);
    assert.deepEqual(await counts(), [true, true, true]);
    write(PROJECT, `allow = ["Bash:c *", "*"]\nenvironment = ["x"]\n${CLASSIFIER}`);
    assert.deepEqual(await counts(), [false, false, false]);
  }));

test("a project that becomes trusted by another file of it is judged by all of them", () =>
  withScene(async ({ open, write, runtime }) => {
    write(PROJECT, 'allow = ["Bash:c *"]\n');
    assert.equal(await run(["trust", "--yes"], runtime), 0);
    write("ws/.caliban/permissions.toml", "");
    const { settings } = await open();
    assert.equal(settings.notices[0]?.id, "untrusted");
  }));

for (const value of ["1", "true", "yes"]) {
  test(`CALIBAN_DISABLE_AUTO_MODE=${value} switches it off`, () =>
    withScene(async ({ open, write }) => {
      write(USER, 'allow = ["*"]\n');
      const opened = await open({ classifier: () => Promise.resolve(allowing()) });
      const said = await opened.mode.classify({ call: bash("make") });
      assert.deepEqual([said.decision, said.source], ["soft_deny", "disabled"]);
      assert.match(opened.disabled ?? "", /CALIBAN_DISABLE_AUTO_MODE/);
    }, { CALIBAN_DISABLE_AUTO_MODE: value }));
}

test("CALIBAN_DISABLE_AUTO_MODE=0 does not", () =>
  withScene(async ({ open }) => assert.equal((await open()).disabled, undefined), {
    CALIBAN_DISABLE_AUTO_MODE: "0",
  }));

test("the trust record is read only where the project has a file of auto mode", () =>
  withScene(async ({ open, write }) => {
    write("home/.local/state/caliban/trust.json", "broken");
    write(USER, 'soft_deny = ["Bash:b *"]\n');
    assert.equal((await open()).disabled, undefined);
    write(PROJECT, 'soft_deny = ["Bash:a *"]\n');
    await assert.rejects(() => open(), LoadError);
    assert.equal((await open({ trust: "given" })).disabled, undefined);
    assert.equal((await open({ off: ["project"] })).disabled, undefined);
  }));

test("a flag and a file switch it off, the project's too without trust", () =>
  withScene(async ({ open, write, workspace }) => {
    assert.match((await open({ state: "off" })).disabled ?? "", /--disable-auto-mode/);
    write(PROJECT, "\n disableAutoMode = true\n");
    const { disabled } = await open();
    assert.equal(disabled, `auto mode is switched off (${workspace}/.caliban/auto-mode.toml:2)`);
  }));

test("a named file stands above the others, and must be there", () =>
  withScene(async ({ open, write }) => {
    write("ws/mine.toml", CLASSIFIER.replace('"m"', '"named"'));
    write(USER, CLASSIFIER);
    const { settings } = await open({ config: "mine.toml" });
    assert.equal(settings.classifier?.value.model, "named");
    await assert.rejects(() => open({ config: "none.toml" }), (error) => {
      assert.ok(error instanceof LoadError);
      assert.equal(error.errors[0]?.fault, "not-found");
      return true;
    });
  }));

test("sources that are left out are not read", () =>
  withScene(async ({ open, write }) => {
    write(USER, "no TOML");
    write(PROJECT, "no TOML");
    assert.equal((await open({ off: ["user", "project"] })).disabled, undefined);
    await assert.rejects(() => open({ off: ["user"] }), PolicyError);
    await assert.rejects(() => open({ off: ["project"] }), PolicyError);
  }));

test("everything wrong in all files is told at once, patterns too", () =>
  withScene(async ({ open, write }) => {
    write(USER, 'allow = ["Bash(x"]\n');
    write(PROJECT, 'hard_denny = []\nsoft_deny = ["Write()"]\n');
    await assert.rejects(() => open(), (error) => {
      assert.ok(error instanceof PolicyError);
      assert.deepEqual(
        error.problems.map(({ path, span: { line, column }, id }) =>
          `${path.includes("/ws/") ? "project" : "user"}:${line}:${column} ${id}`
        ),
        [
          "project:1:1 unknown-key",
          "project:2:14 invalid-pattern",
          "user:1:10 invalid-pattern",
        ],
      );
      return true;
    });
  }));

test("what cannot be read is an error, not an absent file", () =>
  withScene(async ({ open, home }) => {
    mkdirSync(join(home, ".config/caliban"), { recursive: true });
    symlinkSync("nowhere", join(home, ".config/caliban/auto-mode.toml"));
    await assert.rejects(() => open(), LoadError);
  }));

test("a byte order mark does no harm", () =>
  withScene(async ({ open, write }) => {
    write(USER, `\ufeff${CLASSIFIER}`);
    assert.equal((await open()).settings.classifier?.value.model, "m");
  }));

test("the model is told folder, remote and branch as they now are", () =>
  withScene(async ({ open, write, workspace }) => {
    write(USER, CLASSIFIER);
    write("ws/.git/config", '[remote "origin"]\n\turl = https://u:t0ken@x.org/a.git\n');
    write("ws/.git/HEAD", "ref: refs/heads/topic\n");
    const questions: ModelQuestion[] = [];
    const { mode } = await open({ classifier: () => Promise.resolve(allowing(questions)) });
    assert.equal((await mode.classify({ call: bash("git push") })).source, "classifier");
    assert.equal((await mode.classify({ call: bash("git push") })).source, "cache");
    assert.match(
      questions[0]?.user ?? "",
      new RegExp(
        `  workspace = ${workspace}\n  git_remote = https://x.org/a.git\n  is_main_branch = false\n`,
      ),
    );
    write("ws/.git/HEAD", "ref: refs/heads/main\n");
    assert.equal((await mode.classify({ call: bash("git push") })).source, "classifier");
    assert.match(questions[1]?.user ?? "", /is_main_branch = true/);
    const { user = "" } = (await mode.classify({ call: bash("/bin/rm a; frob") }), questions[2]!);
    assert.match(
      user,
      /\n {2}the command: removes files or uncommitted work; a part of it is unknown\n/,
    );
  }));

test("facts of a repository: a worktree's branch, its repository's remote", () =>
  withScene(({ write, runtime, workspace }) => {
    write("repo/.git/config", '[remote "origin"]\n\turl = git@x.org:a\n');
    write("repo/.git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/develop\n");
    write("repo/.git/worktrees/w/HEAD", "ref: refs/heads/develop\n");
    write("repo/.git/worktrees/w/commondir", "../..\n");
    write("tree/.git", `gitdir: ${join(dirname(workspace), "repo/.git/worktrees/w")}\n`);
    write("tree/sub/x", "");
    assert.deepEqual(gitState(runtime, join(dirname(workspace), "tree/sub")), {
      gitRemote: "git@x.org:a",
      isMainBranch: true,
    });
    assert.deepEqual(gitState(runtime, workspace), {});
    assert.deepEqual(gitState(runtime, "relative"), {});
    mkdirSync(join(workspace, ".git/HEAD"));
    assert.deepEqual(gitState(runtime, workspace), {});
    return Promise.resolve();
  }));
