import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { asksAboutUnknown } from "../../lib/decide/unit_result.ts";
import { evaluate, evaluateCall } from "../../lib/decide/evaluate.ts";
import { overPolicy } from "../../lib/gate/gate_state.ts";
import { suggestRules } from "../../lib/suggest/suggest_rules.ts";
import { anyScene } from "./gate_outcomes.ts";

test("each suggestion answers a question, and is no broader than it may be", () => {
  let [suggested, allowed] = [0, 0];
  fc.assert(
    fc.property(anyScene, ({ call, policy }) => {
      const evaluation = evaluateCall(policy, call);
      const before = evaluation.verdict;
      const rules = suggestRules(policy, evaluation);
      if (rules.length === 0) return;
      suggested++;
      assert.equal(before.action, "ask");
      const session = rules.map(({ pattern }) => ({ pattern, action: "allow" } as const));
      const over = overPolicy(policy, session);
      assert.ok(over, "a suggestion that cannot be used");
      const after = evaluate(over, call);
      const asking = ({ units }: typeof before) =>
        units.filter((unit) =>
          unit.action === "ask" && (unit.by === "rule" || asksAboutUnknown(unit))
        )
          .length;
      assert.ok(asking(after) < asking(before), "none of them answers");
      if (after.action === "allow") allowed++;
      for (const { pattern } of rules) {
        // Either to the letter, or a program and at most its sub-command.
        if (pattern.endsWith(":*)")) assert.match(pattern, /^\w+\([\w.+-]+(?: [\w-]+)?:\*\)$/);
        else if (pattern.startsWith("Bash:")) {
          assert.ok(pattern.length <= 80 && !/(?<!\\)[*?]/.test(pattern), pattern);
        }
      }
    }),
    { numRuns: 1_500 },
  );
  assert.ok(
    suggested > enough(200) && allowed > enough(50),
    `${suggested} suggested, ${allowed} allowed`,
  );
});
