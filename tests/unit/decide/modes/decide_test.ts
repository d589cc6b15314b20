import assert from "node:assert/strict";
import { test } from "node:test";
import { applyAutoMode } from "../../../../lib/gate/auto/apply_auto_mode.ts";
import type { AutoMode, AutoQuestion, OpinionDecision } from "../../../../lib/gate/auto/opinion.ts";
import { answerQuestions, decide, decideInMode } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { DISABLED, modeNamed } from "../../../../lib/decide/modes.ts";
import { policyOf, type TestRule } from "../../../support/policy.ts";

const auto = modeNamed("auto")!;

function asked(command: string, rules: readonly TestRule[]) {
  const policy = policyOf(rules);
  return decideInMode(policy, evaluateCall(policy, { tool: "Bash", input: { command } }), auto);
}

/** Auto mode that always says the same, and remembers what it was asked. */
function saying(decision: OpinionDecision): AutoMode & { readonly questions: AutoQuestion[] } {
  const questions: AutoQuestion[] = [];
  return {
    questions,
    classify(question) {
      questions.push(question);
      return Promise.resolve({ decision, source: "classifier", reason: "so it says" });
    },
    clear() {},
    edited() {},
    approved() {},
  };
}

test("where a policy says enforce, a mode that lifts denials is the default mode, and that is told", () => {
  const plain = policyOf([{ pattern: "Bash:rm *", action: "deny" }]);
  const source = { kind: "managed", path: "/m.toml", line: 2, column: 1 } as const;
  const settings = { ...plain.settings, enforce: { value: true, source } };
  const policy = plain.with({ ...plain.sources, settings });
  assert.ok(policy);
  const evaluation = evaluateCall(policy, { tool: "Bash", input: { command: "rm x" } });
  for (const mode of [modeNamed("bypassPermissions")!, DISABLED]) {
    const { decision, mode: name, warnings } = decide(policy, evaluation, { mode });
    assert.deepEqual([decision, name], ["deny", "default"]);
    assert.deepEqual(warnings, [`${mode.name} is refused: "enforce = true" in /m.toml:2`]);
  }
  const { decision } = decide(plain, evaluation, { mode: modeNamed("bypassPermissions")! });
  assert.equal(decision, "allow");
});

test("auto mode is asked once about a whole line, and answers every question in it", async () => {
  const mode = saying("allow");
  const before = asked("make > out; ls; make", [{ pattern: "Bash:ls", action: "allow" }]);
  const { decision, decidedBy, opinion, units } = await applyAutoMode(before, { auto: mode });
  assert.deepEqual([decision, decidedBy, opinion], ["allow", "classifier", "so it says"]);
  assert.deepEqual(units.map((unit) => unit.decidedBy), [
    "classifier",
    "classifier",
    "rule",
    "classifier",
  ]);
  assert.equal(mode.questions.length, 1);
});

test("a written rule with a spec leaves auto mode only to deny, one without does not", async () => {
  const mode = saying("hard_deny");
  const rules: readonly TestRule[] = [{ pattern: "Bash:git push *", action: "ask" }];
  await applyAutoMode(asked("make; git push", rules), { auto: mode });
  await applyAutoMode(asked("make", rules), { auto: mode });
  await applyAutoMode(asked("make", [{ pattern: "Bash", action: "ask" }]), { auto: mode });
  assert.deepEqual(mode.questions.map(({ onlyDeny }) => onlyDeny), [true, false, false]);
});

test("auto mode is not asked about a safety check, an allow or a deny", async () => {
  const mode = saying("allow");
  const rules: readonly TestRule[] = [
    { pattern: "Bash:rm *", action: "deny" },
    { pattern: "Bash:ls", action: "allow" },
  ];
  for (const command of ["rm x", "ls", "$x a", "make; touch .git/x"]) {
    const before = asked(command, rules);
    assert.equal(await applyAutoMode(before, { auto: mode }), before);
  }
  assert.deepEqual(mode.questions, []);
});

test("a soft denial stays a question that a flag may answer", async () => {
  const soft = await applyAutoMode(asked("make", []), { auto: saying("soft_deny") });
  assert.deepEqual([soft.decision, soft.decidedBy], ["ask", "classifier"]);
  assert.equal(soft.reason, "so it says; no rule matches");
  assert.equal(answerQuestions(soft, { headless: true }).decision, "deny");
  assert.equal(answerQuestions(soft, { autoAllow: true }).decision, "allow");
  const kept = answerQuestions(soft, { headless: true });
  assert.equal(kept.opinion, "so it says");
});
