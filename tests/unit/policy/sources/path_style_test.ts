import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../support/seeded.ts";
import { ancestors, pathStyle } from "../../../../lib/policy/sources/path_style.ts";

const segment = fc.string({ minLength: 1, maxLength: 5 })
  .filter((text) => !/[\\/\0:]/.test(text) && text !== "." && text !== "..");

test("ancestors go from the folder to the root, on every platform", () => {
  const cases = [
    { dir: "/a/b", platform: "linux", expected: ["/a/b", "/a", "/"] },
    { dir: "/a//b/./", platform: "darwin", expected: ["/a/b", "/a", "/"] },
    { dir: "/", platform: "linux", expected: ["/"] },
    { dir: "C:\\a\\b", platform: "windows", expected: ["C:\\a\\b", "C:\\a", "C:\\"] },
    { dir: "c:/a", platform: "windows", expected: ["c:\\a", "c:\\"] },
    {
      dir: "\\\\host\\share\\a",
      platform: "windows",
      expected: ["\\\\host\\share\\a", "\\\\host\\share\\"],
    },
    { dir: "\\\\host\\share", platform: "windows", expected: ["\\\\host\\share\\"] },
  ] as const;
  for (const { dir, platform, expected } of cases) {
    assert.deepEqual(ancestors(dir, platform), expected, dir);
  }
});

test("a name is joined to a folder as if that were taken apart", () => {
  const style = pathStyle("linux");
  for (
    const folder of [
      "/",
      "/a",
      "/a/b",
      "/a/",
      "/a//b",
      "/a/./b",
      "/a/.",
      "//a",
      "/.a",
      "/a.",
      "/a/..",
      "a/b",
      "",
      ".",
    ]
  ) {
    const { root, segments } = style.split(folder);
    for (const more of [[], ["c"], ["c", "d"], [".."]]) {
      const expected = style.build({ root, segments: [...segments, ...more] });
      assert.equal(style.join(folder, ...more), expected, `${folder} ${more}`);
    }
  }
});

test("ancestors refuse what only the file system could resolve", () => {
  assert.throws(() => ancestors("a/b", "linux"), RangeError);
  assert.throws(() => ancestors("/a/../b", "linux"), RangeError);
  assert.throws(() => ancestors("/a", "windows"), RangeError);
});

test("each ancestor is the folder above the one before", () => {
  fc.assert(fc.property(fc.array(segment, { maxLength: 8 }), (segments) => {
    const folders = ancestors("/" + segments.join("/"), "linux");
    assert.equal(folders.length, segments.length + 1);
    assert.equal(folders.at(-1), "/");
    folders.slice(1).forEach((above, index) => {
      assert.equal(pathStyle("linux").join(above, segments.at(-1 - index) ?? ""), folders[index]);
    });
  }));
});

test("building what was split gives the same path again", () => {
  fc.assert(
    fc.property(fc.array(segment), fc.constantFrom("linux", "windows"), (segments, platform) => {
      const style = pathStyle(platform);
      const path = style.build({ root: platform === "linux" ? "/" : "C:\\", segments });
      assert.deepEqual(style.split(path).segments, segments);
      assert.equal(style.build(style.split(path)), path);
    }),
  );
});

test("a relative path means what it means in the folder", () => {
  const posix = pathStyle("linux");
  assert.equal(posix.absolute("x/y", "/a"), "/a/x/y");
  assert.equal(posix.absolute("../y", "/a"), "/a/../y");
  assert.equal(posix.absolute("/y", "/a"), "/y");
  assert.equal(posix.absolute("", "/a"), "/a");
  const windows = pathStyle("windows");
  assert.equal(windows.absolute("x/y", "D:\\a"), "D:\\a\\x\\y");
  assert.equal(windows.absolute("\\y", "D:\\a"), "D:\\y");
  assert.equal(windows.absolute("C:/y", "D:\\a"), "C:\\y");
});
