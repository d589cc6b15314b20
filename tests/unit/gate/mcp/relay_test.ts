import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../../lib/model/call.ts";
import { denialOf, Scene } from "./scene.ts";

const POLICY = `[[permissions.rules]]
pattern = "mcp__fs__danger"
action = "deny"
reason = "it is dangerous"

[[permissions.rules]]
pattern = "mcp__fs__read:path=/secret/**"
action = "deny"

[[permissions.rules]]
pattern = "mcp__fs__asked"
action = "ask"

[[permissions.rules]]
pattern = "mcp__fs__*"
action = "allow"
`;

const TOOLS = ["read", "danger", "asked"];

async function started(policy = POLICY, capabilities: JsonObject = {}): Promise<Scene> {
  const scene = new Scene({ policy });
  await scene.start({ capabilities, lists: TOOLS });
  return scene;
}

const CALL = '"method":"tools/call","params":{"name":"read","arguments":{"path":"/ok"}}';

test("an allowed call reaches the server as it was written, and its result the client", async () => {
  const scene = await started();
  const line =
    `{"id": 7, "jsonrpc":"2.0", "method":"tools/call","params":{"name":"read","_meta":{"progressToken":1.0},"arguments":{"path":"/\\u006fk","n":1.50}}}`;
  scene.clientLine(line);
  await scene.settled();
  assert.deepEqual(scene.rawToServer, [line]);
  await scene.server({ method: "notifications/progress", params: { progressToken: 1 } });
  await scene.server({ id: 7, result: { content: [], isError: false } });
  assert.equal(scene.toClient.length, 2);
  assert.deepEqual(scene.toClient[1]?.result, { content: [], isError: false });
});

test("a denied call never reaches the server, and the model reads one sentence", async () => {
  const scene = await started();
  await scene.call("danger", {}, "a");
  assert.deepEqual(scene.toServer, []);
  assert.equal(scene.toClient[0]?.id, "a");
  assert.match(denialOf(scene.toClient[0]) ?? "", /^caliban: .*it is dangerous/);
  await scene.call("read", { path: "/secret/../secret/x" }, "b");
  assert.match(denialOf(scene.toClient[1]) ?? "", /mcp__fs__read/);
  assert.deepEqual(scene.toServer, []);
});

