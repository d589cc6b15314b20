import assert from "node:assert/strict";
import { test } from "node:test";
import { matchGlob, parseGlob } from "../../../lib/pattern/glob.ts";
import { addGlob, NfaBuilder } from "../../../lib/pattern/path/path_nfa.ts";
import { runNfa } from "../../../lib/pattern/run_nfa.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { cases } from "../../support/cases.ts";
import { policyOf } from "../../support/policy.ts";
import { randomFrom } from "../../support/random.ts";

test("globs that make a backtracking engine run for ever end at once on long texts", () => {
  const text = "a".repeat(4_000);
  const policy = policyOf([
    { pattern: "Read:**/*a*a*a*b", action: "deny" },
    { pattern: `Bash:${"*a".repeat(20)}b`, action: "deny" },
    { pattern: `Read:${"{a,b}*".repeat(8)}c`, action: "deny" },
  ]);
  for (
    const call of [
      { tool: "Read", input: { path: text } },
      { tool: "Bash", input: { command: text } },
    ]
  ) {
    assert.equal(evaluate(policy, call).action, "ask");
  }
});

test("a program that is too long to be remembered, or has forgotten, says the same as the glob", () => {
  const random = randomFrom(21);
  for (const stars of [3, 300]) {
    for (let round = 0; round < cases(20); round++) {
      const text = random.text(["a", "b", "*", "?"], 8) + "*b?a".repeat(stars) + "*";
      const glob = parseGlob(text);
      assert.ok(glob.ok);
      const builder = new NfaBuilder();
      addGlob(builder, glob.value);
      const program = builder.finish();
      for (let call = 0; call < 30; call++) {
        // Many different letters, so that the memory of a short program runs over.
        const letters = Array.from(
          { length: 400 },
          () => String.fromCodePoint(0x4e00 + random.below(9_000)),
        );
        const value = random.text(["a", "b", "a"], 6) +
          random.text(["ba", "bxa", ...letters.slice(0, 3)], 60) + letters.join("") + "bxa";
        assert.equal(runNfa(program, value), matchGlob(glob.value, value));
      }
    }
  }
});
