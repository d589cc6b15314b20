import assert from "node:assert/strict";
import { test } from "node:test";
import defaults from "../../../defaults/tools.json" with { type: "json" };
import {
  keyMeaning,
  keyWords,
  meaningBelow,
  namesNothingFurther,
  NOTHING,
} from "../../../lib/decide/named_keys.ts";

const { keys } = defaults;

test("a word of the tables names what its list says", () => {
  const certain = { file: keys.files, url: keys.urls, command: keys.commands };
  const possible = { file: keys.may_files, url: keys.may_urls, command: keys.may_commands };
  for (const kind of ["file", "url", "command"] as const) {
    for (const word of certain[kind]) assert.ok(keyMeaning(word)?.names.has(kind), word);
    for (const word of possible[kind]) {
      const { names, mayName } = keyMeaning(word)!;
      assert.ok(names.has(kind) || mayName.has(kind), word);
    }
  }
  for (const word of keys.folders) assert.ok(keyMeaning(word)?.isFolder, word);
  for (const word of keys.arguments) assert.ok(keyMeaning(word)?.isArguments, word);
});

test("words that are written together may name what their ending says, and nothing else", () => {
  const endings = {
    file: "path paths file files filename fname dir directory folder",
    url: "url urls uri",
    command: "command cmd cmdline commandline script",
  };
  for (const [kind, list] of Object.entries(endings)) {
    for (const ending of list.split(" ")) {
      const { names, mayName, isFolder, isArguments } = keyMeaning(`zz${ending}`)!;
      assert.deepEqual([[...names], [...mayName], isArguments], [[], [kind], false], ending);
      assert.equal(isFolder, /^(?:dir|directory|folder)$/.test(ending), ending);
    }
  }
  assert.equal(keyMeaning("zz"), undefined);
});

test("a key has the words of every way to join them, in lower case", () => {
  assert.deepEqual(keyWords("filePath"), ["file", "path", "filepath"]);
  assert.deepEqual(keyWords("file-NAME_2"), ["file", "name"]);
  assert.deepEqual(keyWords("URLs"), ["urls"]);
  assert.deepEqual(keyWords("\u{fb01}lePath"), ["file", "path", "filepath"]);
  assert.deepEqual(keyWords("fi\u{200b}le"), ["file"]);
  assert.deepEqual(keyWords("ÉtatPath"), ["état", "path", "étatpath"]);
});

test("what is below a key may name what the keys above it name", () => {
  const own = keyMeaning("zzcmd")!;
  const below = { ...NOTHING, mayName: new Set(["file"] as const) };
  const { names, mayName } = meaningBelow(below, { own, isContent: false });
  assert.deepEqual([[...names], [...mayName].toSorted()], [[], ["command", "file"]]);
  assert.equal(meaningBelow(NOTHING, { own, isContent: false }).mayName, own.mayName);
});

test("an input of few plain values under other keys names nothing further", () => {
  const plain = (value: unknown, described: readonly string[] = []) =>
    namesNothingFurther({ zz: value as string }, new Set(described));
  for (const value of ["", "_a", "a{", "z", "A", "Z", "0", "9", 5, true, null]) {
    assert.ok(plain(value), String(value));
  }
  for (const value of [..." /:;@[`{|~é", {}, [], ["a"]]) assert.ok(!plain(value), String(value));
  assert.ok(plain("{", ["zz"]) && !plain({}, ["zz"]));
  assert.ok(!namesNothingFurther({ path: "a" }, new Set()));
  assert.ok(namesNothingFurther({ path: "a" }, new Set(["path"])));
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_key, at) => [`zz${at}`, "a"]));
  assert.ok(namesNothingFurther(many(32), new Set()));
  assert.ok(!namesNothingFurther(many(33), new Set()));
});
