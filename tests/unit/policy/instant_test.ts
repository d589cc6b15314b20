import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { formatInstant, parseInstant, parseTomlInstant } from "../../../lib/text/instant.ts";

test("an RFC 3339 text is the moment that the platform reads", () => {
  const moments = fc.date({
    min: new Date("0001-01-02T00:00:00Z"),
    max: new Date("9999-12-30T00:00:00Z"),
    noInvalidDate: true,
  });
  const offsets = fc.constantFrom("Z", "+00:00", "-00:00", "+14:00", "-23:59", "+05:45");
  fc.assert(fc.property(moments, offsets, (date, offset) => {
    const text = date.toISOString().replace("Z", offset);
    assert.deepEqual(parseInstant(text), { ok: true, value: Date.parse(text) });
  }));
});

test("a moment is written so that it is read back", () => {
  const last = Date.parse("9999-12-31T23:59:59.999Z");
  fc.assert(
    fc.property(fc.integer({ min: Date.parse("0000-01-01T00:00:00Z"), max: last }), (ms) => {
      assert.deepEqual(parseInstant(formatInstant(ms)), { ok: true, value: ms });
    }),
  );
  assert.throws(() => formatInstant(last + 1), RangeError);
  assert.throws(() => formatInstant(NaN), RangeError);
});

const REFUSED: readonly (readonly [string, string])[] = [
  ["2027-13-01T00:00:00Z", "month"],
  ["2027-00-01T00:00:00Z", "month"],
  ["2027-02-29T00:00:00Z", "day"],
  ["1900-02-29T00:00:00Z", "day"],
  ["2027-04-31T00:00:00Z", "day"],
  ["2027-01-01T24:00:00Z", "time"],
  ["2027-01-01T23:59:60Z", "time"],
  ["2027-01-01T00:00:00+24:00", "offset"],
  ["0000-01-01T00:00:00+00:01", "years"],
  ["9999-12-31T23:59:59-00:01", "years"],
  ["2027-01-01", "expected"],
  ["2027-01-01 00:00:00Z", "expected"],
  ["2027-01-01T00:00Z", "expected"],
  ["2027-01-01T00:00:00", "expected"],
  ["tomorrow", "expected"],
];

for (const [text, word] of REFUSED) {
  test(`"${text}" is no moment`, () => {
    const result = parseInstant(text);
    assert.ok(!result.ok);
    assert.match(result.detail, new RegExp(word));
  });
}

test("TOML may have a space for the T and leave the seconds out", () => {
  const value = Date.UTC(2027, 0, 1);
  assert.deepEqual(parseTomlInstant("2027-01-01 00:00:00z"), { ok: true, value });
  assert.deepEqual(parseTomlInstant("2027-01-01T01:00+01:00"), { ok: true, value });
  assert.equal(parseTomlInstant("2027-01-01T01:00:00").ok, false);
});
