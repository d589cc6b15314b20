import assert from "node:assert/strict";
import { test } from "node:test";
import { mentions } from "../../../../lib/decide/protected/names_place.ts";
import { decideInMode } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { defaultMode } from "../../../../lib/decide/modes.ts";
import { policyOf } from "../../../support/policy.ts";

const MENTIONS: readonly (readonly [text: string, names: readonly string[], is: boolean])[] = [
  ["rm -r web/.git/x", [".git"], true],
  [".git", [".git"], true],
  ["web/.github", [".git"], false],
  ["a.git", [".git"], false],
  ["echo x >.git/config", [".git"], true],
  ["a:.git", [".git"], true],
  [".github/workflows/a.yml", [".github", "workflows"], true],
  [".github/x/workflows", [".github", "workflows"], false],
  ["x.code-workspace", ["*.code-workspace"], true],
  ["cp a 'my x.code-workspace'", ["*.code-workspace"], true],
  ["xcode-workspace", ["*.code-workspace"], false],
  ["x.code-workspaces", ["*.code-workspace"], false],
  ["d/a.json", ["d", "*.json"], true],
  ["d/x y.json", ["d", "*.json"], false],
  ["d/a_json", ["d", "*.json"], false],
];

test("a text mentions names that follow one another as whole segments", () => {
  for (const [text, names, is] of MENTIONS) assert.equal(mentions(text, names), is, text);
});

test("a rule names a place in the spelling that the platform takes for it", () => {
  const decidedBy = (pattern: string, path: string, ignoreCase: boolean) => {
    const platform = ignoreCase ? "darwin" : "linux";
    const options = { context: { ignoreCase, platform } } as const;
    const policy = policyOf([{ pattern, action: "allow", kind: "user" }], options);
    const call = { tool: "Write", input: { path } };
    return decideInMode(policy, evaluateCall(policy, call), defaultMode).decidedBy;
  };
  assert.equal(decidedBy("Write:.GIT/**", ".GIT/x", true), "rule");
  assert.equal(decidedBy("Write:.git/**", ".git/x", true), "rule");
  assert.equal(decidedBy("Write:.git/**", ".git/x", false), "rule");
  assert.equal(decidedBy("Write:.[G]IT/**", ".GIT/x", true), "safety");
});
