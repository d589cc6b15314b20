import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../../lib/model/call.ts";
import { auditLine, type AuditRecord, MAX_LINE_BYTES } from "../../../lib/audit/audit_record.ts";
import { decisionOf } from "./decisions.ts";

/** The entry of a call with an input and so many units of one text. */
function entryOf(input: JsonObject, { count = 1, text = "x" } = {}): AuditRecord {
  const call = { tool: "Bash", input };
  const units = Array.from({ length: count }, () => ({ text, rule: null }));
  return JSON.parse(auditLine(decisionOf(call, units), call, { time: 0, cwd: "/" }));
}

function members(count: number, value: Json): JsonObject {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, value]));
}

/** The limits that an entry was cut to: its units, the members of its input, and of the longest text what is left. */
function limitsOf({ units, input, moreUnits = 0 }: AuditRecord) {
  const texts = units.map(({ text }) => text.replace(/\[\d+ characters? left out\]/, ""));
  const names = Object.keys(input);
  return {
    units: units.length,
    more: moreUnits,
    members: names.filter((name) => name !== "…").length,
    isCut: names.includes("…"),
    text: Math.max(...texts.map(({ length }) => length)),
  };
}

/** Words, so that no part of it may be a secret. */
function words(length: number): string {
  return "ab ".repeat(length).slice(0, length);
}

const PLAIN = { more: 0, isCut: false };

test("an entry that is short enough keeps 2000 characters of a text, 50 members and 24 units", () => {
  const table: readonly (readonly [AuditRecord, object])[] = [
    [entryOf({}, { text: words(2000) }), { ...PLAIN, units: 1, members: 0, text: 2000 }],
    [entryOf({}, { text: words(2001) }), { ...PLAIN, units: 1, members: 0, text: 2000 }],
    [entryOf(members(50, 1)), { ...PLAIN, units: 1, members: 50, text: 1 }],
    [entryOf(members(51, 1)), { units: 1, more: 0, members: 50, isCut: true, text: 1 }],
    [entryOf({}, { count: 24 }), { ...PLAIN, units: 24, members: 0, text: 1 }],
    [entryOf({}, { count: 25 }), { ...PLAIN, units: 24, more: 1, members: 0, text: 1 }],
  ];
  for (const [entry, expected] of table) assert.deepEqual(limitsOf(entry), expected);
});

test("one that is too long is cut to 600, 24 and 8, then to 200, 12 and 4, then to 90, no input and one unit", () => {
  const table: readonly (readonly [AuditRecord, object])[] = [
    [entryOf(members(25, 1), { count: 9, text: words(1000) }), {
      units: 8,
      more: 1,
      members: 24,
      isCut: true,
      text: 600,
    }],
    [entryOf(members(13, words(590)), { count: 5, text: words(599) }), {
      units: 4,
      more: 1,
      members: 12,
      isCut: true,
      text: 200,
    }],
    [entryOf(members(12, "漢漢漢 ".repeat(50)), { count: 4, text: "漢漢漢 ".repeat(50) }), {
      units: 1,
      more: 3,
      members: 0,
      isCut: false,
      text: 90,
    }],
  ];
  for (const [entry, expected] of table) assert.deepEqual(limitsOf(entry), expected);
});

test("a line of the most bytes is kept as it is, one of a byte more is cut", () => {
  const call = { tool: "Bash", input: members(4, "x") };
  const line = (length: number) => {
    const input = { ...members(4, words(1900)), last: words(length) };
    return auditLine(decisionOf({ ...call, input }), { ...call, input }, { time: 0, cwd: "/" });
  };
  const free = MAX_LINE_BYTES - line(0).length;
  assert.ok(free > 0 && free < 1900, `${free}`);
  assert.equal(line(free).length, MAX_LINE_BYTES);
  assert.ok(line(free + 1).length < 6000);
});
