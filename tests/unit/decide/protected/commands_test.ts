import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../lib/shell/parse/loaded_parser.ts";
import { decide } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { modeNamed } from "../../../../lib/decide/modes.ts";
import { policyFromToml } from "../../../../lib/policy/sources/policy_from_toml.ts";
import commands from "../../../cases/protected/commands.json" with { type: "json" };
import corpus from "../../../cases/shell/corpus/protected.json" with { type: "json" };
import policies from "../../../cases/shell/corpus/policies.json" with { type: "json" };

const OPTIONS = { workspace: "/work", home: "/home/ada" };
const BARE = '[[permissions.rules]]\npattern = "Bash"\naction = "allow"\n';
const LITERAL = `[permissions]\nshell = "literal"\n\n${BARE}`;

function decided(toml: string, { command, mode }: { command: string; mode: string }) {
  const policy = policyFromToml(toml, OPTIONS);
  const evaluation = evaluateCall(policy, { tool: "Bash", input: { command }, cwd: "/work" });
  return decide(policy, evaluation, { mode: modeNamed(mode)!, autoAllow: true });
}

test(`every line of the corpus is at least a question in every mode (${corpus.cases.length})`, () => {
  assert.ok(corpus.cases.length >= 28);
  for (const { command } of corpus.cases) {
    for (const toml of [BARE, LITERAL, (policies as Record<string, string>)[corpus.policy]!]) {
      for (const mode of ["default", "acceptEdits", "auto", "dontAsk"]) {
        const { decision, decidedBy } = decided(toml, { command, mode });
        assert.deepEqual([decision, decidedBy], ["ask", "safety"], `${mode}: ${command}`);
      }
      assert.notEqual(decided(toml, { command, mode: "plan" }).decision, "allow");
    }
  }
});

test(`what writes, moves or removes a protected file is a question (${commands.asks.length})`, () => {
  const passed = commands.asks.filter((command) =>
    [BARE, LITERAL].some((toml) =>
      decided(toml, { command, mode: "dontAsk" }).decidedBy !== "safety"
    )
  );
  assert.deepEqual(passed, []);
});

test(`what does not, is none (${commands.passes.length})`, () => {
  const asked = commands.passes.filter((command) =>
    [BARE, LITERAL].some((toml) => decided(toml, { command, mode: "default" }).decision !== "allow")
  );
  assert.deepEqual(asked, []);
});

test("in bypassPermissions nothing is a question", () => {
  for (const command of commands.asks) {
    const { decision, decidedBy } = decided(BARE, { command, mode: "bypassPermissions" });
    assert.deepEqual([decision, decidedBy], ["allow", "bypass"]);
  }
});
