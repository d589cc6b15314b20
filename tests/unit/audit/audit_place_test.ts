import assert from "node:assert/strict";
import { test } from "node:test";
import { auditPath, rotatedAt, rotatedName, rotatedNames } from "../../../lib/audit/audit_place.ts";

const PLACES: readonly (readonly [
  platform: "linux" | "darwin" | "windows",
  env: Readonly<Record<string, string>>,
  path: string | undefined,
])[] = [
  ["linux", { HOME: "/home/u" }, "/home/u/.local/state/caliban/audit.jsonl"],
  ["darwin", { HOME: "/Users/u", XDG_STATE_HOME: "/s" }, "/s/caliban/audit.jsonl"],
  ["linux", { HOME: "/home/u", XDG_STATE_HOME: "s" }, "/home/u/.local/state/caliban/audit.jsonl"],
  ["linux", { HOME: "" }, undefined],
  ["linux", { HOME: "u" }, undefined],
  ["windows", { LOCALAPPDATA: "C:\\L" }, "C:\\L\\caliban\\audit.jsonl"],
  ["windows", { USERPROFILE: "C:\\u" }, "C:\\u\\AppData\\Local\\caliban\\audit.jsonl"],
  ["windows", { HOME: "/home/u" }, undefined],
];

for (const [platform, env, path] of PLACES) {
  test(`the log on ${platform} with ${JSON.stringify(env)}`, () => {
    assert.equal(auditPath({ platform, env: (name) => env[name] }), path);
  });
}

test("the name of a full log says when that was", () => {
  const time = Date.UTC(2026, 10, 22, 8, 9, 10, 11);
  const name = rotatedName({ time, id: "0a1b2c3d" });
  assert.equal(name, "audit-20261122T080910011Z-0a1b2c3d.jsonl");
  assert.equal(rotatedAt(name), time);
  assert.equal(rotatedAt(`${name}.gz`), time);
});

test("full logs are found oldest first, once each", () => {
  const [old, young] = [0, 1].map((time) => rotatedName({ time, id: "00000000" }));
  const names = [
    `${young}.gz`,
    young!,
    "audit.jsonl",
    "trust.json",
    `${old}.gz`,
    `${old}.gz.ab.tmp`,
  ];
  assert.deepEqual(rotatedNames(names), [`${old}.gz`, young]);
});
