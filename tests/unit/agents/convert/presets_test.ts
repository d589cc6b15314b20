import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../lib/shell/parse/loaded_parser.ts";
import presets from "../../../../defaults/presets.json" with { type: "json" };
import protectedFiles from "../../../../defaults/protected.json" with { type: "json" };
import { INIT } from "../../../../lib/cli/init/table.ts";
import { decide } from "../../../../lib/decide/decide.ts";
import { evaluate, evaluateCall } from "../../../../lib/decide/evaluate.ts";
import type { ToolCall } from "../../../../lib/model/call.ts";
import { MODES } from "../../../../lib/decide/modes.ts";
import { policyFromToml } from "../../../../lib/policy/sources/policy_from_toml.ts";
import { anyCall } from "../../../support/arbitrary.ts";
import fc from "../../../support/seeded.ts";

test("init names every preset, and every one loads without a warning of its patterns", () => {
  const choices = INIT.flags.find(({ name }) => name === "preset")?.choices;
  assert.deepEqual(choices, presets.presets.map(({ name }) => name));
  for (const { name, text } of presets.presets) {
    assert.ok(policyFromToml(text).rules.length > 10, name);
  }
});

const DEFAULT = MODES.find(({ name }) => name === "default")!;

function decided(preset: string, call: ToolCall): string {
  const { text } = presets.presets.find(({ name }) => name === preset)!;
  const policy = policyFromToml(text);
  return decide(policy, evaluateCall(policy, call), { mode: DEFAULT }).decision;
}

test("the presets ci and read-only ask about nothing that steers the agent, for nobody is there", () => {
  const inside = protectedFiles.places.filter(({ base }) => base === "any")
    .map(({ names }) => names.join("/"));
  assert.ok(inside.length > 10);
  for (const path of inside) {
    for (const file of [path, `web/${path}`, `${path}/x`]) {
      for (const preset of ["ci", "read-only"]) {
        assert.equal(decided(preset, { tool: "Write", input: { path: file } }), "deny", file);
        const line: ToolCall = { tool: "Bash", input: { command: `git status > ${file}` } };
        assert.equal(decided(preset, line), "deny", `> ${file}`);
      }
    }
  }
});

test("the presets ci and read-only never ask about what does more than read", () => {
  const policies = presets.presets.filter(({ name }) => ["ci", "read-only"].includes(name))
    .map(({ text }) => policyFromToml(text, { home: "/home/u" }));
  fc.assert(
    fc.property(anyCall, (call) => {
      fc.pre(!["Read", "Grep", "Glob"].includes(call.tool));
      for (const policy of policies) {
        const { action, units } = evaluate(policy, { ...call, cwd: "/home/u/ws" });
        // A path that cannot be known is a question wherever reading is allowed, under a key of another tool too.
        const asking = units.filter((unit) => unit.action === "ask");
        const isUnreadable = asking.every(({ by, via, text }) =>
          by === "safety" && via === 'the argument "path"' && /\0|^~[^/]/.test(text)
        );
        assert.ok(
          action !== "ask" || isUnreadable && call.tool === "TodoWrite",
          JSON.stringify(asking),
        );
      }
    }),
    { numRuns: 300 },
  );
});

const CHANGES = [
  "sed -i s/a/b/ x",
  "git status > x",
  "git checkout .",
  "git switch main",
  "ls | tee x",
  "git log --output=x",
  "git diff --output x",
  "git diff --ext-diff",
  "git -c core.pager=x log",
  "git -C sub -c alias.log=!x log",
  "rg --pre x y",
  "git show --textconv x | sh",
  "git status; rm x",
  "ls $(touch x)",
  "GIT_EXTERNAL_DIFF=x git diff",
  "wc -l <(touch x)",
  "git blame x && touch y",
];

test("the preset read-only changes nothing, whatever a reading command is given", () => {
  for (const command of CHANGES) {
    assert.equal(decided("read-only", { tool: "Bash", input: { command } }), "deny", command);
  }
});
