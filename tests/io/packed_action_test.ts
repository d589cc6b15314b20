// Needs --allow-net=127.0.0.1: the API of GitHub is a real HTTP server in this process.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { packProgram } from "../../scripts/pack/pack_into.ts";
import { type ActionEnd, obeyed, runAction } from "../support/action.ts";
import { type GithubApi, type Refusal, TOKEN, withGithubApi } from "../support/github_api.ts";
import { commitAll, git, lacks, writeFiles } from "../support/git_scene.ts";
import { finish, said, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const POLICY = ".caliban/permissions.toml";
const OLD = '[permissions]\nask = ["Bash(git push:*)"]\ndeny = ["Read(**/.env)"]\n';
const LOOSE = '[permissions]\nallow = ["Bash(git push:*)"]\ndeny = ["Read(**/.env)"]\n';

const NEEDS = {
  timeout: 300_000,
  skip: said(lacks("bash") || lacks("git") || lacks("node") || without("deno") || without("bun")),
};

const folder = mkdtempSync(join(tmpdir(), "caliban-packed-"));
after(() => rmSync(folder, { recursive: true, force: true }));

let packed: string | undefined;

/** The folder of the package as a tag has it: what of it is started. */
function thePackage(): string {
  if (packed !== undefined) return packed;
  packed = join(folder, "package");
  mkdirSync(packed);
  packProgram(packed);
  return packed;
}

interface Scene {
  readonly api: GithubApi;
  /** The checkout of the pull request. */
  readonly cwd: string;
  readonly kept: string;
  /** Runs the action on a policy, in the pull request or with other inputs. */
  readonly on: (
    policy: string,
    more?: {
      readonly inputs?: Record<string, string>;
      readonly token?: string;
      readonly action?: string;
    },
  ) => Promise<ActionEnd>;
}

/** A pull request, whose base is a commit of a git server, and the API that has its comments. */
function withPullRequest(use: (scene: Scene) => Promise<void>): Promise<void> {
  return withTempDir((temp) =>
    withGithubApi((api) => {
      const [origin, cwd, kept] = ["origin", "checkout", "kept"].map((name) =>
        join(temp, name)
      ) as [
        string,
        string,
        string,
      ];
      writeFiles(origin, { [POLICY]: OLD });
      const base = commitAll(origin);
      git(origin, "config", "uploadpack.allowAnySHA1InWant", "true");
      writeFiles(origin, { "README.md": "changed\n" });
      commitAll(origin);
      git(temp, "clone", "--quiet", "--depth=1", `file://${origin}`, cwd);
      mkdirSync(kept);
      const on: Scene["on"] = (
        policy,
        { inputs = {}, token = TOKEN, action = thePackage() } = {},
      ) => {
        writeFileSync(join(cwd, POLICY), policy);
        const pull = { number: "7", api: api.url, token };
        return runAction({
          cwd,
          kept,
          base,
          action,
          inputs: { lint: "false", ...inputs },
          pull,
        });
      };
      return use({ api, cwd, kept, on });
    })
  );
}

function toldBy(end: ActionEnd): string {
  const { status, stdout, stderr } = end.steps.get("Comment")!;
  assert.equal(status, 0, stdout + stderr);
  assert.equal(stderr, "");
  return stdout;
}

const ROW =
  /^\| ⚠️ \*\*loosened\*\* \| <code>Bash\(git push:&#42;\)<\/code><br><code>\.caliban\/permissions\.toml:2:10<\/code> \| ask \| allow \| <code>caliban check Bash 'git push'<\/code> \|$/m;

test(
  "the packed action keeps one comment of a pull request up to date",
  NEEDS,
  () =>
    withPullRequest(async ({ api, on }) => {
      const same = await on(OLD);
      assert.deepEqual([...same.steps.keys()], ["Program", "Test", "Diff", "Comment"]);
      assert.equal(same.steps.get("Test")!.stdout.match(/^no tests$/gm)?.length, 1);
      assert.equal(toldBy(same), "No comment is needed\n");
      assert.equal(api.comments.length, 0);

      const loose = await on(LOOSE);
      assert.equal(toldBy(loose), "Created the comment\n");
      const [comment] = api.comments;
      assert.match(
        comment!.body,
        /^<!-- caliban-action [0-9a-f]{16} -->\n### Policy: 1 loosened\n/,
      );
      assert.match(comment!.body, ROW);
      assert.match(comment!.body, /<code>git:[0-9a-f]{10}<\/code> → /);
      assert.match(loose.summary, ROW);
      assert.deepEqual(
        obeyed(loose.steps.get("Diff")!.stdout).map((each) => each.split(",")[0]),
        ["::notice file=.caliban/permissions.toml"],
      );
      assert.equal(toldBy(await on(LOOSE)), "The comment is up to date\n");

      api.comments[0]!.body = comment!.body.replaceAll("\n", "\r\n");
      assert.equal(toldBy(await on(LOOSE)), "The comment is up to date\n");
      assert.equal(toldBy(await on(OLD)), "Updated the comment\n");
      assert.equal(api.comments.length, 1);
      assert.match(api.comments[0]!.body, /### Policy: no/);
      const failed = await on(LOOSE, { inputs: { workspace: "missing" } });
      assert.notEqual(failed.steps.get("Diff")!.status, 0);
      assert.equal(toldBy(failed), "There is no comparison to write about\n");
      assert.deepEqual(
        [...new Set(api.requests.map((each) => each.split("?")[0]))],
        [
          "GET /repos/owner/name/issues/7/comments",
          "POST /repos/owner/name/issues/7/comments",
          "PATCH /repos/owner/name/issues/comments/1",
        ],
      );
    }),
);

test(
  "the comment is found on a later page, and one of somebody else is not taken for it",
  NEEDS,
  () =>
    withPullRequest(async ({ api, on }) => {
      await on(LOOSE);
      const { body } = api.comments.pop()!;
      for (let id = 1; id <= 250; id++) {
        api.comments.push({ id, user: { login: "github-actions[bot]" }, body: `other\n${body}` });
      }
      api.comments[3]!.body = "";
      api.comments.push({ id: 300, user: { login: "mallory" }, body });
      api.comments.push({ id: 301, user: { login: "github-actions[bot]" }, body });
      assert.equal(toldBy(await on(OLD)), "Updated the comment\n");
      const changed = api.comments.filter(({ body }) =>
        body.includes("no call is decided") || /### Policy: no/.test(body)
      );
      assert.deepEqual(changed.map(({ id }) => id), [301]);
      assert.equal(api.requests.filter((each) => each.startsWith("GET")).length, 1 + 3);
    }),
);

test(
  "without a token that may write, the summary has one sentence more",
  NEEDS,
  () =>
    withPullRequest(async ({ api, kept, on }) => {
      api.readOnly.is = true;
      const end = await on(LOOSE, { inputs: { test: "false" } });
      const sentence = toldBy(end);
      assert.match(sentence, /^No comment on the pull request: the token may not write one, as in/);
      assert.match(end.summary, ROW);
      assert.ok(end.summary.endsWith(`\n\n${sentence}`), end.summary);
      api.readOnly.is = false;

      const alone = async (token = TOKEN) => {
        const env = { TOKEN: token, NUMBER: "7", WORKSPACE: ".", AUTHOR: "github-actions[bot]" };
        const [report, summary] = ["caliban-diff.md", "summary.md"].map((name) =>
          join(kept, name)
        ) as [
          string,
          string,
        ];
        const place = { GITHUB_API_URL: api.url, GITHUB_REPOSITORY: "owner/name", REPORT: report };
        const words = ["node", join(thePackage(), "action/comment.js")];
        const { status, stdout } = await finish(words, {
          cwd: kept,
          env: { ...env, ...place, GITHUB_STEP_SUMMARY: summary },
        });
        assert.equal(status, 0);
        return stdout.replace("No comment on the pull request: ", "").trim();
      };
      assert.equal(await alone(""), "there is no token.");
      assert.equal(await alone("wrong"), "the API does not know the token.");
      const limits = "the API limits the requests of this token for now.";
      const later = `${Math.ceil(Date.now() / 1000) + 3000}`;
      const refusals: readonly (readonly [Refusal, string])[] = [
        [
          { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": later } },
          limits,
        ],
        [{ status: 429, headers: { "retry-after": "3600" } }, limits],
        [{ status: 429 }, limits],
        [{ status: 502 }, "the API answered 502."],
        [{ status: 302, headers: { location: api.url } }, "the API cannot be reached."],
      ];
      for (const [refusal, says] of refusals) {
        api.refusals.push(refusal);
        assert.equal(await alone(), says);
      }
      assert.equal(api.comments.length, 0);
      api.refusals.push({ status: 403, headers: { "retry-after": "1" } });
      assert.equal(await alone(), "Created the comment");
    }),
);

test(
  "a policy of a pull request writes nothing but text into the comment",
  NEEDS,
  () =>
    withPullRequest(async ({ api, cwd, kept, on }) => {
      const hostile =
        "Bash(x </code> | `a` \\| <!-- caliban-action --> @team #1 https://a.example www.a.example ::error::a *)";
      const policy = `[[permissions.rules]]\npattern = ${
        JSON.stringify(hostile)
      }\naction = "allow"\ncomment = "@team"\n`;
      const mark = join(kept, "RAN");
      const end = await on(policy + `# $(touch ${mark})\n`, {
        inputs: { "comment-author": `$(touch ${mark})` },
      });
      assert.equal(toldBy(end), "Created the comment\n");
      const rows = api.comments[0]!.body.split("\n").filter((line) => line.startsWith("| "));
      assert.ok(rows.length >= 3, api.comments[0]!.body);
      for (const row of rows) {
        assert.equal(row.split("|").length, 7, row);
        const text = row.replaceAll(/<\/?code>|<br>|&#\d+;|\*\*loosened\*\*/g, "").replaceAll(
          "|",
          "",
        );
        assert.doesNotMatch(text, /[<>`*@#\\&]|:\/\/|www/, row);
      }
      for (const { stdout } of end.steps.values()) {
        for (const command of obeyed(stdout)) assert.match(command, /^::notice (?:file|title)=/);
      }
      assert.equal(git(cwd, "status", "--porcelain"), `M ${POLICY}`);
      assert.equal(existsSync(mark), false);
    }),
);

test(
  "later steps have caliban on the PATH",
  NEEDS,
  () =>
    withPullRequest(async ({ cwd, kept, on }) => {
      const { path } = await on(OLD, { inputs: { diff: "false", test: "false" } });
      const env = { PATH: path, HOME: kept };
      const { status, stdout } = await finish(["caliban", "check", "Bash", "git push"], {
        cwd,
        env,
      });
      assert.equal(status, 2);
      assert.match(stdout, /^ask {4}Bash git push$/m);
    }),
);

const rule = (pattern: string, action: string) =>
  `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n\n`;
const CLEAN = rule("Bash(git push:*)", "ask") + rule("Read(**/.env)", "deny");
const FAULTY = rule("Bash:git*", "allow") + CLEAN;

test(
  "pre-commit installs the package as a tag has it, stops a planted fault and passes a clean commit without tests",
  { ...NEEDS, skip: said(NEEDS.skip || lacks("pre-commit") || lacks("npm")) },
  () =>
    withTempDir(async (temp) => {
      const [hooks, cwd] = [join(temp, "hooks"), join(temp, "checkout")];
      cpSync(thePackage(), hooks, { recursive: true });
      const rev = commitAll(hooks);
      const ids = ["caliban-lint", "caliban-test"].map((id) => `      - id: ${id}\n`).join("");
      writeFiles(cwd, {
        ".pre-commit-config.yaml":
          `repos:\n  - repo: ${hooks}\n    rev: ${rev}\n    hooks:\n${ids}`,
      });
      commitAll(cwd);
      const names = [
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
      ];
      const env = {
        HOME: temp,
        PRE_COMMIT_HOME: join(temp, "cache"),
        ...Object.fromEntries(names.map((name) => [name, "a@example.org"])),
      };
      assert.equal((await finish(["pre-commit", "install"], { cwd, env })).status, 0);
      const commit = async (files: Readonly<Record<string, string>>) => {
        writeFiles(cwd, files);
        git(cwd, "add", "--all");
        return await finish(["git", "commit", "--message=x"], { cwd, env });
      };

      const clean = await commit({ [POLICY]: CLEAN });
      assert.equal(clean.status, 0, clean.stderr + clean.stdout);
      assert.match(clean.stderr, /caliban perms lint\.+Passed/);
      assert.match(clean.stderr, /caliban perms test\.+Passed/);
      const wrong = '[[tests]]\ncall = "Bash:git push"\nexpect = "deny"\n';
      const faulty = await commit({ [POLICY]: FAULTY, "a.perms.toml": wrong });
      assert.equal(faulty.status, 1, faulty.stderr);
      assert.match(faulty.stderr, /caliban perms lint\.+Failed/);
      assert.match(faulty.stderr, /caliban perms test\.+Failed/);
      assert.match(faulty.stderr, /permissions\.toml:\d+:11: warning leaky-prefix/);
      const tested = await commit({
        [POLICY]: CLEAN,
        "a.perms.toml": wrong.replace("deny", "ask"),
      });
      assert.equal(tested.status, 0, tested.stderr);
      const other = await commit({ "README.md": "y\n" });
      assert.equal(other.status, 0, other.stderr);
      assert.match(other.stderr, /caliban perms lint\.+\(no files to check\)Skipped/);
    }),
);

test(
  "the action of the source writes the same comment",
  NEEDS,
  () =>
    withPullRequest(async ({ api, on }) => {
      const end = await on(LOOSE, { inputs: { test: "false" }, action: REPO });
      assert.deepEqual([...end.steps.keys()], ["Program", "Install", "Diff", "Comment"]);
      assert.equal(toldBy(end), "Created the comment\n");
      assert.match(api.comments[0]!.body, ROW);
    }),
);
