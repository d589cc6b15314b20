import assert from "node:assert/strict";
import { test } from "node:test";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { MODES } from "../../../lib/decide/modes.ts";
import { keyMeaning } from "../../../lib/decide/named_keys.ts";
import type { JsonObject } from "../../../lib/model/call.ts";
import { isRaisingField } from "../../../lib/decide/raised_rights.ts";
import { policyOf } from "../../support/policy.ts";

function decisionOf(pattern: string, input: JsonObject, tool = "Bash") {
  const policy = policyOf([{ pattern, action: "allow" }]);
  return MODES.map((mode) => decide(policy, evaluateCall(policy, { tool, input }), { mode }));
}

const RAISES: readonly JsonObject[] = [
  { dangerouslyDisableSandbox: true },
  { dangerouslyDisableSandbox: "true" },
  { dangerously_disable_sandbox: 1 },
  { sandbox_permissions: "require_escalated" },
  { sandbox_permissions: ["with_additional_permissions"] },
  { with_escalated_permissions: true },
  { additional_permissions: { network: true } },
  { required_permissions: ["all"] },
  { sandbox: false },
  { sandbox: "none" },
  { useSandbox: "off" },
  { sandboxMode: "danger-full-access" },
  { options: { sandbox: { disableSandbox: true } } },
  { permission_mode: "bypassPermissions" },
  { mode: "dontAsk" },
  { shell: "/tmp/evil" },
  { shell: "./bash" },
  { shell: "fish" },
  { env: { LD_PRELOAD: "x" } },
  { env: ["PATH=/tmp"] },
  { environment: "GIT_SSH_COMMAND=x" },
  // Behind more members than are read, and below more levels.
  { a: Array.from({ length: 20_001 }, () => 1), dangerouslyDisableSandbox: true },
  { a: nested(70, { dangerouslyDisableSandbox: true }) },
];

function nested(levels: number, value: JsonObject): JsonObject {
  return levels === 0 ? value : { a: nested(levels - 1, value) };
}

const RAISES_NOTHING: readonly JsonObject[] = [
  { dangerouslyDisableSandbox: false },
  { dangerouslyDisableSandbox: null },
  { sandbox_permissions: "use_default" },
  { with_escalated_permissions: false },
  { additional_permissions: {} },
  { required_permissions: [] },
  { sandbox: true },
  { sandbox_mode: "workspace-write" },
  { mode: "plan" },
  { shell: "bash" },
  { shell: "/bin/zsh" },
  { env: {} },
  { env: { CI: "1", NO_COLOR: "1" } },
];

test("a field that raises rights is a safety check in every mode but bypass", () => {
  for (const input of RAISES) {
    const decisions = decisionOf("Bash", { command: "npm test", ...input });
    for (const { mode, decision, decidedBy } of decisions) {
      const expected = mode === "bypassPermissions" ? "allow" : mode === "plan" ? "deny" : "ask";
      assert.equal(decision, expected, `${mode} ${JSON.stringify(input)}`);
      if (expected === "ask") assert.equal(decidedBy, "safety");
    }
  }
});

test("a shell, an environment or an input is a safety check under each of its names", () => {
  const names = {
    "/tmp/evil": "shell shellPath shell_executable shellProgram interpreter executable",
    "LD_PRELOAD=x":
      "env envs environ environments envVar extraEnv vars variables environment envVars environmentVariables",
    "x": "stdin stdinInput standard_input",
  };
  for (const [value, list] of Object.entries(names)) {
    for (const name of list.split(" ")) {
      const [first] = decisionOf("Bash", { command: "npm test", [name]: value });
      assert.deepEqual([first?.decision, first?.decidedBy], ["ask", "safety"], name);
      assert.ok(isRaisingField(name), name);
    }
  }
});

test("a value that raises nothing changes nothing", () => {
  for (const input of RAISES_NOTHING) {
    const [first] = decisionOf("Bash", { command: "npm test", ...input });
    assert.equal(first?.decision, "allow", JSON.stringify(input));
  }
});

test("an allow rule that names the field answers it, and no other", () => {
  const input = { command: "npm test", dangerouslyDisableSandbox: true };
  const decided = (pattern: string, more: JsonObject = {}) =>
    decisionOf(pattern, { ...input, ...more })[0]!.decision;
  assert.equal(decided("Bash:command=npm *,dangerouslyDisableSandbox=true"), "allow");
  assert.equal(decided("Bash:command=npm *"), "ask");
  assert.equal(
    decided("Bash:command=npm *,dangerouslyDisableSandbox=true", { sandbox: false }),
    "ask",
  );
});

test("other tools have such fields too", () => {
  const [asked] = decisionOf(
    "*",
    { allowedPrompts: [{ tool: "Bash", prompt: "x" }] },
    "ExitPlanMode",
  );
  assert.equal(asked?.decision, "ask");
  assert.match(asked?.reason ?? "", /^"allowedPrompts" leaves a sandbox or raises rights/);
  const [plan] = decisionOf("*", { plan: "x" }, "ExitPlanMode");
  assert.equal(plan?.decision, "allow");
  const [agent] = decisionOf("*", { prompt: "x", mode: "bypassPermissions" }, "Agent");
  assert.equal(agent?.decision, "ask");
});

test("a deny of the field denies the call", () => {
  const policy = policyOf([
    { pattern: "Bash:dangerouslyDisableSandbox=true", action: "deny" },
    { pattern: "Bash", action: "allow" },
  ]);
  const verdict = (input: JsonObject) =>
    evaluateCall(policy, { tool: "Bash", input }).verdict.action;
  assert.equal(verdict({ command: "npm test", dangerouslyDisableSandbox: true }), "deny");
  assert.equal(verdict({ command: "npm test", dangerouslyDisableSandbox: false }), "allow");
});

test("the key of most commands names a command for certain, as the tables say", () => {
  assert.ok(keyMeaning("command")?.names.has("command"));
});
