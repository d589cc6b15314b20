import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { parse, stringify } from "smol-toml";
import type { TomlNode } from "../../../lib/text/toml_node.ts";
import { parseToml } from "../../../lib/text/toml_tree.ts";

/** The members of a table by name: an object does not keep the order of keys such as "0". */
function sorted(members: readonly (readonly [string, unknown])[]): unknown {
  return members.toSorted(([a], [b]) => a < b ? -1 : 1);
}

/** The values of a node alone. */
function plain(node: TomlNode): unknown {
  switch (node.type) {
    case "table":
      return sorted([...node.members].map(([name, member]) => [name, plain(member.value)]));
    case "array":
      return node.elements.map(plain);
    case "string":
    case "boolean":
    case "number":
    case "date-time":
      return node.value;
  }
}

/** The same of what smol-toml read. */
function entries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(entries);
  if (typeof value !== "object" || value === null) return value;
  return sorted(Object.entries(value).map(([name, member]) => [name, entries(member)]));
}

test("tables, dotted keys and arrays of tables meet in one tree, in the order of the text", () => {
  const text = "a.b = 1\n[x.y]\nz = true\n[[l]]\nk = 'v'\n[l.m]\nn = [1, { o = 2 }]\n[[l]]\n[x]\n";
  const { root, problems } = parseToml(text);
  assert.deepEqual(problems, []);
  assert.deepEqual(plain(root), [
    ["a", [["b", 1]]],
    ["l", [[["k", "v"], ["m", [["n", [1, [["o", 2]]]]]]], []]],
    ["x", [["y", [["z", true]]]]],
  ]);
  assert.deepEqual([...root.members.keys()], ["a", "x", "l"]);
});

test("spans name the header, the key and the value", () => {
  const text = "# c\n[ a . b ]\n  k = 'v' # d\n\n[[ l ]]\n";
  const { root, comments } = parseToml(text);
  assert.deepEqual(comments, [0, 24]);
  const a = root.members.get("a")?.value;
  assert.ok(a?.type === "table");
  const b = a.members.get("b")?.value;
  assert.ok(b?.type === "table");
  assert.deepEqual(
    [b.form, text.slice(b.span.start, b.span.end), text.slice(b.span.start, b.end)],
    [
      "header",
      "[ a . b ]",
      "[ a . b ]\n  k = 'v'",
    ],
  );
  const k = b.members.get("k");
  assert.deepEqual(k?.key, { start: 16, end: 17, line: 3, column: 3 });
  assert.deepEqual(k.value.span, { start: 20, end: 23, line: 3, column: 7 });
  const list = root.members.get("l")?.value;
  assert.ok(list?.type === "array" && list.form === "tables");
  assert.equal(text.slice(list.span.start, list.span.end), "[[ l ]]");
});

test("date-times keep their text and say whether they have an offset", () => {
  const { root } = parseToml(
    "a = 2027-01-01T00:00:00.5Z\nb = 2027-01-01 00:00:00\nc = 2027-01-01\nd = 10:00:00\n",
  );
  const dates = [...root.members.values()].map(({ value }) =>
    value.type === "date-time" ? [value.zone, value.value] : []
  );
  assert.deepEqual(dates, [
    ["offset", "2027-01-01T00:00:00.5Z"],
    ["local", "2027-01-01 00:00:00"],
    ["local", "2027-01-01"],
    ["local", "10:00:00"],
  ]);
});

const TWICE = [
  "a = 1\na = 2\n",
  "[a]\n[a]\n",
  "a = {}\n[a.b]\n",
  "a = []\n[[a]]\n",
  "a = { b = 1 }\na.c = 2\n",
  "[a.b]\n[a]\nb.c = 1\n",
  "[[a]]\n[a]\n",
  "a = 1\n[a.b]\n",
];

for (const text of TWICE) {
  test(`${JSON.stringify(text)} defines a key twice`, () => {
    const { root, problems } = parseToml(text);
    assert.deepEqual(problems.map((it) => it.id), ["toml-syntax"]);
    assert.equal(root.members.size, 0);
  });
}

test("another TOML parser reads the same", () => {
  const key = fc.oneof(fc.constantFrom("a", "__proto__", "constructor", "", "x y"), fc.string());
  const { tree } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
    leaf: fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.double({ noNaN: true })),
    tree: fc.dictionary(
      key,
      fc.oneof(
        { depthSize: "small" },
        tie("leaf"),
        tie("tree"),
        fc.array(tie("tree"), { maxLength: 3 }),
      ),
      { maxKeys: 4, noNullPrototype: true },
    ),
  }));
  fc.assert(fc.property(tree, (value) => {
    const text = stringify(value as Record<string, unknown>);
    const { root, problems } = parseToml(text);
    assert.deepEqual(problems, [], text);
    assert.deepEqual(plain(root), entries(parse(text)), text);
  }));
});
