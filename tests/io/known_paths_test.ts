import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import {
  folderOf,
  isKnownMissing,
  type KnownPaths,
  knownRealPath,
} from "../../lib/io/runtime/real_path.ts";
import { FileError } from "../../lib/io/runtime/runtime.ts";
import { failure, type Files, linksOf } from "../support/machine.ts";
import fc from "../support/seeded.ts";
import { makeLinks } from "../support/link_tree.ts";
import { withTempDir } from "../support/temp_dir.ts";

const runtime = await chooseRuntime();

test("a path is followed to the same place with what is known of others as without", async () => {
  await withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    makeLinks(at);
    symlinkSync("loop", at("loop"));
    symlinkSync("/proc/self/cwd", at("own"));
    symlinkSync("/", at("root"));
    const names = [
      "a",
      "b",
      "c",
      "d",
      "f",
      "l",
      "..",
      ".",
      "",
      "new",
      "loop",
      "own",
      "root",
      "n\0",
    ];
    const segment = fc.constantFrom(...names, "n".repeat(300));
    const paths = fc.sample(fc.array(segment, { minLength: 1, maxLength: 6 }), 1500)
      .map((segments) => [folder, ...segments].join("/"));
    const known: KnownPaths = new Map();
    for (
      const path of ["/", "/dev/null", "/proc/self/cwd/x", "/root/x", "relative", "", ...paths]
    ) {
      assert.equal(runtime.realPath(path, known), runtime.realPath(path), path);
      if (isKnownMissing(path, known)) assert.equal(runtime.isThere(path), false, path);
    }
    // The system refuses such a path, so that it is not known if anything is there.
    const long = at(`new/${"é".repeat(2500)}`);
    assert.equal(runtime.realPath(at("new/x"), known), at("new/x"));
    assert.equal(isKnownMissing(at("new/x"), known), true);
    assert.equal(isKnownMissing(long, known), false);
    assert.throws(() => runtime.isThere(long), FileError);
  });
});

test("nothing is looked up below a folder that is known to be missing, and one name in one that is there", () => {
  const files: Files = { "/w/src/a": "", "/w/in": { link: "src" }, "/w/dead": { link: "/gone" } };
  const links = linksOf(files);
  let looks = 0;
  const calls = {
    ...links,
    lstat(path: string) {
      looks++;
      if (typeof files[path] === "object") return { isLink: true };
      if (["/w", "/w/src", "/w/src/a"].includes(path)) return { isLink: false };
      throw failure(path === "/w/closed" ? "EACCES" : "ENOENT");
    },
  };
  const known: KnownPaths = new Map();
  const table: readonly (readonly [path: string, real: string, looks: number])[] = [
    ["/w/src/a", "/w/src/a", 3],
    ["/w/src/a", "/w/src/a", 0],
    ["/w/src/new", "/w/src/new", 1],
    ["/w/no/x/y", "/w/no/x/y", 1],
    ["/w/no/x/z", "/w/no/x/z", 0],
    ["/w/in/b", "/w/src/b", 2],
    ["/w/in/c", "/w/src/c", 1],
    ["/w/dead/x", "/gone/x", 1],
    ["/w/dead/y", "/gone/y", 0],
    ["/w/closed", "/w/closed", 1],
    ["/w/closed", "/w/closed", 1],
  ];
  for (const [path, real, expected] of table) {
    looks = 0;
    assert.equal(knownRealPath(calls, path, known), real, path);
    assert.equal(looks, expected, path);
  }
  assert.equal(isKnownMissing("/w/no/x/other", known), true);
  assert.equal(isKnownMissing("/w/src/other", known), false);
  const elsewhere = { ...calls, platform: "darwin" as const };
  looks = 0;
  assert.equal(knownRealPath(elsewhere, "/w/src/a", new Map()), "/w/src/a");
  assert.equal(looks, 0);
});

test("a path has a folder by its text unless it is special or long", () => {
  assert.equal(folderOf("/a/b"), "/a");
  assert.equal(folderOf("/a"), "/");
  assert.equal(folderOf(`/a/${"b".repeat(997)}`), "/a");
  for (
    const path of [`/a/${"b".repeat(998)}`, "", "a/b", "/a//b", "/a/../b", "/a/", "/proc/a", "/a\0"]
  ) {
    assert.equal(folderOf(path), undefined, path);
  }
});
