import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../../lib/analysis/differences.ts";
import { createAnalysis } from "../../../lib/analysis/create_analysis.ts";
import { findWord } from "../../../lib/analysis/automata/find_words.ts";
import { neededBy } from "../../../lib/analysis/needed_by.ts";
import { redundancyOf } from "../../../lib/analysis/redundancy.ts";
import { reachabilityOf } from "../../../lib/analysis/reachability.ts";
import { RuleSpace } from "../../../lib/analysis/rule_space.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { isThorough } from "../../support/cases.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const letters = (count: number) =>
  Array.from({ length: count }, (_, at) => String.fromCharCode(97 + at % 26));

/** Rules that a search could lose itself in. */
const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  "a pattern and its negation, of which only the 19th last character counts": [
    `deny t:x=*a${"?".repeat(18)}`,
    `deny t:x!=*a${"?".repeat(18)}`,
    "allow t",
  ],
  "the same on commands": [
    `allow Bash:*a${"?".repeat(18)}`,
    `deny Bash:command!=*a${"?".repeat(18)}`,
    "allow Bash:*b*",
  ],
  "paths of 4,000 characters": [
    `deny Write:/${"a*/".repeat(1_330)}*.ts`,
    `allow Write:/${"ab/".repeat(1_330)}**`,
    "allow Write:**/x",
  ],
  "texts of 15,000 characters": [
    `deny t:x=${"*a?".repeat(5_000)}`,
    `deny t:x=${"?a*".repeat(5_000)}`,
    "allow t:x=*b",
  ],
  "a hundred braces": [
    `allow Write:/${"{a*,*b}".repeat(100)}`,
    `deny Write:/${"{a,b*,ab}".repeat(100)}*`,
    `allow Write:/${"{*b,a*}".repeat(100)}`,
  ],
  "hundreds of **": [
    `deny Write:/${"**/a/".repeat(300)}x`,
    `allow Write:/${"**/a/".repeat(299)}*x`,
    `deny Write:/${"**/*a*/".repeat(200)}x`,
  ],
  "Unicode classes": [
    "deny Write:/[\u{1F600}-\u{1F64F}é-ü]*",
    "allow Write:/[!\u{1F600}-\u{1F610}a-z]?",
    "deny Write:/é*",
  ],
  "many tool globs": letters(30).map((letter, at) => `allow *${letter}*${at}*`),
};

function rulesOf(lines: readonly string[]): readonly TestRule[] {
  return lines.map((line) => {
    const [action, ...pattern] = line.split(" ");
    return { action: action as TestRule["action"], pattern: pattern.join(" ") };
  });
}

/** The budget of one question, and the most work of it with the automata that it needs. */
const BUDGET = 100_000;
const MOST = 3_000_000;

for (const [name, lines] of Object.entries(HOSTILE)) {
  test(`every question about ${name} ends with bounded work`, () => {
    const policy = policyOf(rulesOf(lines));
    const space = new RuleSpace(policy, { budget: BUDGET });
    for (const rule of policy.rules) {
      const before = space.automata.effort.work;
      const reachability = reachabilityOf(rule, space);
      const known = () => ({
        reached: reachability,
        needed: neededBy(reachability, { rule, space }),
      });
      const redundancy = redundancyOf(rule, { space, known });
      assert.ok(space.automata.effort.work - before < MOST);
      if (reachability.kind === "reached") {
        const { units } = evaluate(policy, reachability.witness);
        assert.ok(units.some((unit) => unit.rule?.index === rule.index));
      }
      if (redundancy.kind === "unknown" || reachability.kind === "unknown") {
        assert.match(
          [redundancy, reachability].map((each) => "why" in each ? each.why : "").join(),
          /\w{4}/,
        );
      }
    }
  });
}

test("a search stops soon after its budget is spent, and says so", () => {
  const policy = policyOf(rulesOf(HOSTILE["the same on commands"]!));
  const space = new RuleSpace(policy);
  const calls = space.calls("Bash")!;
  const [first, second] = calls.rules;
  for (const left of [0, 10, 1_000, 50_000]) {
    const budget = { left };
    const query = { all: [calls.domain, calls.rules[2]!.yes], none: [first!.yes, second!.yes] };
    assert.equal(findWord(query, budget), "spent");
    assert.ok(budget.left > -20_000, `${budget.left} of ${left}`);
  }
});

test("a question that is cut short is never answered with none", () => {
  const rules = rulesOf(["allow Bash:git *", "deny Bash:git push --force*", "ask Bash:git p*"]);
  const policy = policyOf(rules);
  const whole = policy.rules.map((rule) => createAnalysis(policy).reachability(rule).kind);
  for (let budget = 0; budget < 3_000; budget += isThorough ? 7 : 71) {
    const analysis = createAnalysis(policy, { budget });
    for (const [at, rule] of policy.rules.entries()) {
      const { kind } = analysis.reachability(rule);
      assert.ok(kind === whole[at] || kind === "unknown", `${kind} with ${budget}`);
    }
  }
});

test("a comparison that is cut short says what it left open", () => {
  const old = policyOf(rulesOf(HOSTILE["the same on commands"]!));
  const now = policyOf(rulesOf(HOSTILE["the same on commands"]!.slice(1)));
  const { groups, unknown } = differences(old, now, { budget: 50 });
  assert.ok(
    unknown.some(({ kind, text }) => kind === "open" && text.includes("would take too long")),
  );
  for (const { witness, was, now: is } of groups) {
    assert.equal(evaluate(old, witness).action, was.action);
    assert.equal(evaluate(now, witness).action, is.action);
  }
});
