import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { updateFiles } from "../../lib/cli/test_policy/update.ts";
import { findTestFiles, testFilesBelow } from "../../lib/io/load/find_test_files.ts";
import { findPolicyLocation } from "../../lib/io/load/policy_location.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { policyFromToml } from "../../lib/policy/sources/policy_from_toml.ts";
import { runSuite } from "../../lib/suite/run_suite.ts";
import { readTestFile } from "../../lib/suite/test_file.ts";
import { testCases } from "../../lib/suite/test_call.ts";
import { finish, HERE, start, starter, unwrapped, without } from "../support/process.ts";
import { withTempDir } from "../support/temp_dir.ts";

const runtime = await chooseRuntime();
const TEST = '[[tests]]\ncall = "Bash:git log"\nexpect = "deny"\n';

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  }
}

test("test files stand beside .caliban and anywhere below it, and nowhere else", () =>
  withTempDir((folder) => {
    assert.deepEqual(findTestFiles(folder), []);
    write(folder, {
      "b.perms.toml": "",
      "perms.toml": "",
      "sub/no.perms.toml": "",
      ".caliban/a.perms.toml": "",
      ".caliban/deep/er/a.perms.toml": "",
      ".caliban/x.perms.toml/inside.perms.toml": "",
      ".caliban/.git/no.perms.toml": "",
      ".caliban/node_modules/no.perms.toml": "",
      ".caliban/permissions.toml": "",
      "elsewhere/linked.perms.toml": "",
    });
    symlinkSync("..", join(folder, ".caliban/loop"));
    symlinkSync("../elsewhere/linked.perms.toml", join(folder, ".caliban/z.perms.toml"));
    assert.deepEqual(findTestFiles(folder).map((path) => path.slice(folder.length + 1)), [
      ".caliban/a.perms.toml",
      ".caliban/deep/er/a.perms.toml",
      ".caliban/x.perms.toml/inside.perms.toml",
      ".caliban/z.perms.toml",
      "b.perms.toml",
    ]);
    const below = testFilesBelow(join(folder, "sub"));
    assert.deepEqual(below, [join(folder, "sub/no.perms.toml")]);
  }));

test("a folder that cannot be read is an error, and no folder without tests", () =>
  withTempDir((folder) => {
    write(folder, { ".caliban": "a file" });
    assert.deepEqual(findTestFiles(folder), []);
    assert.throws(() => testFilesBelow(join(folder, "missing")), { fault: "not-found" });
  }));

function outcomesOf(text: string, path: string) {
  const policy = policyFromToml(
    '[[permissions.rules]]\npattern = "Bash:git *"\naction = "allow"\n',
  );
  const reading = { profiles: policy.profiles, workspace: "/ws", platform: "linux" } as const;
  const { file } = readTestFile(text, path);
  const { cases } = testCases([file], reading);
  return runSuite(policy, cases, { reading, now: 0, examples: "left out" }).cases;
}

function writingIn(folder: string) {
  const location = findPolicyLocation(runtime, { workspace: folder });
  return { within: () => folder, location, runtime };
}

test("an update keeps byte order mark, line ends, links and the mode of a file", () =>
  withTempDir(async (folder) => {
    const text = `\ufeff${TEST.replaceAll("\n", "\r\n")}`;
    write(folder, { "real/a.toml": text });
    chmodSync(join(folder, "real/a.toml"), 0o640);
    const path = join(folder, "a.perms.toml");
    symlinkSync("real/a.toml", path);
    const changes = await updateFiles(outcomesOf(text, path), writingIn(folder));
    assert.deepEqual(changes.map(({ from, to, loosened }) => [from, to, loosened]), [
      ["deny", "allow", true],
    ]);
    assert.equal(readFileSync(path, "utf8"), text.replace("deny", "allow"));
    assert.equal(readFileSync(join(folder, "real/a.toml"), "utf8"), readFileSync(path, "utf8"));
  }));

test("a file that changed since its tests ran is not updated", () =>
  withTempDir(async (folder) => {
    const path = join(folder, "a.perms.toml");
    write(folder, { "a.perms.toml": `# another line\n${TEST}` });
    await assert.rejects(
      updateFiles(outcomesOf(TEST, path), writingIn(folder)),
      /changed while its tests ran/,
    );
    assert.equal(readFileSync(path, "utf8"), `# another line\n${TEST}`);
    rmSync(path);
    await assert.rejects(
      updateFiles(outcomesOf(TEST, path), writingIn(folder)),
      /changed while its tests ran/,
    );
    assert.deepEqual(testFilesBelow(folder), []);
  }));

/** Starts `test --watch` and answers what it printed since it was last asked, once that fits. */
function watching(folder: string) {
  const words = [...starter(HERE, ["read", "env"]), "perms", "test", "--watch"];
  const child = start(words, { cwd: folder, env: { HOME: folder } });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => printed += text);
  }
  return {
    async next(form: RegExp): Promise<string> {
      const until = Date.now() + 20_000;
      while (!form.test(printed) || !printed.includes("Waiting")) {
        assert.ok(Date.now() < until, printed);
        await new Promise((go) => setTimeout(go, 30));
      }
      const text = printed;
      printed = "";
      return text;
    },
    kill: () => child.kill("SIGKILL"),
  };
}

test("--watch runs again for a changed, broken, mended, new and removed file", {
  skip: without(HERE),
}, () =>
  withTempDir(async (folder) => {
    const rule = (action: string) =>
      `[[permissions.rules]]\npattern = "Bash:git *"\naction = "${action}"\n`;
    write(folder, { ".caliban/permissions.toml": rule("allow"), "a.perms.toml": TEST });
    const watched = watching(folder);
    try {
      const first = await watched.next(/1 failed/);
      assert.ok(!first.includes("\x1b"), "no terminal, no escapes");
      write(folder, { ".caliban/permissions.toml": rule("deny") });
      await watched.next(/1 passed/);
      write(folder, { "a.perms.toml": "broken" });
      await watched.next(/error: Cannot read the file as TOML/);
      write(folder, { "a.perms.toml": TEST });
      await watched.next(/1 passed/);
      write(folder, { ".caliban/new/b.perms.toml": TEST });
      await watched.next(/2 passed/);
      rmSync(join(folder, "a.perms.toml"));
      await watched.next(/1 passed/);
      write(folder, { ".caliban/permissions.toml": "x" });
      await watched.next(/permissions.toml:1:/);
    } finally {
      watched.kill();
    }
  }));

test("an update that leaves a failure ends in 1, though the lock's library was loaded", {
  skip: without(HERE),
}, () =>
  withTempDir(async (folder) => {
    write(folder, { "a.perms.toml": `${TEST}rule = "Bash:x"\n` });
    const words = [...starter(HERE), "perms", "test", "--update"];
    const { status, stdout } = await finish(words, { cwd: folder, env: { HOME: folder } });
    assert.equal(status, 1, stdout);
    assert.equal(readFileSync(join(folder, "a.perms.toml"), "utf8").includes('"ask"'), true);
  }));

test(
  "an update without --allow-write says so and changes nothing",
  { skip: without("deno") },
  () =>
    withTempDir(async (folder) => {
      write(folder, { "a.perms.toml": TEST });
      const words = [...starter("deno", ["read", "env"]), "perms", "test", "--update"];
      const { status, stderr } = await finish(words, { cwd: folder, env: { HOME: folder } });
      assert.equal(status, 64);
      assert.match(
        unwrapped(stderr),
        /^error: Cannot write ".*": run with --allow-read --allow-write/,
      );
      assert.equal(readFileSync(join(folder, "a.perms.toml"), "utf8"), TEST);
    }),
);
