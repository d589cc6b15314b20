import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { addToText } from "../../../lib/policy/edit/add_to_text.ts";
import { beatenDenies, placeFor, weakerIndex } from "../../../lib/policy/edit/place_among.ts";
import type { Action } from "../../../lib/model/call.ts";
import { toolProfiles } from "../../../lib/policy/compile/profiles.ts";

const profiles = toolProfiles(new Map());

type Line = readonly [Action, string];

function among(lines: readonly Line[]) {
  return { rules: lines.map(([action, pattern]) => ({ action, pattern })), profiles };
}

function place([action, pattern]: Line, lines: readonly Line[]): number | undefined {
  return placeFor({ action, pattern }, among(lines));
}

const MIXED: readonly Line[] = [
  ["allow", "Bash:ls *"],
  ["deny", "Bash:rm -rf *"],
  ["allow", "Bash:git *"],
  ["ask", "Bash:npm *"],
];

test("an allow goes to the end", () => {
  assert.equal(place(["allow", "Bash:rm *"], MIXED), undefined);
});

test("a deny goes above the first allow or ask that would beat it", () => {
  assert.equal(place(["deny", "Bash"], MIXED), 0);
  assert.equal(place(["deny", "Bash:git push *"], MIXED), 2);
  assert.equal(place(["deny", "Bash:npm publish *"], MIXED), 3);
  assert.equal(place(["deny", "Bash:dd *"], MIXED), undefined);
});

test("an ask goes above the first allow that would beat it, but below every deny that it would beat", () => {
  assert.equal(place(["ask", "Bash:ls -l *"], MIXED), 0);
  assert.equal(place(["ask", "Bash:git push *"], MIXED), 2);
  assert.equal(place(["ask", "Bash"], MIXED), 2);
  assert.equal(place(["ask", "Bash:~x"], MIXED), 2);
  assert.equal(place(["ask", "Bash"], MIXED.slice(0, 2)), undefined);
  assert.equal(place(["ask", "Bash"], [...MIXED, ["deny", "Bash:dd *"]]), undefined);
  assert.equal(place(["ask", "Bash"], [["deny", "Bash:rm *"], ["allow", "Bash:ls"]]), 1);
});

test("the rules that stand in the way are those that say less, and the denies that an ask would beat", () => {
  const ask = { action: "ask", pattern: "Bash" } as const;
  assert.equal(weakerIndex(ask, among(MIXED)), 0);
  assert.equal(weakerIndex({ ...ask, action: "allow" }, among(MIXED)), undefined);
  assert.deepEqual(beatenDenies(ask, among(MIXED)), [1]);
  assert.deepEqual(beatenDenies({ ...ask, action: "deny" }, among(MIXED)), []);
});

test("a deny on a wrapper of the file goes above what the wrapper may run", () => {
  const text = '[[permissions.rules]]\npattern = "Bash:npm test"\naction = "allow"\n';
  const rule = { pattern: "Bash:rtk *", action: "deny" } as const;
  const added = (written: string) => addToText(written, { rule, first: false, profiles });
  const [plain, wrapped] = [added(text), added(`[shell]\nwrappers = ["rtk"]\n\n${text}`)];
  assert.ok(plain.kind === "added" && wrapped.kind === "added");
  assert.ok(plain.text.indexOf("rtk *") > plain.text.indexOf("npm test"));
  assert.ok(wrapped.text.indexOf("rtk *") < wrapped.text.indexOf("npm test"));
});
