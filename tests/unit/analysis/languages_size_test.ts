import assert from "node:assert/strict";
import { test } from "node:test";
import { leastWord } from "../../../lib/analysis/automata/least_word.ts";
import { RuleSpace } from "../../../lib/analysis/rule_space.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const RULES = Array.from({ length: 200 }, (_, at): TestRule => ({
  pattern: `Bash:npm run task-${at * 7919} *`,
  action: at % 5 === 0 ? "deny" : "allow",
}));

/** The number of states so far: the id of a new one, of a symbol that no language has. */
function statesOf({ automata }: RuleSpace, symbol: number): number {
  return automata.one([symbol, symbol], automata.end).id;
}

test("rules on commands have no more states than characters, also when a word of each was found", () => {
  const space = new RuleSpace(policyOf(RULES));
  const calls = space.calls("Bash")!;
  for (const { yes } of calls.rules) leastWord([calls.domain, yes], 20_000);
  const characters = RULES.reduce((sum, { pattern }) => sum + pattern.length, 0);
  const states = statesOf(space, 0xe000);
  assert.ok(states <= characters, `${states} states, ${characters} characters`);
});

test("a question that asks for no language builds none", () => {
  const space = new RuleSpace(policyOf(RULES));
  const calls = space.calls("Bash")!;
  const before = statesOf(space, 0xe000);
  for (const rule of space.rules) assert.equal(calls.of(rule)?.toolRule.rule, rule);
  assert.equal(statesOf(space, 0xe001), before + 1);
  assert.ok(before < RULES.length, `${before} states`);
});
