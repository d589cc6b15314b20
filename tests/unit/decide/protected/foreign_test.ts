import assert from "node:assert/strict";
import { test } from "node:test";
import { decide } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { defaultMode, MODES } from "../../../../lib/decide/modes.ts";
import { policyFromToml } from "../../../../lib/policy/sources/policy_from_toml.ts";
import lines from "../../../cases/protected/powershell.json" with { type: "json" };
import { policyOf, type TestRule } from "../../../support/policy.ts";

const TOOL = `[tools.PowerShell]
first_arg = "command"
kind = "command"
class = "execute"
shell = "other"
`;
const BARE = `${TOOL}[[permissions.rules]]\npattern = "PowerShell"\naction = "allow"\n`;

const PLACE = { workspace: "/work", home: "/home/ada" };
const POLICIES = new Map([BARE, TOOL].map((toml) => [toml, policyFromToml(toml, PLACE)]));

function decided(command: string, mode = defaultMode, toml = BARE) {
  const policy = POLICIES.get(toml)!;
  const call = { tool: "PowerShell", input: { command }, cwd: "/work" };
  return decide(policy, evaluateCall(policy, call), { mode, autoAllow: true });
}

test(`what may touch a protected file is a question in every mode (${lines.asks.length})`, () => {
  for (const mode of MODES.filter((each) => !each.liftsDenials)) {
    for (const toml of [BARE, TOOL]) {
      const passed = lines.asks.filter((line) => decided(line, mode, toml).decision === "allow");
      assert.deepEqual(passed, [], mode.name);
    }
  }
  for (const line of lines.asks) assert.equal(decided(line).decidedBy, "safety", line);
});

test(`what does not, is none under an allow rule (${lines.passes.length})`, () => {
  const asked = lines.passes.filter((line) => decided(line).decision !== "allow");
  assert.deepEqual(asked, []);
});

test("in bypassPermissions nothing is a question", () => {
  const bypass = MODES.find((mode) => mode.liftsDenials)!;
  for (const line of lines.asks) assert.equal(decided(line, bypass).decision, "allow");
});

const tools = {
  PowerShell: { firstArg: "command", kind: "command", class: "execute", shell: "other" },
} as const;

function outcome(command: string, rules: readonly TestRule[]): string {
  const policy = policyOf(rules, { tools });
  const evaluation = evaluateCall(policy, { tool: "PowerShell", input: { command } });
  const { decision, decidedBy } = decide(policy, evaluation, { mode: defaultMode });
  return `${decision} ${decidedBy}`;
}

test("an allow rule that is the very line lifts it, a wider one does not, and .caliban is not a project's to give", () => {
  const write = "Set-Content .git\\config x";
  const allow = (pattern: string, kind: TestRule["kind"] = "user"): TestRule => {
    return { pattern, action: "allow", kind };
  };
  assert.equal(outcome(write, [allow(`PowerShell:${write.replace("\\", "\\\\")}`)]), "allow rule");
  assert.equal(
    outcome(write, [allow(`PowerShell:${write.replace("\\", "\\\\")}`, "project")]),
    "allow rule",
  );
  assert.equal(outcome(write, [allow("PowerShell")]), "ask safety");
  assert.equal(outcome(write, [allow("*")]), "ask safety");
  assert.notEqual(outcome(write, [allow("PowerShell:Set-Content .git*")]), "allow rule");
  const rules = "Set-Content .caliban/permissions.toml x";
  assert.equal(outcome(rules, [allow(`PowerShell:${rules}`)]), "allow rule");
  assert.equal(outcome(rules, [allow(`PowerShell:${rules}`, "project")]), "ask safety");
  assert.equal(outcome("iex $x", [allow("PowerShell:iex $x")]), "allow rule");
  assert.equal(outcome("iex $x", [allow("PowerShell:iex $x", "project")]), "ask safety");
});

test("a deny stays a deny, and what is no text is left to the rules", () => {
  const deny: TestRule = { pattern: "PowerShell:iex *", action: "deny" };
  assert.equal(outcome("iex $x", [deny, { pattern: "PowerShell", action: "allow" }]), "deny rule");
  const policy = policyOf([{ pattern: "PowerShell", action: "allow" }], { tools });
  const evaluation = evaluateCall(policy, { tool: "PowerShell", input: { command: [".git"] } });
  assert.equal(decide(policy, evaluation, { mode: defaultMode }).decision, "allow");
});

test("on Windows a short name is one too, and paths are read as Windows reads them", () => {
  const context = {
    platform: "windows",
    workspace: ["C:/work"],
    home: ["C:/Users/ada"],
    ignoreCase: true,
  } as const;
  const policy = policyOf([{ pattern: "PowerShell", action: "allow", kind: "user" }], {
    tools,
    context,
    cwd: "C:/work",
  });
  const ask = (command: string) => {
    const evaluation = evaluateCall(policy, { tool: "PowerShell", input: { command } });
    return decide(policy, evaluation, { mode: defaultMode }).decidedBy;
  };
  assert.equal(ask("Set-Content GIT~1\\config x"), "safety");
  assert.equal(ask("rd /s /q C:\\WORK"), "safety");
  assert.equal(ask("Remove-Item C:\\Users\\ada -Recurse"), "safety");
  assert.equal(ask("Set-Content PROGRA~1\\x y"), "rule");
  assert.equal(ask("rd /s /q C:\\work\\dist"), "rule");
});

test("a long line is read in time that grows with its length", () => {
  const took = (times: number) => {
    const began = performance.now();
    for (const piece of ["a ", "/", "(", "' + '", "[", "![", "git config ", "powershell -", ". "]) {
      decided(piece.repeat(times));
    }
    return performance.now() - began;
  };
  // Time that grows with the square would be a hundred times as long. On a busy machine one try may say anything.
  assert.ok([1, 2, 3, 4].some(() => took(20_000) < 40 * took(2_000)));
});