/** Lines that would run a denied call in some server, or be read in two ways; none of them is passed on. */
const HOSTILE: readonly (readonly [name: string, line: string | Uint8Array | null])[] = [
  ["a batch", `[{"jsonrpc":"2.0","id":1,${CALL}}]`],
  ["a notification", `{"jsonrpc":"2.0",${CALL}}`],
  ["an id that is null", `{"jsonrpc":"2.0","id":null,${CALL}}`],
  ["an id that is a list", `{"jsonrpc":"2.0","id":[1],${CALL}}`],
  ["an id that is a fraction", `{"jsonrpc":"2.0","id":1.5,${CALL}}`],
  ["an id that is no exact number", `{"jsonrpc":"2.0","id":12345678901234567890,${CALL}}`],
  ["an id that is too long", `{"jsonrpc":"2.0","id":"${"x".repeat(2000)}",${CALL}}`],
  ["no version", `{"id":1,${CALL}}`],
  ["another version", `{"jsonrpc":"1.0","id":1,${CALL}}`],
  ["a method twice", `{"jsonrpc":"2.0","id":1,"method":"ping",${CALL}}`],
  ["a method twice by an escape", `{"jsonrpc":"2.0","id":1,"m\\u0065thod":"ping",${CALL}}`],
  ["an id twice", `{"jsonrpc":"2.0","id":1,"id":2,${CALL}}`],
  [
    "a name twice",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","name":"danger"}}`,
  ],
  [
    "an argument twice",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"/ok","path":"/secret"}}}`,
  ],
  [
    "a method in other case",
    `{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"danger"}}`,
  ],
  [
    "parameters in other letters",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read"},"param\\u017f":{"name":"danger"}}`,
  ],
  [
    "a tool in other case",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","Name":"danger"}}`,
  ],
  [
    "arguments with an invisible character",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments\\u200b":{}}}`,
  ],
  [
    "arguments that are a list",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":["/secret"]}}`,
  ],
  [
    "arguments that are text",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":"{}"}}`,
  ],
  [
    "a name that is a list",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["read"]}}`,
  ],
  ["no name", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`],
  ["an empty name", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":""}}`],
  [
    "parameters that are a list",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["read"]}`,
  ],
  ["no parameters", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`],
  [
    "a number that is not exact",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"n":9007199254740993}}}`,
  ],
  [
    "a number that is infinite",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"n":1e999}}}`,
  ],
  [
    "half a surrogate pair",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read","arguments":{"path":"\\ud800"}}}`,
  ],
  ["a request and a response", `{"jsonrpc":"2.0","id":1,"result":{},${CALL}}`],
  [
    "another case of the method",
    `{"jsonrpc":"2.0","id":1,"method":"Tools/Call","params":{"name":"danger"}}`,
  ],
  [
    "a blank in the method",
    `{"jsonrpc":"2.0","id":1,"method":"tools/call ","params":{"name":"danger"}}`,
  ],
  [
    "a method that is unknown",
    `{"jsonrpc":"2.0","id":1,"method":"tools/run","params":{"name":"danger"}}`,
  ],
  [
    "a method of a later MCP: clients begin with an older one then",
    '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}',
  ],
  ["a method that is a list", `{"jsonrpc":"2.0","id":1,"method":["tools/call"],"params":{}}`],
  ["an unknown notification", `{"jsonrpc":"2.0","method":"notifications/tools/call","params":{}}`],
  ["a byte order mark", `\ufeff{"jsonrpc":"2.0","id":1,${CALL}}`],
  ["a comment", `{"jsonrpc":"2.0",/* */"id":1,${CALL}}`],
  [
    "more than one message",
    `{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,${CALL}}`,
  ],
  ["text that is no JSON", "ping"],
  ["half a message", `{"jsonrpc":"2.0","id":1,`],
  ["a text", `"x"`],
  ["nothing", "null"],
  ["what is no UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
  ["a line that is too long", null],
  [
    "a deep line",
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(999)}${"]".repeat(999)}}`,
  ],
  ["a response to nothing", `{"jsonrpc":"2.0","id":1,"result":{}}`],
];

for (const [name, line] of HOSTILE) {
  test(`not passed on: ${name}`, async () => {
    const scene = await started();
    scene.clientLine(line);
    await scene.settled();
    assert.deepEqual(scene.rawToServer, []);
    const [answer] = scene.toClient;
    const isTold = answer?.error !== undefined || scene.notes.length > 0;
    assert.ok(isTold, "the client or the log is told");
    // The session goes on.
    await scene.call("read", { path: "/ok" }, "next");
    assert.equal(scene.toServer.length, 1);
  });
}

test("requests of a batch are answered, each by its id", async () => {
  const scene = await started();
  scene.clientLine(
    `[{"jsonrpc":"2.0","id":1,${CALL}},{"jsonrpc":"2.0","id":"b","method":"ping"},5]`,
  );
  assert.deepEqual(scene.toClient.map(({ id }) => id), [1, "b"]);
});

test("no character ends a line for the server that ends none for the gate", async () => {
  const scene = await started();
  const inner = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"danger"}}';
  scene.clientLine(
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":\r${inner}\r,"b":"\u2028\u2029\x85"}}\r`,
  );
  const [line = ""] = scene.rawToServer;
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(line, /[\r\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029]/);
  assert.deepEqual(JSON.parse(line).params.b, "\u2028\u2029\x85");
  await scene.serverLine(`{"jsonrpc":"2.0","id":1,"result":{"x":"\u2028"}}\r`);
  assert.deepEqual(scene.toClient[0]?.result, { x: "\u2028" });
});

test("a blank line is nothing", async () => {
  const scene = await started();
  for (const line of ["", " ", "\r"]) scene.clientLine(line);
  assert.deepEqual([scene.toClient, scene.toServer, scene.notes], [[], [], []]);
});

test("arguments that are absent or null are none", async () => {
  const scene = await started();
  scene.client({ id: 1, method: "tools/call", params: { name: "read" } });
  scene.client({ id: 2, method: "tools/call", params: { name: "read", arguments: null } });
  await scene.settled();
  assert.deepEqual(scene.toServer.map(({ id }) => id), [1, 2]);
});

test("an argument in other letters is not passed on: some servers read it", async () => {
  const scene = await started();
  const inputSchema = { type: "object", properties: { path: {}, Mode: {} } };
  await scene.list([{ name: "read", inputSchema }]);
  scene.clear();
  await scene.call("read", { Path: "/secret/x" }, 1);
  await scene.call("read", { path: "/ok", PATH: "/secret/x" }, 2);
  await scene.call("read", { other: 1, Other: 2 }, 3);
  assert.deepEqual(scene.toServer, []);
  for (const answer of scene.toClient) assert.match(denialOf(answer) ?? "", /another spelling/);
});

