import assert from "node:assert/strict";
import { test } from "node:test";
import { ANY_NAME, DEEP, expandShellGlob } from "../../../lib/pattern/path/shell_glob.ts";
import { filesOf } from "../../support/files_of.ts";

const FILES = [
  "a.txt",
  ".hidden",
  "src/b.txt",
  "src/deep/c.txt",
  "src/.git/d.txt",
  "link->/work/src",
  "src/up->/work/other",
  "other/e.txt",
  "file_link->/work/a.txt",
];

function namesIn(paths: readonly string[], glob: string): readonly string[] | undefined {
  const found = expandShellGlob("/work", glob, filesOf(paths).listFolder);
  return found?.map((path) => path.slice("/work/".length)).toSorted();
}

const TABLE: readonly (readonly [glob: string, names: readonly string[] | undefined])[] = [
  ["*.txt", ["a.txt"]],
  [".h*", [".hidden"]],
  ["*", ["a.txt", "file_link", "link", "other", "src"]],
  [ANY_NAME, [".hidden", "a.txt", "file_link", "link", "other", "src"]],
  ["*/*.txt", ["link/b.txt", "other/e.txt", "src/b.txt"]],
  // A link to a file is entered by none, one to a folder at the first level only.
  ["**/*.txt", [
    "a.txt",
    "link/b.txt",
    "link/deep/c.txt",
    "other/e.txt",
    "src/b.txt",
    "src/deep/c.txt",
  ]],
  [`${DEEP}*.txt`, ["a.txt", "other/e.txt", "src/.git/d.txt", "src/b.txt", "src/deep/c.txt"]],
  ["src/**", ["src/b.txt", "src/deep", "src/deep/c.txt", "src/up", "src/up/e.txt"]],
  [".*/x", undefined],
  ["none/*", []],
];

test("a glob names what a shell names, and links are entered where a shell enters them", () => {
  for (const [glob, names] of TABLE) assert.deepEqual(namesIn(FILES, glob), names, glob);
});

const many = (count: number, name = "f") =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

test("more than 1000 names, 5000 entries or 64 levels are not looked at", () => {
  assert.equal(namesIn(many(1000), "f*")?.length, 1000);
  assert.equal(namesIn(many(1001), "f*"), undefined);
  assert.deepEqual(namesIn(many(4999), "g*"), []);
  assert.equal(namesIn(many(5000), "g*"), undefined);
  const chain = (depth: number) => `${"d/".repeat(depth)}x`;
  assert.equal(namesIn([chain(64)], "**/x")?.length, 1);
  assert.equal(namesIn([chain(65)], "**/x"), undefined);
  assert.equal(namesIn([chain(63)], `${"*/".repeat(63)}x`)?.length, 1);
  assert.equal(namesIn([chain(64)], `${"*/".repeat(64)}x`), undefined);
});
