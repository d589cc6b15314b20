import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { COMMAND_CLASSES } from "../../../lib/model/call.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { classDifferences } from "../../../lib/suite/class_trials.ts";
import fc from "../../support/seeded.ts";

function policyOf(rules: readonly string[]) {
  const text = rules.map((rule) => {
    const [action, ...pattern] = rule.split(" ");
    return `[[permissions.rules]]\npattern = "${pattern.join(" ")}"\naction = "${action}"\n`;
  });
  return policyFromToml(text.join(""), {
    workspace: "/work",
    isSystemProgram: () => true,
    gitRepository: () => "here",
  });
}

/** Rules before and after, and what is found. */
const CHANGES: readonly (readonly [string[], string[], ...string[]])[] = [
  [[], ["allow Bash(@read)"], "cat README.md: ask -> allow by Bash(@read)"],
  [["allow Bash(@read)"], [], "cat README.md: allow -> ask by Bash"],
  [
    ["allow Bash"],
    ["deny Bash(@delete)", "allow Bash"],
    "rm -r build: allow -> deny by Bash(@delete)",
  ],
  // The files of a command are allowed by the rules about them.
  [
    ["allow Bash(@edit)"],
    ["allow Bash(@edit)", "allow Write:./docs/**"],
    "cp a.txt docs/x: ask -> allow by Bash(@edit)",
  ],
  [
    ["allow Bash(@read)"],
    ["deny Read:secret.txt", "allow Bash(@read)"],
    "cat secret.txt: allow -> deny by Read:secret.txt",
  ],
  [["allow Bash(@read)"], ["allow Bash(@read)"]],
  [["allow Bash(ls:*)"], ["allow Bash(wc:*)"]],
];

test("a rule for a class that comes or goes shows in a command", () => {
  for (const [before, after, ...expected] of CHANGES) {
    const { groups } = classDifferences(policyOf(before), policyOf(after), 0);
    const found = groups.map(({ witness, was, now }) =>
      `${witness.input["command"]}: ${was.action} -> ${now.action} by ${now.rule?.pattern}`
    );
    for (const each of expected) {
      assert.ok(found.includes(each), `${each}\n${JSON.stringify(found)}`);
    }
    assert.equal(found.length > 0, expected.length > 0, JSON.stringify(found));
  }
});

test("every group replays, and no difference is called the whole of them", () => {
  const rule = fc.tuple(
    fc.constantFrom("allow", "deny", "ask"),
    fc.oneof(
      fc.constantFrom(...COMMAND_CLASSES.filter((name) => name !== "unknown"))
        .map((name) => `Bash(@${name})`),
      fc.constantFrom("Bash", "Bash(rm:*)", "Read:src/**", "Write:./**", "Write"),
    ),
  ).map(([action, pattern]) => `${action} ${pattern}`);
  const rules = fc.array(rule, { maxLength: 4 });
  fc.assert(
    fc.property(rules, rules, (before, after) => {
      const [old, now] = [policyOf(before), policyOf(after)];
      const { groups, unknown } = classDifferences(old, now, 0);
      for (const { witness, was, now: is } of groups) {
        const [one, other] = [old, now].map((policy) => evaluate(policy, witness, { now: 0 }));
        assert.deepEqual([one!.action, one!.rule], [was.action, was.rule]);
        assert.deepEqual([other!.action, other!.rule], [is.action, is.rule]);
        assert.notEqual(was.action, is.action);
      }
      const named = [...before, ...after].some((each) => each.includes("@"));
      const isSame = JSON.stringify(before) === JSON.stringify(after);
      if (isSame || !named) assert.deepEqual([groups, unknown], [[], []]);
      // Neighbours of the same action may change places.
      else if (groups.length > 0) assert.ok(unknown.length > 0);
    }),
    { numRuns: 60 },
  );
});
