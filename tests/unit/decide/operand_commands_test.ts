import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import type { Action } from "../../../lib/model/call.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

function decided(rules: readonly string[], command: string): string {
  const written = rules.map((line): TestRule => {
    const at = line.indexOf(" ");
    return { action: line.slice(0, at) as Action, pattern: line.slice(at + 1) };
  });
  const call = { tool: "Bash", input: { command, description: "d" } };
  const { action, by } = evaluate(policyOf(written), call);
  return `${action} ${by}`;
}

/** Rules, a command that may run its operands or the values before it, and its verdict. */
const CASES: readonly (readonly [rules: readonly string[], command: string, verdict: string])[] = [
  [["deny Bash:rm *", "allow Bash:zqrun *"], "zqrun rm x", "ask safety"],
  [["deny Bash:rm *", "allow Bash:zqrun rm *"], "zqrun rm x", "allow rule"],
  [["deny Bash:rm *", "allow Bash:zqrun rm x"], "zqrun rm x", "allow rule"],
  [["deny Bash:rm *", "allow Bash:zqrun *"], "zqrun --exec=rm x", "ask safety"],
  [["deny Bash:rm *", "allow Bash:zqrun *"], "zqrun --exec=ls x", "allow rule"],
  // A rule about the command in the form of a field counts like any other.
  [["deny Bash:command=rm *", "allow Bash:zqrun *"], "zqrun rm x", "ask safety"],
  [["ask Bash:command=rm *,description=*", "allow Bash:zqrun *"], "zqrun rm x", "ask safety"],
  [["deny Bash:rm *", "allow Bash:command=zqrun rm *"], "zqrun rm x", "allow rule"],
  // An allow that does not speak of the command names none of its operands.
  [["deny Bash:rm *", "allow Bash:description=*"], "zqrun rm x", "ask safety"],
  [["deny Bash:rm *", "allow Bash:command!=rm *"], "zqrun rm x", "ask safety"],
  // Behind an allow of every command a rule never decides, whichever allow decides this one.
  [["allow Bash", "deny Bash:rm *"], "zqrun rm x", "allow rule"],
  [["allow Bash:zqrun *", "allow Bash", "deny Bash:rm *"], "zqrun rm x", "allow rule"],
  [["allow Bash:zqrun *", "deny Bash:rm *", "allow Bash"], "zqrun rm x", "ask safety"],
  [["allow Bash:zqrun *", "deny Bash", "deny Bash:rm *"], "zqrun rm x", "ask safety"],
  // Values of variables before any command.
  [["deny Bash:rm *", "allow Bash"], "EDITOR='rm x' git commit", "ask safety"],
  [["deny Bash:rm *", "allow Bash"], "EDITOR=vim git commit", "allow rule"],
  [["deny Bash:rm *", "allow Bash:EDITOR=* git commit"], "EDITOR=rm git commit", "ask safety"],
  [["deny Bash:rm *", "allow Bash:EDITOR=rm git *"], "EDITOR=rm git commit", "allow rule"],
  [["allow Bash", "deny Bash:rm *"], "EDITOR='rm x' git commit", "allow rule"],
  // A long value is unknown only where it has the word of a rule.
  [["deny Bash:rm *", "allow Bash"], `EDITOR='${"a".repeat(3000)}' git commit`, "allow rule"],
  [["deny Bash:rm *", "allow Bash"], `EDITOR='${"rm ".repeat(1000)}' git commit`, "ask safety"],
];

test("operands that read as a command of a deny or ask rule are a safety check, unless the allow names them", () => {
  for (const [rules, command, verdict] of CASES) {
    assert.equal(decided(rules, command), verdict, JSON.stringify(rules));
  }
});

test("a rule that has ended is about no operand", () => {
  const policy = policyOf([
    { action: "deny", pattern: "Bash:rm *", expiresAt: 100 },
    { action: "allow", pattern: "Bash:zqrun *" },
  ], { enforceExpiry: true });
  const at = (now: number) =>
    evaluate(policy, { tool: "Bash", input: { command: "zqrun rm x" } }, { now }).action;
  assert.deepEqual([at(99), at(100)], ["ask", "allow"]);
});