test("an id is in use until it is answered", async () => {
  const scene = await started();
  await scene.call("read", { path: "/ok" }, 1);
  scene.client({ id: 1, method: "ping" });
  assert.equal(scene.toServer.length, 1);
  assert.match(JSON.stringify(scene.toClient[0]), /not answered yet/);
  scene.client({ id: "1", method: "ping" });
  assert.equal(scene.toServer.length, 2);
  await scene.server({ id: 1, result: {} });
  scene.client({ id: 1, method: "ping" });
  assert.equal(scene.toServer.length, 3);
});

test("a server answers no request that it was not sent", async () => {
  const scene = await started();
  await scene.call("danger", {}, 1);
  await scene.server({ id: 1, result: { content: [{ type: "text", text: "it ran" }] } });
  await scene.server({ id: "list 3 undefined", result: { tools: [] } });
  assert.equal(scene.toClient.length, 1);
  assert.equal(scene.notes.length, 2);
});

test("a list of tools cannot pass as the response to something else", async () => {
  const scene = await started();
  scene.client({ id: 1, method: "tools/list" });
  await scene.server({ id: "1", result: { tools: [{ name: "danger" }] } });
  assert.deepEqual(scene.toClient, []);
  await scene.serverLine('[{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"danger"}]}}]');
  await scene.serverLine(
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[]},"result":{"tools":[{"name":"danger"}]}}',
  );
  assert.deepEqual(scene.toClient, []);
  await scene.server({ id: 1, result: { tools: [{ name: "danger" }, { name: "read" }] } });
  assert.deepEqual(scene.toClient.map(({ result }) => result), [{ tools: [{ name: "read" }] }]);
});

test("tools that every call of is denied are left out of each page of the list", async () => {
  const scene = await started();
  await scene.list([{ name: "danger" }, { name: "read" }, { name: "asked" }], { next: "n" });
  await scene.list([{ name: "more", description: "x" }, { name: "danger" }], { cursor: "n" });
  assert.deepEqual(scene.toClient.map(({ result }) => result), [
    { tools: [{ name: "read" }, { name: "asked" }], nextCursor: "n" },
    { tools: [{ name: "more", description: "x" }] },
  ]);
});

test("a tool stays in the list where some call may run, and where denials do not count", async () => {
  const scene = await started(`[[permissions.rules]]
pattern = "mcp__fs__danger:why=test"
action = "allow"

${POLICY}`);
  await scene.list([{ name: "danger" }]);
  assert.deepEqual(scene.toClient[0]?.result, { tools: [{ name: "danger" }] });
  const lifted = new Scene({ policy: POLICY });
  lifted.mode = "bypassPermissions";
  await lifted.start({ lists: TOOLS });
  await lifted.list([{ name: "danger" }]);
  assert.deepEqual(lifted.toClient[0]?.result, { tools: [{ name: "danger" }] });
});

test("an error comes as it is, and a list without what has no name", async () => {
  const scene = await started();
  scene.client({ id: 1, method: "tools/list" });
  await scene.server({ id: 1, error: { code: 1, message: "no" } });
  scene.client({ id: 1, method: "tools/list" });
  await scene.server({ id: 1, result: { tools: [1, {}, { name: 2 }, { name: "read" }] } });
  assert.deepEqual(scene.toClient.map(({ result, error }) => result ?? error), [
    { code: 1, message: "no" },
    { tools: [{ name: "read" }] },
  ]);
});

/** Results of `tools/list` in which a client that ignores case reads other tools than are pinned. */
const TWO_LISTS: readonly JsonObject[] = [
  { tools: [{ name: "read" }], Tools: [{ name: "read", description: "bad" }] },
  { TOOLS: [{ name: "read" }] },
  { tools: [{ name: "read" }], NextCursor: "2" },
  { tools: [{ name: "read" }], "tool\u017f": [] },
  { tools: [{ name: "read" }, { name: "x", Name: "read" }] },
  { tools: [{ name: "read", Description: "bad" }] },
  { tools: [{ name: "read", inputschema: {} }] },
  { tools: [{ name: "read", annotations: { readonlyHint: true } }] },
  { tools: { name: "read" } },
  {},
];

