import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { fixScene } from "../../../lib/lint/fix_scene.ts";
import { type LintScene, scenePolicy } from "../../../lib/lint/lint_scene.ts";
import type { Selection } from "../../../lib/lint/run_checks.ts";
import fc from "../../support/seeded.ts";
import { NOW, sceneOf, tomlOf } from "./lint_text.ts";

test("rules that lean on each other are not both taken out", () => {
  const rules = ["allow WebSearch:query=a", "allow WebSearch:query=a*", "allow WebSearch:query=a"];
  const { fixed, left } = fixedRules(rules);
  assert.deepEqual(left, ["allow WebSearch:query=a*"]);
  assert.deepEqual(fixed.toSorted(), ["redundant", "shadowed"]);
});

test("a fix that changes verdicts is made only where its finding is named", () => {
  assert.deepEqual(fixedRules(["allow Bash:git push *"]).left, ["allow Bash:git push *"]);
  const named = fixedRules(["allow Bash:git push *"], { select: ["bare-missed"] });
  assert.deepEqual(named.left, ["allow Bash(git push:*)"]);
});

test("names of tools are mended where that is wanted, and all at once", () => {
  const rules = ["allow bash:ls", "deny mcp__db", "allow Bash:ls"];
  const { left } = fixedRules(rules, { select: ["unknown-tool", "mcp-name"] });
  assert.deepEqual(left, ["allow Bash:ls", "deny mcp__db__*", "allow Bash:ls"]);
});

test("a rule stays that only another file makes needless", () => {
  const project = tomlOf(["allow WebSearch:query=a"]);
  const scene = sceneOf({ local: tomlOf(["allow WebSearch"]), project });
  const { scene: after, fixed } = fixScene(scene);
  assert.deepEqual(fixed, []);
  assert.equal(textOf(after, "project"), project);
});

test("a rule stays that its own file needs where it stands alone", () => {
  // Behind the local file everything but "a" is left to the project's first rule, and that the second says too.
  const project = tomlOf(["allow WebSearch:query=?", "allow WebSearch:query!=a*"]);
  const local = tomlOf(["ask WebSearch:query=a*"]);
  const { scene, refused, fixed } = fixScene(sceneOf({ local, project }), {
    select: ["redundant"],
  });
  assert.equal(textOf(scene, "project"), project);
  assert.deepEqual(fixed, []);
  assert.deepEqual(refused.map(({ rule }) => rule?.pattern), ["WebSearch:query=?"]);
});

test("a rule that never decides stays where it still makes a question of what cannot be compared", () => {
  const files = ["allow *", "ask Write:./src/a", "deny Read:**/.env", "deny WebFetch:domain:x.org"];
  assert.deepEqual(fixedRules(files).left, files);
  const literal = tomlOf(["allow Bash:git *", "deny Bash:git push *"], ['shell = "literal"']);
  assert.deepEqual(fixScene(sceneOf({ project: literal })).fixed, []);
});

test("comments of others, blank lines and line ends stay", () => {
  const text =
    "# head\r\n\r\n[[permissions.rules]] # one\r\npattern = 'Read:a'\r\naction = \"deny\"\r\n" +
    '\r\n# again\r\n[[permissions.rules]]\r\npattern = "Read:a"\r\naction = "deny"\r\n\r\n# tail\r\n';
  const { scene } = fixScene(sceneOf({ project: text }), { select: ["duplicate"] });
  const rest = text.replace(/# again[^]*?"deny"\r\n\r\n/, "");
  assert.equal(textOf(scene, "project"), rest);
});

test("what is fixed is left without findings that could be fixed, and a second time nothing changes", () => {
  const scene = sceneOf({
    project: tomlOf(["allow Read", "allow Read", "allow Glob:a=b", "allow Glob"]),
  });
  const once = fixScene(scene);
  const twice = fixScene(once.scene);
  assert.deepEqual(twice.fixed, []);
  assert.equal(textOf(twice.scene, "project"), textOf(once.scene, "project"));
});

const action = fc.constantFrom("allow", "deny", "ask");
const spec = fc.constantFrom(
  "",
  ":query=a",
  ":query=b",
  ":query=?",
  ":query=a*",
  ":query=*b",
  ":query!=a",
);
const ruleLine = fc.tuple(action, spec).map(([said, rest]) => `${said} WebSearch${rest}`);
const queries = ["", "a", "b", "ab", "ba", "aa", "bb", "abb"];

test("fixing changes no verdict: random lists, every short call", () => {
  fc.assert(
    fc.property(fc.array(ruleLine, { minLength: 1, maxLength: 6 }), (rules) => {
      const before = sceneOf({ project: tomlOf(rules) });
      const { scene: after } = fixScene(before);
      const [old, now] = [scenePolicy(before), scenePolicy(after)];
      const inputs = [{}, { query: null }, ...queries.map((query) => ({ query }))];
      for (const input of inputs) {
        const call = { tool: "WebSearch", input };
        const was = evaluate(old, call, { now: NOW });
        const is = evaluate(now, call, { now: NOW });
        assert.deepEqual([is.action, is.by], [was.action, was.by], JSON.stringify(call));
      }
    }),
    { numRuns: 8 },
  );
});

function fixedRules(rules: readonly string[], selection: Selection = {}) {
  const { scene, fixed } = fixScene(sceneOf({ project: tomlOf(rules) }), selection);
  const file = scene.entries.find(({ kind }) => kind === "project")?.file;
  const left = file?.rules.map((each) => `${each.action} ${each.pattern.value}`);
  return { left, fixed: fixed.map(({ id }) => id) };
}

function textOf({ entries }: LintScene, wanted: string): string | undefined {
  return entries.find(({ kind }) => kind === wanted)?.text;
}
