import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { findPolicyLocation, findWorkspace } from "../../lib/io/load/policy_location.ts";
import { FileError } from "../../lib/io/runtime/runtime.ts";
import { withTempDir } from "../support/temp_dir.ts";

const runtime = await chooseRuntime();

/** Makes empty files, and folders where the path ends in a slash. */
function make(folder: string, paths: readonly string[]): void {
  for (const path of paths) {
    const at = join(folder, path);
    mkdirSync(path.endsWith("/") ? at : dirname(at), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(at, "");
  }
}

test("the workspace is the nearest folder with a policy file, else with .git, else the start", async () => {
  const cases = [
    { has: ["a/.caliban/permissions.toml", "a/b/.git/"], workspace: "a" },
    { has: ["a/.caliban/permissions.local.toml", "a/b/c/"], workspace: "a" },
    { has: ["a/.caliban/permissions.toml", "a/b/.caliban/permissions.toml"], workspace: "a/b" },
    { has: ["a/.git/", "a/b/.caliban/"], workspace: "a" },
    { has: ["a/.git", "a/b/"], workspace: "a" },
    { has: ["a/.git/", "a/b/c/.git"], workspace: "a/b/c" },
    { has: ["a/b/c/"], workspace: "a/b/c" },
  ];
  for (const { has, workspace } of cases) {
    await withTempDir((folder) => {
      make(folder, ["a/b/c/", ...has]);
      assert.equal(
        findWorkspace(runtime, join(folder, "a/b/c")),
        join(folder, workspace),
        has.join(),
      );
    });
  }
});

test("a policy file that is a link to nowhere, or a folder, still makes the workspace", async () => {
  await withTempDir((folder) => {
    make(folder, ["a/.caliban/permissions.local.toml", "a/b/.caliban/", "a/b/c/", "d/.git/"]);
    symlinkSync("nowhere", join(folder, "a/b/.caliban/permissions.toml"));
    assert.equal(findWorkspace(runtime, join(folder, "a/b/c")), join(folder, "a/b"));
    make(folder, ["d/e/.caliban/permissions.toml/", "d/e/f/"]);
    assert.equal(findWorkspace(runtime, join(folder, "d/e/f")), join(folder, "d/e"));
  });
});

test("a repository between the start and the workspace is found, but not where the workspace was named", async () => {
  const policy = "a/.caliban/permissions.toml";
  const cases = [
    { has: [policy, "a/b/c/.git/"], repository: "a/b/c" },
    { has: [policy, "a/b/.git"], repository: "a/b" },
    { has: [policy, "a/b/.git", "a/b/c/.git"], repository: "a/b/c" },
    { has: [policy, "a/.git/", ".git/"], repository: undefined },
    { has: [policy, "a/b/c/.caliban/permissions.toml", "a/b/.git/"], repository: undefined },
    { has: ["a/.git/", "a/b/.git/"], repository: undefined },
    { has: ["a/b/c/.git/"], repository: undefined },
  ];
  for (const { has, repository } of cases) {
    await withTempDir((folder) => {
      make(folder, ["a/b/c/", ...has]);
      const start = join(folder, "a/b/c");
      const expected = repository === undefined ? undefined : join(folder, repository);
      assert.equal(findPolicyLocation(runtime, { start }).repository, expected, has.join());
      const here = { ...runtime, cwd: () => start };
      assert.equal(findPolicyLocation(here, {}).repository, expected, has.join());
      assert.equal(findPolicyLocation(here, { workspace: "../.." }).repository, undefined);
    });
  }
});

test("a look-up that fails is an error, not a folder without rules", async () => {
  await withTempDir((folder) => {
    make(folder, ["a/b/"]);
    symlinkSync(".caliban", join(folder, "a/.caliban"));
    assert.throws(
      () => findWorkspace(runtime, join(folder, "a/b")),
      (error) => error instanceof FileError && error.fault === "loop",
    );
  });
});

test("a home with .. in its name is the folder that it leads to", async () => {
  await withTempDir((folder) => {
    make(folder, ["link-target/in/", "work/.git/", "link-target/home/"]);
    symlinkSync(join(folder, "link-target/in"), join(folder, "link"));
    const env = (name: string) => name === "HOME" ? `${folder}/link/../home` : undefined;
    const home = join(runtime.realPath(folder) ?? folder, "link-target/home");
    const location = findPolicyLocation({ ...runtime, env }, { workspace: join(folder, "work") });
    assert.deepEqual([location.home, location.homeReal], [home, home]);
  });
});
