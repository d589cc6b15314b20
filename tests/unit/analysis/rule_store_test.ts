import assert from "node:assert/strict";
import { test } from "node:test";
import { RuleSpace } from "../../../lib/analysis/rule_space.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const packages = Array.from({ length: 60 }, (_, at): TestRule => ({
  action: at % 7 === 0 ? "deny" : "allow",
  pattern: `Write:packages/p${at}/src/${at % 2 === 0 ? "**" : "*.ts"}`,
}));
const policy = policyOf([...packages, { action: "deny", pattern: "Write:**/.env" }]);
const space = new RuleSpace(policy);

const PATHS = [
  "packages/p7/src/a.ts",
  "packages/P7/src/a.ts",
  "packages/p8/src/b/.env",
  "packages/p59/src/a.ts",
  "p9/src/packages/a.ts",
  "packages\\p9\\src\\a.ts",
  "/workspace/packages/p10/../p11/src/a.ts",
  "packages/src",
];

test("rules about a path are found by a name that few of them share", () => {
  for (const path of PATHS) {
    const request = policy.request({ tool: "Write", input: { file_path: path } });
    const found = space.view.candidates(request);
    assert.ok(found.length < 12, `${path}: ${found.length}`);
    const left = space.view.toolRules("Write").filter((each) => !found.includes(each));
    assert.deepEqual(left.filter((each) => each.matches(request) !== "no"), [], path);
  }
});

test("they decide as the policy does", () => {
  for (const path of PATHS) {
    const call = { tool: "Write", input: { file_path: path } };
    const [own, other] = [evaluate(policy, call), space.evaluate(call)];
    assert.deepEqual([other.action, other.by, other.rule], [own.action, own.by, own.rule], path);
  }
});
