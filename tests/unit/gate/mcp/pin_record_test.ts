import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPins, parsePins } from "../../../../lib/gate/mcp/pin_record.ts";
import {
  type Definition,
  type ServerPins,
  waitingTools,
  withAccepted,
  withSeen,
  withServer,
} from "../../../../lib/gate/mcp/tool_pins.ts";

const AT = "2026-01-01T00:00:00.000Z";

function definition(digit: string, text?: string): Definition {
  return { hash: digit.repeat(64), at: AT, ...(text === undefined ? {} : { text }) };
}

const EMPTY: ServerPins = { server: "fs", program: "npx", workspace: "/w", tools: new Map() };
const KEY = "0".repeat(64);

test("a record is read as it was written", () => {
  const first = withSeen(EMPTY, [{ name: "__proto__", definition: definition("a", '{"x":1}') }], {
    isFirstSight: true,
  });
  const pins = withSeen(first, [{ name: "new", definition: definition("b") }], {
    isFirstSight: false,
  });
  const record = new Map([[KEY, pins]]);
  assert.deepEqual(parsePins(formatPins(record)), record);
  assert.deepEqual(parsePins(formatPins(new Map())), new Map());
});

const PIN = { name: "x", accepted: { hash: "a".repeat(64), at: AT } };
const SERVER = { key: KEY, server: "fs", program: "x", workspace: "/w", tools: [PIN] };

/** Records that nobody wrote here; each would answer a question. */
const BROKEN: readonly unknown[] = [
  null,
  [],
  "x",
  {},
  { version: 2, servers: [] },
  { version: 1, servers: {} },
  { version: 1, servers: [], more: 1 },
  { version: 1, servers: [null] },
  { version: 1, servers: [{ ...SERVER, key: "x" }] },
  { version: 1, servers: [{ ...SERVER, key: KEY.toUpperCase() + "A" }] },
  { version: 1, servers: [{ ...SERVER, server: 1 }] },
  { version: 1, servers: [{ ...SERVER, tools: {} }] },
  { version: 1, servers: [{ ...SERVER, tools: [{ ...PIN, more: 1 }] }] },
  { version: 1, servers: [{ ...SERVER, tools: [{ ...PIN, name: 1 }] }] },
  { version: 1, servers: [{ ...SERVER, tools: [{ name: "x", accepted: "a".repeat(64) }] }] },
  { version: 1, servers: [{ ...SERVER, tools: [{ name: "x", accepted: { hash: "a", at: AT } }] }] },
  {
    version: 1,
    servers: [{ ...SERVER, tools: [{ ...PIN, waiting: { ...PIN.accepted, at: "now" } }] }],
  },
  {
    version: 1,
    servers: [{ ...SERVER, tools: [{ ...PIN, waiting: { ...PIN.accepted, text: "{" } }] }],
  },
];

test("a record that caliban did not write is refused", () => {
  parsePins(JSON.stringify({ version: 1, servers: [SERVER] }));
  for (const record of BROKEN) {
    assert.throws(() => parsePins(JSON.stringify(record)), SyntaxError, JSON.stringify(record));
  }
  assert.throws(() => parsePins("{"), SyntaxError);
});

test("a person accepts the definitions that they have seen, and no others", () => {
  const pins = withSeen(EMPTY, [
    { name: "one", definition: definition("a") },
    { name: "two", definition: definition("b") },
  ], { isFirstSight: false });
  const after = withAccepted(pins, new Map([["one", "a".repeat(64)], ["two", "c".repeat(64)]]));
  assert.deepEqual(waitingTools(after).map(({ name }) => name), ["two"]);
});

test("a server cannot fill the record", () => {
  const many = Array.from({ length: 6000 }, (_, at) => ({
    name: `tool ${at}`,
    definition: definition("a", JSON.stringify("x".repeat(60_000))),
  }));
  const long = { name: "x".repeat(5000), definition: definition("a") };
  const pins = withSeen(EMPTY, [long, ...many], { isFirstSight: true });
  assert.equal(pins.tools.size, 5000);
  assert.ok(formatPins(new Map([[KEY, pins]])).length < 3 * 1024 * 1024);
  let record: ReadonlyMap<string, ServerPins> = new Map();
  for (let at = 0; at < 600; at++) record = withServer(record, { key: `${at}`, pins: EMPTY });
  assert.deepEqual([record.size, record.has("99"), record.has("599")], [500, false, true]);
});
