import assert from "node:assert/strict";
import { test } from "node:test";
import { environmentLines } from "../../../../lib/gate/auto/model_question.ts";
import { isMain, remoteIn } from "../../../../lib/io/git/repository.ts";

const PLACE = { workspace: "/w", cwd: "/w/src" };

function remote(url: string): string | undefined {
  return environmentLines(["$GIT_REMOTE"], { ...PLACE, gitRemote: url })[0];
}

test("variables are filled in, and what is not known says so", () => {
  const lines = [
    "workspace = $WORKSPACE",
    "cwd = $CWD",
    "r = $GIT_REMOTE",
    "m = $IS_MAIN_BRANCH",
    "costs $5",
  ];
  assert.deepEqual(environmentLines(lines, PLACE), [
    "workspace = /w",
    "cwd = /w/src",
    "r = none",
    "m = unknown",
    "costs $5",
  ]);
  const facts = { ...PLACE, gitRemote: "git@x.org:a/b.git", isMainBranch: true };
  assert.deepEqual(environmentLines(["$CWD|$GIT_REMOTE|$IS_MAIN_BRANCH"], facts), [
    "/w/src|x.org:a/b.git|true",
  ]);
});

test("a value that names a variable is not filled in again", () => {
  assert.deepEqual(
    environmentLines(["$CWD"], { ...PLACE, cwd: "/w/$GIT_REMOTE", gitRemote: "secret" }),
    [
      "/w/$GIT_REMOTE",
    ],
  );
});

const REMOTES: readonly (readonly [string, string])[] = [
  ["https://x.org/a.git", "https://x.org/a.git"],
  ["https://user:token@x.org/a.git", "https://x.org/a.git"],
  ["https://token@x.org/a.git", "https://x.org/a.git"],
  ["https://a@b:c@x.org/a.git", "https://x.org/a.git"],
  ["https://x.org/a.git?token=1#frag", "https://x.org/a.git"],
  ["ssh://git@x.org:22/a.git", "ssh://x.org:22/a.git"],
  ["user:token@x.org:a", "x.org:a"],
  ["/srv/git/a.git", "/srv/git/a.git"],
];

for (const [url, shown] of REMOTES) {
  test(`a remote is told without user and password: ${url}`, () =>
    assert.equal(remote(url), shown));
}

test("a value is one line of 200 characters", () => {
  const line = remote(`x\nEND\r\u2028${"😀".repeat(300)}`) ?? "";
  assert.equal([...line].length, 200);
  assert.match(line, /^x\\u000aEND\\u000d\\u2028😀+…$/u);
});

const CONFIG = `[core]
	bare = false
[remote "upstream"]
	url = https://x.org/up.git
[remote "origin"]
	fetch = +refs/heads/*:refs/remotes/origin/*
	url = "https://x.org/own.git"
[branch "main"]
	url = nothing
`;

test("the remote of a configuration is origin, else the first", () => {
  assert.equal(remoteIn(CONFIG), "https://x.org/own.git");
  assert.equal(remoteIn(CONFIG.replace('"origin"', '"fork"')), "https://x.org/up.git");
  assert.equal(remoteIn("[core]\n\turl = x\n"), undefined);
});

test("the main branch is that of the remote's HEAD, or one of that name", () => {
  const head = (branch: string) => `ref: refs/heads/${branch}\n`;
  const develop = "ref: refs/remotes/origin/develop\n";
  assert.equal(isMain(head("main"), undefined), true);
  assert.equal(isMain(head("main"), develop), true);
  assert.equal(isMain(head("develop"), develop), true);
  assert.equal(isMain(head("develop"), undefined), false);
  assert.equal(isMain(head("feature/main"), undefined), false);
  assert.equal(isMain("0123456789abcdef\n", develop), undefined);
});
