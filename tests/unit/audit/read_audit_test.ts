import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { auditLine } from "../../../lib/audit/audit_record.ts";
import { readAuditLine } from "../../../lib/audit/read_audit.ts";
import { decisionOf } from "./decisions.ts";

function lineAbout(command: string): string {
  const call = { tool: "Bash", input: { command } };
  return auditLine(decisionOf(call), call, { time: 0, cwd: "/" }).trimEnd();
}

const commandsIn = (line: string) =>
  readAuditLine(line).entries.map(({ input }) => input["command"]);

test("a blank line has no entry", () => {
  assert.deepEqual(readAuditLine(" "), { entries: [], whole: true });
});

const STRANGE: readonly string[] = [
  "hello",
  "{}",
  "[]",
  "null",
  '{"v":2}',
  '{"v":1,"time":"yesterday"}',
  "[".repeat(100_000),
  // Bun's JSON throws RangeError for it.
  "[".repeat(100_000) + "]".repeat(100_000),
  ...["null", '"x"', "[]", '{"text":"x"}', '{"tool":"x"}', '{"text":1,"tool":"x"}']
    .map((unit) => lineAbout("ls").replace(/"units":\[.*\]/, `"units":[${unit}]`)),
  ...["cwd", "tool", "decidedBy", "reason", "time"]
    .map((field) => lineAbout("ls").replace(new RegExp(`"${field}":"[^"]*"`), `"${field}":1`)),
  lineAbout("ls").replace('"verdict":"ask"', '"verdict":1'),
  lineAbout("ls").replace(/"units":\[.*\]/, '"units":{}'),
  lineAbout("ls").replace('"decision":"ask"', '"decision":"maybe"'),
  lineAbout("ls").replace('"input":{', '"input":[{'),
];

for (const line of STRANGE) {
  test(`not an entry: ${line.slice(0, 60)}`, () => {
    assert.deepEqual(readAuditLine(line), { entries: [], whole: false });
  });
}

test("what a killed writer left does not take the line behind it along", () => {
  const [one, other] = [lineAbout("echo 1"), lineAbout('echo \'{"v":1,"time":"\'')];
  fc.assert(fc.property(fc.nat(one.length - 1), (length) => {
    const torn = one.slice(0, length) + other;
    assert.deepEqual(commandsIn(torn), ['echo \'{"v":1,"time":"\'']);
    assert.equal(readAuditLine(torn).whole, length === 0);
  }));
  assert.deepEqual(commandsIn(one + other), ["echo 1", 'echo \'{"v":1,"time":"\'']);
});
