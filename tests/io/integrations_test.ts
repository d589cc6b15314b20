import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { VERBS } from "../../lib/cli/registry.ts";
import { ACTION, obeyed, runAction } from "../support/action.ts";
import { commitAll, git, lacks, withCaliban, writeFiles } from "../support/git_scene.ts";
import { type Ended, finish, said, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const POLICY = ".caliban/permissions.toml";

const RULE = (pattern: string, action: string) =>
  `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n\n`;

const CLEAN = RULE("Bash(git push:*)", "ask") + RULE("Read(**/.env)", "deny");
const FAULTY = RULE("Bash:git*", "allow") + CLEAN;
const TESTS = '[[tests]]\ncall = "Bash:git push"\nexpect = "ask"\n';

const ACTION_NEEDS = {
  timeout: 120_000,
  skip: said(lacks("bash") || lacks("git") || without("deno")),
};
const SHELL_NEEDS = { timeout: 120_000, skip: said(lacks("bash") || lacks("git")) };

/** A repository of these files, and a folder beside it. */
function withRepository<T>(
  files: Readonly<Record<string, string>>,
  use: (
    place: { readonly cwd: string; readonly kept: string; readonly base: string },
  ) => Promise<T>,
): Promise<T> {
  return withTempDir((folder) => {
    const [cwd, kept] = [join(folder, "checkout"), join(folder, "kept")];
    mkdirSync(kept);
    writeFiles(cwd, files);
    return use({ cwd, kept, base: commitAll(cwd) });
  });
}

function statuses(steps: ReadonlyMap<string, Ended>): Readonly<Record<string, number | string>> {
  return Object.fromEntries([...steps].map(([name, { status }]) => [name, status]));
}

test("no script of the action holds an expression, and docs/ci.md has every input", () => {
  const docs = readFileSync(join(REPO, "docs/ci.md"), "utf8");
  for (const { run, uses, shell, name } of ACTION.runs.steps) {
    if (uses !== undefined) continue;
    assert.doesNotMatch(run ?? "", /\$\{\{/, name);
    assert.equal(shell, "bash", name);
  }
  for (const [name, input] of Object.entries(ACTION.inputs)) {
    const told = input.default === "" ? "" : `\`${input.default}\` `;
    assert.ok(docs.includes(`| \`${name}\` | ${told}| `), name);
  }
});

test(
  "the action passes a clean policy and shows what a pull request changes",
  ACTION_NEEDS,
  () =>
    withRepository({ [POLICY]: CLEAN, "a.perms.toml": TESTS }, async ({ cwd, kept, base }) => {
      const same = await runAction({ cwd, kept, base });
      assert.deepEqual(statuses(same.steps), { Program: 0, Install: 0, Lint: 0, Test: 0, Diff: 0 });
      for (const { stdout } of same.steps.values()) {
        assert.deepEqual(obeyed(stdout).filter((command) => !command.startsWith("::notice ")), []);
      }

      writeFiles(cwd, { [POLICY]: CLEAN.replace('"deny"', '"ask"') });
      const only = { lint: "false", test: "false" };
      const inputs = { ...only, "fail-on": "loosened,unknown" };
      const loosened = await runAction({ cwd, kept, base, inputs });
      assert.deepEqual(statuses(loosened.steps), { Program: 0, Install: 0, Diff: 1 });
      assert.match(loosened.summary, /\.env/);

      // As GitHub checks out: the last commit alone, so that the base must be fetched.
      commitAll(cwd);
      const shallow = join(kept, "shallow");
      git(kept, "clone", "--quiet", "--depth=1", `file://${cwd}`, shallow);
      const told = await runAction({ cwd: shallow, kept, base, inputs: only });
      assert.deepEqual(statuses(told.steps), { Program: 0, Install: 0, Diff: 0 });
      assert.equal(told.summary, loosened.summary);
      const none = await runAction({ cwd: shallow, kept, base: "0".repeat(40), inputs: only });
      assert.notEqual(none.steps.get("Diff")?.status, 0);
    }),
);

test(
  "the action fails on a planted fault, with annotations where it stands",
  ACTION_NEEDS,
  () =>
    withRepository(
      { "ws/.caliban/permissions.toml": FAULTY, "ws/a.perms.toml": TESTS },
      async ({ cwd, kept }) => {
        const inputs = { workspace: "ws", "sarif-file": join(kept, "lint.sarif") };
        const { steps, summary } = await runAction({ cwd, kept, inputs });
        assert.deepEqual(statuses(steps), { Program: 0, Install: 0, Lint: 1, Test: 1, Diff: 0 });
        const [leak, ...more] = obeyed(steps.get("Lint")!.stdout)
          .filter((command) => !command.startsWith("::notice"));
        assert.match(
          leak!,
          /^::warning file=ws\/\.caliban\/permissions\.toml,line=2,endLine=2,col=11,endColumn=22,title=caliban%3A leaky-prefix::allow/,
        );
        assert.deepEqual(more.filter((command) => !command.startsWith("::warning file=ws/")), []);
        assert.equal(obeyed(steps.get("Test")!.stdout).length, 1);
        const sarif = JSON.parse(readFileSync(inputs["sarif-file"], "utf8"));
        assert.ok(sarif.runs[0].results.length >= 1);
        assert.equal(summary, "");
      },
    ),
);

test(
  "an action without tests or a policy that loads says so",
  ACTION_NEEDS,
  () =>
    withRepository({ [POLICY]: CLEAN }, async ({ cwd, kept }) => {
      const untested = await runAction({ cwd, kept, inputs: { diff: "false" } });
      assert.deepEqual(statuses(untested.steps), { Program: 0, Install: 0, Lint: 0, Test: 0 });
      const { stdout, stderr } = untested.steps.get("Test")!;
      assert.match(stdout, /^no tests$/m);
      assert.doesNotMatch(stdout + stderr, /error/);
      const wanted = { lint: "false", test: "true", diff: "false" };
      const strict = await runAction({ cwd, kept, inputs: wanted });
      assert.deepEqual(statuses(strict.steps), { Program: 0, Install: 0, Test: 66 });

      writeFiles(cwd, { [POLICY]: "rules = [\n  ::error::\n" });
      const broken = await runAction({ cwd, kept, inputs: { test: "false", diff: "false" } });
      assert.equal(broken.steps.get("Lint")?.status, 1);
      const commands = obeyed(broken.steps.get("Lint")!.stdout);
      assert.ok(commands.length > 0);
      for (const command of commands) assert.match(command, /^::error file=\.caliban/);
    }),
);

test(
  "inputs of the action are never run, and its policy gives the runner no orders",
  ACTION_NEEDS,
  () => {
    const orders = "x\n::add-mask::a\r::error::b##[add-mask]c%0A::d *";
    const files = { [POLICY]: RULE(orders, "allow") + RULE(`Bash:${orders}`, "allow") };
    return withRepository(files, async ({ cwd, kept, base }) => {
      const hostile = await runAction({ cwd, kept, base });
      for (const [name, { stdout, stderr }] of hostile.steps) {
        assert.deepEqual(obeyed(stderr), [], name);
        for (const command of obeyed(stdout)) {
          assert.match(command, /^::(?:error|warning|notice) (?:file|title=caliban)/, name);
        }
      }
      const mark = join(kept, "run");
      const text = `$(touch ${mark})";touch ${mark};"\`touch ${mark}\`--`;
      // One spoils all steps, so that the others are tried without it.
      for (const names of [["workspace"], ["max-warnings", "sarif-file", "fail-on"], ["base"]]) {
        const inputs = Object.fromEntries(names.map((name) => [name, text]));
        const { steps } = await runAction({
          cwd,
          kept,
          base,
          inputs: { ...inputs, test: "false" },
        });
        assert.ok([...steps.values()].some(({ status }) => status !== 0), names.join());
        assert.equal(existsSync(mark), false, names.join());
      }
    });
  },
);

/** The YAML blocks of docs/ci.md, in their order. */
function blocks() {
  const docs = readFileSync(join(REPO, "docs/ci.md"), "utf8");
  return [...docs.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = ""]) => parse(text));
}

test("the examples of docs/ci.md name hooks and inputs that there are", () => {
  const hooks = parse(readFileSync(join(REPO, ".pre-commit-hooks.yaml"), "utf8"));
  const [remote, local, ...jobs] = blocks();
  const ids = (config: { repos: { hooks: { id: string }[] }[] }) =>
    config.repos[0]?.hooks.map(({ id }) => id);
  assert.deepEqual(ids(remote), hooks.map(({ id }: { id: string }) => id));
  assert.equal(local.repos[0].hooks[0].entry, hooks[0].entry);
  const used = jobs.flatMap(({ jobs }) => jobs?.caliban.steps ?? [])
    .filter(({ uses }: { uses: string }) => uses.startsWith("example/caliban@"));
  assert.equal(used.length, 2);
  for (const { with: inputs } of used) {
    for (const name of Object.keys(inputs)) assert.ok(ACTION.inputs[name], name);
  }
  for (const { entry } of hooks) {
    assert.ok(VERBS.some(({ path }) => entry.startsWith(`caliban ${path.join(" ")}`)), entry);
  }
});

test(
  "GitLab's job of docs/ci.md passes a clean policy and fails a planted fault",
  SHELL_NEEDS,
  () =>
    withRepository({ [POLICY]: CLEAN, "a.perms.toml": TESTS }, async ({ cwd, kept, base }) => {
      const { script } = blocks().find(({ policy }) => policy !== undefined).policy;
      const words = ["bash", "-eo", "pipefail", "-c", script.join("\n")];
      const env = {
        HOME: kept,
        PATH: withCaliban(join(kept, "bin")),
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
      };
      const clean = await finish(words, { cwd, env });
      assert.equal(clean.status, 0, clean.stderr + clean.stdout);
      writeFiles(cwd, { [POLICY]: FAULTY });
      const faulty = await finish(words, { cwd, env });
      assert.equal(faulty.status, 1, faulty.stderr);
      assert.match(readFileSync(join(cwd, "reports/lint.xml"), "utf8"), /<failure message="allow /);
      assert.match(readFileSync(join(cwd, "reports/test.xml"), "utf8"), /<failure /);
      assert.match(faulty.stdout, /git push/);
    }),
);
