import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../../lib/analysis/differences.ts";
import { policyFromToml } from "../../../lib/sources/policy_from_toml.ts";

function told(old: string, now: string) {
  const { groups, unknown } = differences(policyFromToml(old), policyFromToml(now));
  return {
    groups: groups.map(({ witness, was, now: is }) =>
      `${was.action} ${was.rule?.pattern} -> ${is.action} ${is.rule?.pattern}: ${
        JSON.stringify(witness.input)
      }`
    ),
    unknown,
  };
}

const allow = (patterns: readonly string[]) => `allow = ${JSON.stringify(patterns)}\n`;
const deny = (patterns: readonly string[]) => `deny = ${JSON.stringify(patterns)}\n`;
const PERMISSIONS = "[permissions]\n";

test("what was denied and is now asked comes first", () => {
  const { groups } = told(
    PERMISSIONS + deny(["Write:/etc/**"]) + allow(["Write:/tmp/a"]),
    PERMISSIONS,
  );
  assert.deepEqual(groups[0], 'deny Write:/etc/** -> ask Write: {"path":"/etc"}');
  assert.ok(groups.at(-1)!.startsWith("allow Write:/tmp/a -> ask Write:"));
});

test("comments, order within one action and spelling make no difference", () => {
  const first = PERMISSIONS + allow(["Bash:git status", "Bash:npm test"]);
  const second = `# new\n${PERMISSIONS}${allow(["Bash(npm test)", "Bash:git status"])}`;
  assert.deepEqual(told(first, second), { groups: [], unknown: [] });
});

test("a changed start mode and wrappers are told", () => {
  const { unknown } = told(PERMISSIONS, `${PERMISSIONS}default_mode = "plan"\n`);
  assert.equal(unknown.length, 1);
  assert.match(unknown[0]!, /start mode.*was default, now plan/);
});

test("how commands are read makes a difference that other spellings show", () => {
  const rules = allow(["Bash:git *"]);
  const { groups } = told(PERMISSIONS + rules, `${PERMISSIONS}shell = "literal"\n${rules}`);
  assert.ok(
    groups.some((group) => group.startsWith("ask") && group.includes("-> allow Bash:git *")),
  );
});

test("a deny that a new allow overtakes is a group", () => {
  const rule = (action: string, pattern: string) =>
    `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`;
  const old = rule("deny", "Bash:git push *") + rule("allow", "Bash:git *");
  const now = rule("allow", "Bash:git *") + rule("deny", "Bash:git push *");
  assert.deepEqual(
    told(old, now).groups[0],
    'deny Bash:git push * -> allow Bash:git *: {"command":"git push"}',
  );
});

test("a host with a star in a label is compared by what it stands for", () => {
  const old = [["allow", "https://a.b/a*"], ["ask", "http://a/*b"]];
  const now = [["allow", "*://a*/a*"], ["ask", "http://a/*b"]];
  const text = (rules: readonly (readonly string[])[]) =>
    rules.map(([action, url]) =>
      `[[permissions.rules]]\npattern = "WebFetch:${url}"\naction = "${action}"\n`
    ).join("");
  const { groups } = told(text(old), text(now));
  assert.ok(
    groups.some((group) =>
      group.startsWith("ask WebFetch:http://a/*b -> allow WebFetch:*://a*/a*: ")
    ),
  );
});
