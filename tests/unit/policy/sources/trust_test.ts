import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../support/seeded.ts";
import type { Surroundings } from "../../../../lib/policy/sources/source.ts";
import {
  isTrusted,
  parseTrust,
  trustPath,
  type TrustRecord,
} from "../../../../lib/policy/sources/trust.ts";
import {
  formatTrust,
  withoutTrusted,
  withTrusted,
} from "../../../../lib/policy/sources/trust_edit.ts";

const AT = "2026-01-02T03:04:05.678Z";
const hash = fc.stringMatching(/^[0-9a-f]{64}$/);
const name = fc.oneof(fc.string(), fc.constant("__proto__"));
const hashes = fc.array(fc.tuple(name, hash), { maxLength: 4 }).map((pairs) => new Map(pairs));
const record: fc.Arbitrary<TrustRecord> = fc
  .array(fc.tuple(name, hashes.map((files) => ({ files, at: AT }))), { maxLength: 4 })
  .map((pairs) => new Map(pairs));

test("a record that was formatted parses to the same again", () => {
  fc.assert(fc.property(record, (record) => {
    // JSON objects put keys that look like numbers first: the order means nothing.
    assert.deepEqual(sorted(parseTrust(formatTrust(record))), sorted(record));
  }));
});

test("a workspace is trusted exactly while its files are those recorded", () => {
  fc.assert(fc.property(record, hashes, hashes, (record, recorded, present) => {
    const trusted = withTrusted(record, {
      workspace: "/ws",
      trusted: { files: recorded, at: AT },
    });
    const same = JSON.stringify([...recorded].sort()) === JSON.stringify([...present].sort());
    assert.equal(isTrusted(trusted, { workspace: "/ws", hashes: present }), same);
    assert.equal(
      isTrusted(withoutTrusted(trusted, "/ws"), { workspace: "/ws", hashes: recorded }),
      false,
    );
  }));
});

test("one more file, one less or one changed takes the trust away", () => {
  const files = new Map([["a", "1"], ["b", "2"]]);
  const record = new Map([["/ws", { files, at: AT }]]);
  const trusted = (hashes: ReadonlyMap<string, string>) =>
    isTrusted(record, { workspace: "/ws", hashes });
  assert.equal(trusted(new Map(files)), true);
  assert.equal(trusted(new Map([...files, ["c", "3"]])), false);
  assert.equal(trusted(new Map([["a", "1"]])), false);
  assert.equal(trusted(new Map([["a", "1"], ["b", "3"]])), false);
  assert.equal(isTrusted(record, { workspace: "/ws2", hashes: files }), false);
});

test("a malformed record is an error that says what is wrong", () => {
  const cases = [
    ["", /JSON/],
    ["[]", /^the record is not an object$/],
    ['{"workspaces":{}}', /^the version is undefined, not 1$/],
    ['{"version":2,"workspaces":{}}', /^the version is 2, not 1$/],
    ['{"version":1}', /^"workspaces" is not an object$/],
    ['{"version":1,"workspaces":{},"more":1}', /^the record has an unknown key "more"$/],
    ['{"version":1,"workspaces":{"/a":{"files":{}}}}', /^the workspace "\/a" has no time in "at"$/],
    [
      `{"version":1,"workspaces":{"/a":{"files":{"f":"00"},"at":"${AT}"}}}`,
      /^the hash of "f" is not 64 hexadecimal digits$/,
    ],
  ] as const;
  for (const [text, message] of cases) {
    assert.throws(
      () => parseTrust(text),
      (error) => error instanceof SyntaxError && (text === "" || message.test(error.message)),
      text,
    );
  }
});

test("the record stands outside every workspace, in the user's state folder", () => {
  const base: Surroundings = {
    platform: "linux",
    env: () => undefined,
    home: "/home/ann",
    workspace: "/ws",
    cwd: "/ws",
    options: { cli: [], rules: [], session: [], command: [], off: [] },
  };
  assert.equal(trustPath(base), "/home/ann/.local/state/caliban/trust.json");
  const named = (value: string) => trustPath({ ...base, env: () => value });
  assert.equal(named("/st"), "/st/caliban/trust.json");
  assert.equal(named("st"), "/home/ann/.local/state/caliban/trust.json");
  assert.equal(trustPath({ ...base, home: undefined }), undefined);
  assert.equal(
    trustPath({ ...base, platform: "windows", home: "C:\\U" }),
    "C:\\U\\AppData\\Local\\caliban\\trust.json",
  );
});

function sorted(record: TrustRecord): readonly unknown[] {
  return [...record].map(([path, { files, at }]) => JSON.stringify([path, [...files].sort(), at]))
    .sort();
}
