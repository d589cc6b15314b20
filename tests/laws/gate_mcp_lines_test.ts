import assert from "node:assert/strict";
import { test } from "node:test";
import { Relay } from "../../lib/gate/mcp/relay.ts";
import { cases, enough } from "../support/cases.ts";
import { randomFrom } from "../support/random.ts";

/** Parts of messages, each of which means something to some reader. */
const PARTS = [
  ...['"jsonrpc":"2.0"', '"id":1', '"id":"1"', '"id":null', '"Id":2', '"id":1.0', '"id":[1]'],
  ...[
    '"method":"tools/call"',
    '"method":"ping"',
    '"Method":"tools/call"',
    '"m\\u0065thod":"tools/call"',
  ],
  ...['"method":"tools/list"', '"METHOD" : "tools/call"', '"method":"tools\\/call"'],
  '"params":{"name":"danger"}',
  '"params":{"name":"read","arguments":{"path":"/ok"}}',
  '"params":{"name":"read","name":"danger"}',
  '"params":{"name":"read","Name":"danger"}',
  '"Params":{"name":"danger"}',
  '"param\\u017f":{"name":"danger"}',
  '"params":{"x":\r{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"danger"}}\r}',
  '"params":{"x":"\u2028","name":"read"}',
  '"params":[{"name":"danger"}]',
  '"result":{}',
  '"error":{"code":1,"message":"x"}',
];
const BETWEEN = [",", ",", ",", ",", ",", ",", " , ", ",\r", ",\t", "", ",,"];
const AROUND = ["{", "{", "{", "{", "{", "{", "{", "[{", "\ufeff{", " {", "{{", "\r{", '{"a":{'];
const BEHIND = [
  "}",
  "}",
  "}",
  "}",
  "}",
  "}",
  "}",
  "}]",
  "}\r",
  "},",
  "}}",
  "} {",
  "",
  '}\u2028{"id":3}',
];

/** The lines that some reader makes of one line. */
function linesOf(line: string): readonly string[] {
  return [line, ...line.split(/[\p{Cc}\u2028\u2029]/u)];
}

/** The names of tools that some reader would call: keys in any case, the first or the last of two. */
function calledIn(line: string): readonly string[] {
  return linesOf(line).flatMap((each) => {
    const message = membersOf(each);
    const methods = valuesOf(message, "method");
    const isCall = methods.some((text) => JSON.parse(text) === "tools/call");
    return isCall
      ? valuesOf(message, "params").flatMap((text) =>
        valuesOf(membersOf(text), "name").map((name) => String(JSON.parse(name)))
      )
      : [];
  });
}

type Members = readonly (readonly [key: string, text: string])[];

/** The members of an object's text, repeated ones too; of a list those of its elements; none where it is no JSON. */
function membersOf(text: string): Members {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  if (Array.isArray(value)) return value.flatMap((each) => membersOf(JSON.stringify(each)));
  return partsOf(text.trim()).flatMap((part) => {
    const [, key = "", own = ""] = /^\s*("(?:[^"\\]|\\.)*")\s*:([^]*)$/.exec(part) ?? [];
    return key === "" ? [] : [[String(JSON.parse(key)), own] as const];
  });
}

/** The texts between an object's braces and its own commas. */
function partsOf(text: string): readonly string[] {
  const parts = [""];
  let depth = 0;
  for (const [token] of text.slice(1, -1).matchAll(/"(?:[^"\\]|\\.)*"|[^]/g)) {
    if (token === "{" || token === "[") depth++;
    if (token === "}" || token === "]") depth--;
    if (token === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += token;
  }
  return parts;
}

function valuesOf(members: Members, name: string): readonly string[] {
  return members.filter(([key]) => key.toLowerCase().replaceAll("ſ", "s") === name)
    .map(([, text]) => text);
}

test("no reader finds a call in what the gate passes on that it did not allow", async () => {
  const random = randomFrom(16);
  const passed: string[] = [];
  const relay = new Relay({
    toClient() {},
    toServer: (line) => void passed.push(line),
    taken: () => Promise.resolve(),
    decide: ({ name }) =>
      Promise.resolve(
        name === "read" ? { action: "allow" } : { action: "deny", reason: "it is not allowed" },
      ),
    listed: ({ tools }) => Promise.resolve(tools),
    note() {},
    newId: () => "x",
  });
  let calls = 0;
  for (let run = cases(40_000); run > 0; run--) {
    const parts = Array.from({ length: 2 + random.below(3) }, () => random.pick(PARTS));
    const text = ['"jsonrpc":"2.0"', ...parts].reduce((all, part) =>
      `${all}${random.pick(BETWEEN)}${part}`
    );
    const line = `${random.pick(AROUND)}${text}${random.pick(BEHIND)}`;
    relay.fromClient(new TextEncoder().encode(line));
    for (let turn = 0; turn < 6; turn++) await Promise.resolve();
    for (const each of passed.splice(0)) {
      const names = calledIn(each);
      calls += names.length;
      assert.deepEqual(names.filter((name) => name !== "read"), [], `${line}\n${each}`);
      // The next message may have the same id.
      const { id } = JSON.parse(each);
      if (id === undefined) continue;
      const response = JSON.stringify({ jsonrpc: "2.0", id, result: {} });
      await relay.fromServer(new TextEncoder().encode(response));
    }
  }
  assert.ok(calls > enough(20), `${calls} calls`);
});
