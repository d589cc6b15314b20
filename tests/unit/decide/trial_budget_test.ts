import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const ALLOW: TestRule = { pattern: "Bash(cat:*)", action: "allow", kind: "user" };

function denies(count: number, form = (at: number) => `Read(**/n${at}*/**)`): readonly TestRule[] {
  return Array.from(
    { length: count },
    (_, at): TestRule => ({ pattern: form(at), action: "deny", kind: "project" }),
  );
}

function cat(count: number) {
  const files = Array.from({ length: count }, (_, at) => `d${at % 7}/f${at}`);
  return { tool: "Bash", input: { command: `cat ${files.join(" ")}` } };
}

/** Rules on command lines, which cost more than those on files. */
const MANY = denies(9_999, (at) => `Bash(*a* && *n${at}*|*x)`);

const COMMANDS = {
  tool: "Bash",
  input: { command: Array.from({ length: 30 }, (_, at) => `cat f${at}`).join("; ") },
};

test("a large policy of a workspace decides about many files", () => {
  const late: TestRule = { pattern: "Read(**/f299)", action: "deny", kind: "project" };
  assert.equal(evaluate(policyOf([...denies(1_000), ALLOW]), cat(300)).action, "allow");
  assert.equal(evaluate(policyOf([...denies(1_000), late, ALLOW]), cat(300)).action, "deny");
});

test("more trials of rules on files than the bound are a safety check", () => {
  const { action, by, reason, units } = evaluate(policyOf([...denies(9_999), ALLOW]), cat(110));
  assert.deepEqual([action, by], ["ask", "safety"]);
  assert.match(reason, /^the workspace has too many rules for the commands and files of the call/);
  const steps = units.reduce((sum, unit) => sum + unit.steps.length, 0);
  assert.ok(steps <= 1_000_300, `${steps}`);
});

test("the verdict at the bound is the same each time, and with a full trace", () => {
  const policy = policyOf([...MANY, ALLOW]);
  const { action, by, reason } = evaluate(policy, COMMANDS);
  assert.deepEqual([action, by], ["ask", "safety"]);
  assert.match(reason, /^the workspace has too many rules/);
  for (const options of [{}, { trace: "full" as const }]) {
    const again = evaluate(policy, COMMANDS, options);
    assert.deepEqual([again.action, again.by, again.reason], [action, by, reason]);
  }
});

test("a deny that was found stays, and each rule of the user is tried behind the bound", () => {
  const first: TestRule = { pattern: "Bash(cat f1)", action: "deny", kind: "project" };
  assert.equal(evaluate(policyOf([first, ...MANY, ALLOW]), COMMANDS).action, "deny");
  const own: TestRule = { pattern: "Bash(cat f29)", action: "deny", kind: "user" };
  const { action, rule } = evaluate(policyOf([...MANY, own, ALLOW]), COMMANDS);
  assert.deepEqual([action, rule?.pattern], ["deny", own.pattern]);
});

test("a rule about a class that is not tried is no ordinary question, for it stands for all", () => {
  const ofClass: TestRule = { pattern: "Bash(@secret)", action: "deny", kind: "project" };
  const command = COMMANDS.input.command.replaceAll("cat", "unheardof");
  const allow: TestRule = { pattern: "Bash(unheardof:*)", action: "allow", kind: "user" };
  const { units } = evaluate(policyOf([ofClass, ...MANY, allow]), {
    tool: "Bash",
    input: { command },
  });
  assert.deepEqual([units[0]?.by, units.at(-1)?.by], ["rule", "safety"]);
});

test("rules of the user have no bound", () => {
  const rules = MANY.map((rule): TestRule => ({ ...rule, kind: "user" }));
  assert.equal(evaluate(policyOf([...rules, ALLOW]), COMMANDS).action, "allow");
});
