import assert from "node:assert/strict";
import { test } from "node:test";
import { auditLine, type AuditRecord } from "../../../lib/audit/audit_record.ts";
import { isWanted, readTime } from "../../../lib/audit/read_audit.ts";
import { parseGlob } from "../../../lib/pattern/glob.ts";
import { decisionOf } from "./decisions.ts";

const NOW = Date.UTC(2026, 10, 22, 12);
const HOUR = 3_600_000;

const TIMES: readonly (readonly [text: string, expected: number | string])[] = [
  ["90s", NOW - 90_000],
  ["2h", NOW - 2 * HOUR],
  ["7d", NOW - 7 * 24 * HOUR],
  ["2w", NOW - 14 * 24 * HOUR],
  ["0m", NOW],
  ["2026-11-22", NOW - 12 * HOUR],
  ["2026-11-22T10:00:00+01:00", NOW - 3 * HOUR],
  ["2026-02-30", "there is no such day"],
  ["2026-11-22T10:00", 'expected a date, time and zone such as "2027-01-01T00:00:00Z"'],
  ["yesterday", 'expected "2h", "2026-11-22" or "2026-11-22T08:00:00Z"'],
  ["-2h", 'expected "2h", "2026-11-22" or "2026-11-22T08:00:00Z"'],
  ["", 'expected "2h", "2026-11-22" or "2026-11-22T08:00:00Z"'],
];

for (const [text, expected] of TIMES) {
  test(`a time is read: "${text}"`, () => {
    const time = readTime(text, NOW);
    assert.equal(time.ok ? time.value : time.detail, expected);
  });
}

function entryOf(tool: string, time: number): AuditRecord {
  const call = { tool, input: {} };
  return JSON.parse(auditLine(decisionOf(call), call, { time, cwd: "/" }));
}

function globOf(text: string) {
  const glob = parseGlob(text);
  assert.ok(glob.ok);
  return glob.value;
}

test("an entry is wanted when every filter fits; since counts, until does not", () => {
  const entry = entryOf("mcp__github__push", NOW);
  const all = { tools: [], actions: [] };
  assert.ok(isWanted(entry, all));
  assert.ok(isWanted(entry, { ...all, since: NOW }));
  assert.ok(!isWanted(entry, { ...all, since: NOW + 1 }));
  assert.ok(!isWanted(entry, { ...all, until: NOW }));
  assert.ok(isWanted(entry, { ...all, until: NOW + 1 }));
  assert.ok(isWanted(entry, { ...all, tools: [globOf("Bash"), globOf("mcp__*")] }));
  assert.ok(!isWanted(entry, { ...all, tools: [globOf("mcp")] }));
  assert.ok(isWanted(entry, { ...all, actions: ["deny", "ask"] }));
  assert.ok(!isWanted(entry, { ...all, actions: ["allow"], tools: [globOf("*")] }));
});
