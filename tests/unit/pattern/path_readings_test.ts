import assert from "node:assert/strict";
import { test } from "node:test";
import { endingFiles } from "../../../lib/pattern/path/ending_files.ts";
import { ANY_CHANGE, AS_WRITTEN, pathReadings } from "../../../lib/pattern/path/path_readings.ts";
import type { PathContext } from "../../../lib/pattern/path/call_path.ts";

test("an ordinary path has one reading", () => {
  for (const path of ["src/a.ts", "/a b/c", "../x", "[id]/page.tsx", "100%.md", "a@b", "~/x"]) {
    assert.deepEqual(pathReadings(path, ANY_CHANGE), { texts: [path], isCut: false });
  }
});

test("the first reading is the text as written, and without changes the only one", () => {
  assert.equal(pathReadings(" @x", ANY_CHANGE).texts[0], " @x");
  assert.deepEqual(pathReadings(" @x", AS_WRITTEN), { texts: [" @x"], isCut: false });
});

test("a path of too many readings, or too long a one, is cut", () => {
  for (const path of ["@".repeat(100), '"'.repeat(1000), `${" ".repeat(100_000)}x`]) {
    const { texts, isCut } = pathReadings(path, ANY_CHANGE);
    assert.ok(isCut && texts.length < 30, path.slice(0, 9));
  }
});

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "/w": ["src/", "a.ts", "link"],
  "/w/src": ["a.ts", "b.ts", "deep/"],
  "/w/src/deep": ["b.ts", "a\\c"],
};

function context(folders: Readonly<Record<string, readonly string[]>>): PathContext {
  return {
    platform: "linux",
    workspace: ["/w"],
    home: [],
    ignoreCase: false,
    listFolder: (path) =>
      folders[path.replace(/\/+$/, "")]?.map((name) => ({
        name: name.replace(/\/$/, ""),
        kind: name.endsWith("/") ? "folder" : "other",
      })) ?? null,
  };
}

const FOUND: readonly (readonly [path: string, found: readonly string[]])[] = [
  ["a.ts", []],
  ["b.ts", ["/w/src/b.ts", "/w/src/deep/b.ts"]],
  ["deep/b.ts", ["/w/src/deep/b.ts"]],
  ["\\deep/b.ts", ["/w/src/deep/b.ts"]],
  ["a\\c", ["/w/src/deep/a\\c"]],
  ["eep/b.ts", ["/w/src/deep/b.ts"]],
  ["none.ts", []],
  ["/b.ts", []],
  ["", []],
];

for (const [path, found] of FOUND) {
  test(`the files that end in ${JSON.stringify(path)}`, () => {
    assert.deepEqual(endingFiles(path, { cwd: "/w", context: context(FOLDERS) }), found);
  });
}

test("the files that end in a path are unknown without a list, and in too large a workspace", () => {
  const { listFolder: _, ...blind } = context({});
  assert.equal(endingFiles("x", { cwd: "/w", context: blind }), undefined);
  const many = Array.from({ length: 3_000 }, (_, at) => `d${at}/`);
  assert.equal(endingFiles("x", { cwd: "/w", context: context({ "/w": many }) }), undefined);
});
