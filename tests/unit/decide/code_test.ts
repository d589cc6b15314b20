import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { answerQuestions, decideInMode } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { modeNamed } from "../../../lib/decide/modes.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import table from "../../cases/classes/code.json" with { type: "json" };

interface Group {
  readonly name: string;
  readonly rules: readonly (readonly [string, string])[];
  /** The action; of asks `safety`, `ordinary` for a safety check that hooks take for an ordinary question, or `rule`. */
  readonly cases: readonly (readonly [string, string])[];
}

function policyOf(rules: Group["rules"]) {
  const toml = rules.map(([action, pattern]) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
  );
  return policyFromToml(toml.join(""), { workspace: "/work", home: "/home/ada" });
}

function kindOf(policy: ReturnType<typeof policyOf>, command: string) {
  const evaluation = evaluateCall(policy, { tool: "Bash", input: { command }, cwd: "/work" });
  const { action, by, units } = evaluation.verdict;
  if (action !== "ask") return { action, kind: action, evaluation };
  const hard = units.filter((unit) => unit.action === "ask" && unit.by === "safety");
  const isOrdinary = hard.length > 0 && hard.every(({ isOrdinaryCode }) => isOrdinaryCode);
  return { action, kind: isOrdinary ? "ordinary" : by, evaluation };
}

for (const { name, rules, cases } of table as unknown as readonly Group[]) {
  const policy = policyOf(rules);
  test(`code: ${name}`, () => {
    for (const [expected, line] of cases) {
      const { action, kind, evaluation } = kindOf(policy, line);
      const reasons = evaluation.verdict.units.map(({ text, reason }) => [text, reason]);
      const found = /^(?:safety|ordinary|rule)$/.test(expected) ? kind : action;
      assert.equal(found, expected, `${line}: ${JSON.stringify(reasons)}`);
    }
  });
}

test("modes and flags meet code that names nothing as a safety check", () => {
  const { rules, cases } = (table as unknown as readonly Group[])[2]!;
  const policy = policyOf(rules);
  for (const [, line] of cases.filter(([expected]) => expected === "ordinary")) {
    const { evaluation } = kindOf(policy, line);
    const { units } = decideInMode(policy, evaluation, modeNamed("default")!);
    assert.ok(units.some(({ isOrdinaryCode }) => isOrdinaryCode), line);
    for (const name of ["dontAsk", "acceptEdits", "auto"]) {
      const decision = decideInMode(policy, evaluation, modeNamed(name)!);
      assert.equal(decision.decision, "ask", `${name}: ${line}`);
      assert.equal(answerQuestions(decision, { autoAllow: true }).decision, "ask", line);
      assert.equal(answerQuestions(decision, { headless: true }).decision, "deny", line);
    }
  }
});
