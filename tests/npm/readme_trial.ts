// The lines of the README that install caliban, as printed, in a fresh clone with a fresh home: `deno task test:package`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { blocksOf } from "../support/doc_page.ts";
import { REPO } from "../support/spec_run.ts";

const work = mkdtempSync(join(tmpdir(), "caliban-readme-"));
after(() => rmSync(work, { recursive: true, force: true }));
const clone = join(work, "clone");
const home = join(work, "home");

function bash(line: string, cwd = clone): string {
  const { status, stdout, stderr } = spawnSync("bash", ["-c", line], {
    cwd,
    encoding: "utf8",
    env: {
      ...process.env,
      HOME: home,
      NO_COLOR: "1",
      npm_config_prefix: join(work, "prefix"),
      DENO_INSTALL_ROOT: join(work, "deno"),
    },
  });
  assert.ok(status !== null && status <= 2, `${line}: ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

const page = readFileSync(join(REPO, "README.md"), "utf8");
const section = page.slice(page.indexOf("\n## Install\n"), page.indexOf("\n## Thirty seconds\n"));
const [first, second] = blocksOf(section).map(({ text }) => text.trimEnd().split("\n"));

test("the main job runs in a fresh clone with npm alone, and the tests are a task of it", () => {
  mkdirSync(home);
  bash(`git clone -q '${REPO}' '${clone}'`, work);
  assert.equal(first?.length, 2);
  assert.match(bash(first![0]!), /^deny +Bash git push --force\n/);
  assert.match(first![1]!, / task test$/);
  assert.match(bash(first![1]!.replace(/ test$/, " 2>&1")), /^- test$/m);
});

test("the lines of the README put caliban on the PATH", () => {
  assert.equal(second?.length, 2);
  for (const line of second!) bash(line);
  for (const folder of ["prefix", "deno"]) {
    const program = join(work, folder, "bin/caliban");
    assert.match(bash(`'${program}' --version`), /^caliban \d+\.\d+\.\d+ \(commit /);
    assert.match(bash(`'${program}' check --no-user Bash 'git push'`), /^ask /);
  }
});
