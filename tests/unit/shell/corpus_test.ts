import assert from "node:assert/strict";
import { test } from "node:test";
import { AT_LEAST, corpusPolicy, type CorpusTable, EXACT } from "../../support/shell_corpus.ts";

function verdictsOf({ policy, cases }: CorpusTable) {
  const whole = corpusPolicy(policy);
  return cases.map((each) => {
    const own = each.policy === undefined ? whole : corpusPolicy(each.policy);
    const call = { tool: "Bash", input: { command: each.command }, cwd: "/work" };
    return { ...each, action: own.evaluate(call).action };
  });
}

for (const [name, table] of Object.entries(AT_LEAST)) {
  test(`shell corpus, never allowed: ${name} (${table.cases.length})`, () => {
    const verdicts = verdictsOf(table);
    assert.ok(verdicts.length >= 30);
    assert.deepEqual(verdicts.filter(({ action }) => action === "allow"), []);
  });
}

for (const [name, table] of Object.entries(EXACT)) {
  test(`shell corpus: ${name} (${table.cases.length})`, () => {
    const verdicts = verdictsOf(table);
    assert.ok(verdicts.length >= 10);
    assert.deepEqual(verdicts.filter(({ action, expect }) => action !== expect), []);
  });
}
