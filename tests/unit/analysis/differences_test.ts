import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { differences } from "../../../lib/analysis/differences.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";

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
  assert.match(groups[0]!, /^deny Write/);
  assert.ok(groups.includes('deny Write:/etc/** -> ask Write: {"path":"/etc"}'));
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
  assert.match(unknown[0]!.text, /start mode.*was default, now plan/);
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

const OPERANDS =
  'files and URLs that commands or other tools name, or through ".." and links: only samples were compared';

test("a deny about files is also one about commands and URLs that name them", () => {
  const rest = allow(["Bash", "WebFetch"]);
  const { groups, unknown } = told(PERMISSIONS + deny(["Read:**/.env"]) + rest, PERMISSIONS + rest);
  for (
    const group of [
      'deny Read:**/.env -> allow Bash: {"command":"cat /.env"}',
      'ask undefined -> allow Bash: {"command":"cat \\"$f\\""}',
      'deny Read:**/.env -> allow WebFetch: {"url":"file:///.env"}',
    ]
  ) assert.ok(groups.includes(group), group);
  assert.deepEqual(unknown, [{ kind: "tried", text: OPERANDS }]);
  const { groups: added } = told(PERMISSIONS + rest, PERMISSIONS + deny(["Read:**/.env"]) + rest);
  assert.ok(added.includes('allow Bash -> deny Read:**/.env: {"command":"cat /.env"}'));
});

test("files that are written and URLs that are fetched by commands are tried, too", () => {
  const rest = PERMISSIONS + allow(["Bash"]);
  const write = told(rest, rest + deny(["Write:/etc/a b"])).groups;
  assert.ok(write.includes(`allow Bash -> deny Write:/etc/a b: {"command":"rm '/etc/a b'"}`));
  const fetched = told(rest, rest + deny(["WebFetch:https://a.b/*"])).groups;
  assert.ok(
    fetched.includes('allow Bash -> deny WebFetch:https://a.b/*: {"command":"curl https://a.b/"}'),
  );
});

test("rules about commands leave no files open, and rules about files do with any shell", () => {
  const literal = `${PERMISSIONS}shell = "literal"\n`;
  const files = told(literal, literal + deny(["Read:**/.env"]));
  assert.ok(files.unknown.some(({ text }) => text === OPERANDS));
  const commands = told(PERMISSIONS, PERMISSIONS + deny(["Bash:rm *"]));
  assert.ok(commands.unknown.every(({ text }) => text !== OPERANDS));
});

test("a field that is compared as a text beside a path is tried, and said to be", () => {
  const rest = PERMISSIONS + deny(["Read:**/.env"]);
  const now = PERMISSIONS + deny(["Read:**/.env", "Grep:path=src/**"]);
  const { groups, unknown } = told(rest, now);
  assert.ok(groups.includes('allow Grep -> deny Grep:path=src/**: {"path":"src/"}'));
  assert.match(
    unknown.map(({ text }) => text).join(),
    /^calls of Grep: .*only samples were compared/,
  );
});

test("a deny that makes commands questions by their operands is one group beside its own", () => {
  const old = PERMISSIONS + allow(["Bash:zq *", "Bash:zr *"]);
  assert.deepEqual(told(old, old + deny(["Bash:rm *"])).groups, [
    'allow Bash:zq * -> ask Bash:rm *: {"command":"zq rm"}',
    'ask Bash -> deny Bash:rm *: {"command":"rm"}',
  ]);
});
