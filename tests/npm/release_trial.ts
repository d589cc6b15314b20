// The programs of a release, as far as they can be made and started here: `deno task test:package`. Bun for this platform comes from npm.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import {
  programName,
  releaseInto,
  writePrograms,
  writeSums,
} from "../../scripts/release/release_into.ts";
import { RUNTIME_VERSION, TARGETS } from "../../scripts/release/targets.ts";
import { REPO } from "../support/spec_run.ts";

const work = mkdtempSync(join(tmpdir(), "caliban-release-trial-"));
after(() => rmSync(work, { recursive: true, force: true }));

const PLATFORMS: Readonly<Record<string, string>> = { darwin: "macos", win32: "windows" };
const here = `${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
const own = TARGETS.find(({ name }) => name === here);

test("Bun becomes the program in the version that CI and the README name", () => {
  assert.match(
    readFileSync(join(REPO, ".ci/run"), "utf8"),
    new RegExp(`^BUN=${RUNTIME_VERSION}$`, "m"),
  );
});

test("the program of this platform starts, and one whose Bun is another one is not made", {
  skip: own === undefined && `no release is made for ${here}`,
}, () => {
  const strange = { ...own!, name: "strange", sha512: "x" };
  const missing = writePrograms(work, [own!, strange]);
  writeSums(work);
  assert.deepEqual([...missing.keys()], ["strange"]);
  assert.match(missing.get("strange")!, /its SHA-512 is [\w+/]{86}==/);
  const name = programName(own!);
  assert.deepEqual(readdirSync(work).toSorted(), ["SHA256SUMS", name]);
  const hash = createHash("sha256").update(readFileSync(join(work, name))).digest("hex");
  assert.equal(readFileSync(join(work, "SHA256SUMS"), "utf8"), `${hash}  ${name}\n`);
  const home = join(work, "home");
  mkdirSync(home);
  const line = ["check", "Bash", "ls", "--deny=Bash(ls:*)"];
  const said = spawnSync(join(work, name), line, {
    cwd: home,
    env: { HOME: home },
    encoding: "utf8",
  });
  assert.deepEqual([said.status, said.stdout.slice(0, 4), said.stderr], [1, "deny", ""]);
});

test("a folder with other files is not replaced by a release", async () => {
  const folder = join(work, "mine");
  mkdirSync(folder);
  writeFileSync(join(folder, "mine.txt"), "");
  await assert.rejects(
    releaseInto(folder, []),
    /Cannot write the release .*"mine\.txt"; name an empty folder/,
  );
  assert.deepEqual(readdirSync(folder), ["mine.txt"]);
});