for (const result of TWO_LISTS) {
  test(`no list of tools that is read in two ways goes on: ${JSON.stringify(result)}`, async () => {
    const scene = await started();
    scene.client({ id: 1, method: "tools/list" });
    await scene.server({ id: 1, result });
    assert.match(
      JSON.stringify(scene.toClient),
      /^\[\{[^[]*"error":\{"code":-32603,"message":"caliban: the list of tools is not passed on: /,
    );
    scene.client({ id: 2, method: "tools/list" });
    await scene.server({ id: 2, error: { code: 1, message: "no" } });
    assert.equal(scene.toClient.length, 2);
  });
}

test("requests of the server reach the client, but for calls of tools", async () => {
  const scene = await started();
  await scene.server({ id: 1, method: "sampling/createMessage", params: {} });
  await scene.server({ id: 2, method: "elicitation/create", params: { message: "caliban asks" } });
  await scene.server({ id: 3, method: "tools/call", params: { name: "Bash" } });
  await scene.server({ id: 4, method: "tools/list" });
  assert.deepEqual(scene.toClient.map(({ id }) => id), [1, 2]);
  assert.deepEqual(scene.toServer.map(({ id, error }) => [id, error !== undefined]), [
    [3, true],
    [4, true],
  ]);
  scene.client({ id: 1, result: {} });
  scene.client({ id: 1, result: {} });
  scene.client({ id: 9, result: {} });
  assert.equal(scene.toServer.length, 3, "one response to a request");
});

test("a server that sends what is refused, and takes no error, is not read on", async () => {
  const scene = await started();
  let take = () => {};
  scene.taken = new Promise((resolve) => take = resolve);
  const flood = (async () => {
    for (let id = 0; id < 600; id++) await scene.server({ id, method: "tools/call" });
  })();
  await scene.settled();
  assert.equal(scene.toServer.length, 256);
  take();
  await flood;
  assert.equal(scene.toServer.length, 600);
});

test("a long method is cut in the error about it", async () => {
  const scene = await started();
  const method = `${"x".repeat(99)}\u{1f600}${"x".repeat(100_000)}`;
  scene.client({ id: 1, method });
  await scene.server({ id: 2, method: "ping" });
  await scene.server({ id: 2, method });
  const errors = [scene.toClient[0], scene.toServer[0]].map((line) => JSON.stringify(line));
  for (const error of errors) {
    assert.match(error, /"message":"caliban: the \w+ \\"x{99}\ufffd…\\" is/);
  }
});

test("what calls no tool goes on as it is, with its result", async () => {
  const scene = await started();
  for (
    const method of ["resources/read", "prompts/get", "ping", "completion/complete", "tasks/result"]
  ) {
    scene.client({ id: method, method, params: { uri: "file:///secret" } });
    await scene.server({ id: method, result: { x: 1 } });
  }
  await scene.server({ method: "notifications/tools/list_changed" });
  scene.client({ method: "notifications/progress", params: { progressToken: 1, progress: 1 } });
  assert.equal(scene.toServer.length, 6);
  assert.equal(scene.toClient.length, 6);
});

test("names of tools are no way around the rules", async () => {
  const scene = await started();
  await scene.list(
    ["read", "Danger", "dan\u200bger", "ｄanger", " danger", "a__b", "danger:x", "danger(x)"]
      .map((name) => ({ name })),
  );
  scene.clear();
  for (const name of ["Danger", "dan\u200bger", "ｄanger", " danger", "__proto__", "fs__danger"]) {
    await scene.call(name, {}, name);
  }
  assert.deepEqual(scene.toServer, []);
  assert.equal(scene.toClient.length, 6);
});

test("a broken policy denies each call with one sentence, until it is mended", async () => {
  const scene = await started();
  scene.policy = "rules = [";
  await scene.call("read", { path: "/ok" }, 1);
  await scene.list([{ name: "read" }]);
  assert.match(
    denialOf(scene.toClient[0]) ?? "",
    /^caliban: the call is stopped without a decision: \S/,
  );
  assert.deepEqual(scene.toClient[1]?.result, { tools: [{ name: "read" }] });
  scene.policy = POLICY;
  scene.clear();
  await scene.call("read", { path: "/ok" }, 2);
  assert.equal(scene.toServer.length, 1);
  scene.policy = '[[permissions.rules]]\npattern = "*"\naction = "deny"\n';
  await scene.call("read", { path: "/ok" }, 3);
  assert.equal(scene.toServer.length, 1, "a changed policy counts at once");
});

test("decisions are kept in the audit log where the policy says so", async () => {
  const scene = await started(`[permissions]\naudit_log = true\n\n${POLICY}`);
  await scene.call("read", { path: "/ok" }, 1);
  await scene.call("danger", {}, 2);
  const lines = scene.audit.map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ tool, decision, agent }) => [tool, decision, agent]), [
    ["mcp__fs__read", "allow", "mcp fs"],
    ["mcp__fs__danger", "deny", "mcp fs"],
  ]);
});
