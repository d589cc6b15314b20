import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanText, keptInput, keptText } from "../../../lib/audit/keep_input.ts";
import type { JsonObject } from "../../../lib/model/call.ts";

const clean = cleanText;
const WIDE = { text: 2000, members: 50, clean };

const CASES: readonly (readonly [tool: string, input: JsonObject, kept: JsonObject])[] = [
  [
    "Write",
    { file_path: "src/a.ts", content: "secret\nwords", mode: "x" },
    { file_path: "src/a.ts", content: "[12 characters left out]", mode: "x" },
  ],
  [
    "Edit",
    { path: "a", old_string: "b", new_string: "c", replace_all: true },
    {
      path: "a",
      old_string: "[1 character left out]",
      new_string: "[1 character left out]",
      replace_all: true,
    },
  ],
  ["MultiEdit", { path: "a", edits: [{ old_string: "b" }] }, {
    path: "a",
    edits: "[1 item left out]",
  }],
  [
    "NotebookEdit",
    {
      notebook_path: "n.ipynb",
      new_source: "x",
      unheard: "a long text that nobody knows what it is for",
    },
    {
      notebook_path: "n.ipynb",
      new_source: "[1 character left out]",
      unheard: "[44 characters left out]",
    },
  ],
  [
    "mcp__fs__write_file",
    { path: "a", fileContent: "x", nested: { "new-text": "y", data: [1] } },
    {
      path: "a",
      fileContent: "[1 character left out]",
      nested: { "new-text": "[1 character left out]", data: "[1 item left out]" },
    },
  ],
  [
    "mcp__http__send",
    {
      headers: { Authorization: "x", "X-Trace": "1" },
      apiKey: 5,
      token: null,
      url: "https://a:b@x.org",
    },
    {
      headers: { Authorization: "[masked]", "X-Trace": "1" },
      apiKey: "[masked]",
      token: null,
      url: "https://[masked]@x.org",
    },
  ],
  [
    "NotebookEdit",
    {
      notebook_path: "n",
      cell: 5,
      kind: "x\ny",
      tags: ["a"],
      meta: { a: "x" },
      done: true,
      no: null,
    },
    {
      notebook_path: "n",
      cell: 5,
      kind: "[3 characters left out]",
      tags: "[1 item left out]",
      meta: "[1 member left out]",
      done: true,
      no: null,
    },
  ],
  ...[40, 41].map((length) => {
    const text = "ab ".repeat(length).slice(0, length);
    const kept = length === 40 ? text : "[41 characters left out]";
    return ["Write", { path: "a", note: text }, { path: "a", note: kept }] as const;
  }),
  [
    "X",
    {
      args: ["password of mine", "x", "a/token", "y", "--api-key", "z"],
      name: "my password",
      value: "v",
    },
    {
      args: ["password of mine", "x", "a/token", "y", "--api-key", "[masked]"],
      name: "my password",
      value: "v",
    },
  ],
  ["Bash", { command: "cat > f <<A\nx\nA" }, { command: "cat > f <<A\n[1 line left out]\nA" }],
  ["Bash", JSON.parse('{"__proto__": "x", "n": 1e5}'), JSON.parse('{"__proto__": "x", "n": 1e5}')],
  [
    "X",
    { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } },
    { a: { b: { c: { d: { e: { f: "[1 member left out]" } } } } } },
  ],
];

for (const [tool, input, kept] of CASES) {
  test(`kept of ${tool} ${JSON.stringify(input)}`, () => {
    assert.deepEqual(keptInput({ tool, input }, WIDE), kept);
  });
}

test("of many members and items the first are kept", () => {
  const input = { list: [1, 2, 3, 4], a: 1, b: 2, c: 3 };
  assert.deepEqual(keptInput({ tool: "X", input }, { text: 100, members: 2, clean }), {
    list: [1, 2, "[2 items left out]"],
    a: 1,
    "…": "[2 members left out]",
  });
});

test("of a long text both ends are kept, so that nothing hides behind a long beginning", () => {
  const command = `echo ${"a".repeat(5000)}; rm -rf /`;
  const kept = keptText(command, { text: 300, clean });
  assert.match(kept, /^echo a+\[4715 characters left out\]a+; rm -rf \/$/);
});

test("a huge text is kept at both ends, without their secrets", () => {
  const command = `TOKEN=abcdef ${"x".repeat(3_000_000)} --password uvwxyz`;
  const start = performance.now();
  const kept = keptText(command, { text: 300, clean });
  assert.ok(performance.now() - start < 1000);
  assert.match(kept, /^TOKEN=\[masked\] x+\[\d+ characters left out\]x+ --password \[masked\]$/);
});

test("a value that stands beside the name of a secret, or behind it in a list, is masked", () => {
  const bounds = { text: 300, members: 50, clean };
  const input = {
    env: [{ name: "API_KEY", value: "abcdefgh" }, { name: "HOME", value: "/home/a" }],
    headers: [["X-Api-Key", "abcdefgh"], ["Accept", "text/html"]],
    args: ["--password", "abcdefgh", "--verbose", "x"],
  };
  assert.deepEqual(keptInput({ tool: "mcp__x", input }, bounds), {
    env: [{ name: "API_KEY", value: "[masked]" }, { name: "HOME", value: "/home/a" }],
    headers: [["X-Api-Key", "[masked]"], ["Accept", "text/html"]],
    args: ["--password", "[masked]", "--verbose", "x"],
  });
});

test("a private key that the cut of a huge text goes through is not left in half", () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${"QUJD".repeat(400)}\n-----END PRIVATE KEY-----\n`;
  assert.doesNotMatch(clean(`x ${key.repeat(60)}`), /QUJD/);
  const [lines, token] = ["QUJDQUJD\n".repeat(180), `ghp_${"a1B2".repeat(9)} `];
  const broken = key.replace(/(?:QUJD)+\n/, () => lines);
  assert.doesNotMatch(clean(`x ${broken.repeat(60)}`), /QUJD/);
  assert.doesNotMatch(clean(token.repeat(5000)), /a1B2/);
});

test("the word that a cut of a huge text goes through is left out, and no more", () => {
  const text = "x".repeat(70_000);
  const kept = "x".repeat((1 << 15) - 4096);
  assert.ok(clean(text) === `${kept}[4464 characters left out]${kept}`);
  const words = "x ".repeat(40_000);
  const ends = "x ".repeat(1 << 14);
  assert.ok(clean(words) === `${ends}[14464 characters left out]${ends.slice(1)}`);
  const key = "-----BEGIN PRIVATE KEY-----\nQUJD\n-----END PRIVATE KEY-----";
  assert.ok(clean(`${words} y ${key}`).endsWith("x  y [masked]"));
});
