import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { type LintResult, lintScene } from "../../../lib/lint/lint_scene.ts";
import { CHECKS, FINDING_DOCS, FINDING_IDS } from "../../../lib/lint/registry.ts";
import type { Finding } from "../../../lib/model/problem.ts";
import { CASES, type LintCase } from "./cases.ts";
import { NOW, sceneOf, tomlOf } from "./lint_text.ts";

for (const [id, cases] of Object.entries(CASES)) {
  test(`${id} finds what it should, and nothing else`, () => {
    for (const each of cases) {
      const { findings } = lintCase(each);
      const found = findings.filter((finding) => finding.id === id).map(shortOf);
      assert.deepEqual(found, each.finds, JSON.stringify(each));
    }
  });
}

test("every check has cases: some that fire and some near misses", () => {
  assert.deepEqual(Object.keys(CASES).toSorted(), CHECKS.map(({ id }) => id).toSorted());
  for (const [id, cases] of Object.entries(CASES)) {
    assert.ok(cases.some(({ finds }) => finds.length > 0), `${id} fires`);
    assert.ok(cases.some(({ finds }) => finds.length === 0), `${id} has a near miss`);
  }
});

test("every witness replays: the rules say to it what the finding shows", () => {
  let count = 0;
  for (const each of Object.values(CASES).flat()) {
    const { findings, policy } = lintCase(each);
    for (const { witness, verdict, id } of findings) {
      assert.equal(witness === undefined, verdict === undefined, id);
      if (witness === undefined) continue;
      count++;
      assert.equal(
        evaluate(policy, witness, { now: NOW }).action,
        verdict,
        `${id} ${JSON.stringify(each)}`,
      );
    }
  }
  assert.ok(count > 50);
});

for (const { id, docs } of FINDING_DOCS) {
  test(`the examples of ${id} show it, and how it is avoided`, () => {
    const sceneFor = (text: string) => ({
      ...sceneOf({ project: text }),
      agents: ["codex"] as const,
    });
    const ids = (text: string) => lintScene(sceneFor(text)).findings.map((finding) => finding.id);
    assert.ok(ids(docs.avoid).includes(id), "avoid");
    assert.ok(!ids(docs.prefer).includes(id), "prefer");
    assert.ok(!ids(docs.prefer).includes("schema"), "prefer loads");
    assert.match(docs.what, /[^.]$/);
    assert.match(docs.why, /[.)]$/);
  });
}

test("every finding stands where its rule's pattern does, or at the head of its file", () => {
  for (const each of Object.values(CASES).flat()) {
    const { findings, files } = lintCase(each);
    for (const { rule, path, span } of findings) {
      const text = files.find((file) => file.path === path)!.text;
      if (rule !== null) assert.match(text.slice(span.start, span.end), /^".*"$/);
      assert.equal(text.slice(0, span.start).split("\n").length, span.line);
    }
  }
});

test("ids are unique and kebab-case", () => {
  assert.equal(new Set(FINDING_IDS).size, FINDING_IDS.length);
  for (const id of FINDING_IDS) assert.match(id, /^[a-z]+(?:-[a-z]+)*$/);
});

const results = new Map<LintCase, LintResult>();

/** The result of lint for a case; found once. */
function lintCase(each: LintCase): LintResult {
  const known = results.get(each) ?? lintOnce(each);
  results.set(each, known);
  return known;
}

function lintOnce({ rules = [], settings, text, user, local, agents = [] }: LintCase): LintResult {
  const scene = sceneOf({
    project: text ?? tomlOf(rules, settings),
    ...(user === undefined ? {} : { user: tomlOf(user) }),
    ...(local === undefined ? {} : { local: tomlOf(local) }),
  });
  return lintScene({ ...scene, agents });
}

/** `SEVERITY PATTERN <- TOOL TEXT = VERDICT`. */
function shortOf({ severity, rule, witness, verdict }: Finding): string {
  const values = Object.values(witness?.input ?? {});
  const known = /^(?:Bash|Read|Write|Edit|Web)/.test(witness?.tool ?? "");
  const input = known && values.length === 1 ? values[0] : JSON.stringify(witness?.input);
  const shown = witness === undefined ? "" : ` <- ${witness.tool} ${input} = ${verdict}`;
  return `${severity} ${rule?.pattern ?? null}${shown}`;
}
