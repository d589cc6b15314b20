import assert from "node:assert/strict";
import { test } from "node:test";
import { claudeCanUseTool, claudeHooks } from "../../../lib/adapters/adapters.ts";
import type { ClaudeHook } from "../../../lib/adapters/claude_agent.ts";
import { hooks, person } from "../gate/scene.ts";
import { gateOf, gateSaying, JUNK, quiet } from "./fakes.ts";

const command = (text: string) => ({ command: text });

function hookOf(...given: Parameters<typeof claudeHooks>): ClaudeHook {
  const [matcher] = claudeHooks(...given).PreToolUse;
  const [hook] = matcher!.hooks;
  return hook!;
}

function event(text: string, cwd = "/w") {
  return { tool_name: "Bash", tool_input: command(text), cwd, hook_event_name: "PreToolUse" };
}

test("canUseTool: allow runs the judged input, deny tells the rule", async () => {
  const canUseTool = claudeCanUseTool(gateOf());
  const signal = quiet;
  assert.deepEqual(await canUseTool("Bash", command("ls -l"), { signal }), {
    behavior: "allow",
    updatedInput: { command: "ls -l" },
  });
  assert.deepEqual(await canUseTool("Bash", command("rm x"), { signal }), {
    behavior: "deny",
    message: "the deny rule `Bash(rm:*)` denies it",
  });
});

test("canUseTool: an ask goes to the gate's person, and is a deny where there is none", async () => {
  const ask = person("allow-once", { kind: "deny-once", comment: "not today" });
  const canUseTool = claudeCanUseTool(gateOf({ ask }));
  const first = await canUseTool("Bash", command("make"), { signal: quiet });
  assert.equal(first.behavior, "allow");
  const second = await canUseTool("Bash", command("make"), { signal: quiet });
  assert.deepEqual(second, { behavior: "deny", message: "not today" });
  const alone = await claudeCanUseTool(gateOf())("Bash", command("make"), { signal: quiet });
  assert.equal(alone.behavior, "deny");
});

test("canUseTool: a hook's other input is what runs", async () => {
  const changing = hooks(({ command }) =>
    command === "rm x" ? { updatedInput: { command: "ls" } } : {}
  );
  const canUseTool = claudeCanUseTool(gateOf({ hooks: changing }));
  assert.deepEqual(await canUseTool("Bash", command("rm x"), { signal: quiet }), {
    behavior: "allow",
    updatedInput: { command: "ls" },
  });
});

test("canUseTool: what changes the input meanwhile changes nothing", async () => {
  const input = command("ls");
  const answer = claudeCanUseTool(gateOf())("Bash", input, { signal: quiet });
  input.command = "rm -rf /";
  assert.deepEqual(await answer, { behavior: "allow", updatedInput: { command: "ls" } });
});

test("canUseTool: the gate is told the call's name, folder and other name", async () => {
  const gate = gateOf();
  const nameOf = (tool: string) => tool === "shell" ? "Bash" : tool;
  const canUseTool = claudeCanUseTool(gate, { cwd: "/w", nameOf });
  await canUseTool("shell", command("ls"), { signal: quiet, toolUseID: "t1" });
  const [call, options] = gate.asked[0]!;
  assert.deepEqual(call, { tool: "Bash", input: { command: "ls" }, cwd: "/w" });
  assert.deepEqual(options, { signal: quiet, callId: "t1" });
});

for (const [index, junk] of JUNK.entries()) {
  test(`no adapter of Claude allows what is no decision (${index})`, async () => {
    const gate = gateSaying(junk);
    const denied = await claudeCanUseTool(gate)("Bash", command("ls"), { signal: quiet });
    assert.equal(denied.behavior, "deny");
    assert.ok(denied.behavior === "deny" && denied.message !== "");
    const { hookSpecificOutput } = await hookOf(gate)(event("ls"), "t", { signal: quiet });
    assert.equal(hookSpecificOutput.permissionDecision, "deny");
    assert.notEqual(hookSpecificOutput.permissionDecisionReason ?? "", "");
  });
}

const odd = (value: unknown) => value as never;

test("calls of another shape are denied", async () => {
  const canUseTool = claudeCanUseTool(gateOf({ autoAllow: true }));
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const calls: readonly (readonly [unknown, unknown])[] = [
    ["Bash", undefined],
    ["Bash", null],
    ["Bash", "ls"],
    ["Bash", [{ command: "ls" }]],
    ["Bash", { command: () => "ls" }],
    ["Bash", circle],
    ["", { command: "ls" }],
    [undefined, { command: "ls" }],
    [{ name: "Bash" }, { command: "ls" }],
  ];
  for (const [tool, input] of calls) {
    const { behavior } = await canUseTool(odd(tool), odd(input), { signal: quiet });
    assert.equal(behavior, "deny", `${tool}`);
  }
  const allowed = await canUseTool("Bash", command("ls"), odd(undefined));
  assert.equal(allowed.behavior, "allow");
  const hook = hookOf(gateOf({ autoAllow: true }));
  for (
    const each of [undefined, null, "x", {}, { tool_name: "Bash" }, { ...event("ls"), cwd: 1 }]
  ) {
    const { hookSpecificOutput } = await hook(each, undefined, { signal: quiet });
    assert.equal(hookSpecificOutput.permissionDecision, "deny");
  }
});

test("what is given up is denied, also by a gate that does not listen", async () => {
  const aborted = AbortSignal.abort(new Error("enough"));
  const late = { behavior: "deny", message: "the call was cancelled" };
  const canUseTool = claudeCanUseTool(gateOf());
  assert.deepEqual(await canUseTool("Bash", command("ls"), { signal: aborted }), late);
  const controller = new AbortController();
  const deaf = gateSaying(() => new Promise(() => {}));
  const answer = claudeCanUseTool(deaf)("Bash", command("ls"), { signal: controller.signal });
  controller.abort();
  assert.deepEqual(await answer, late);
});

test("a name that cannot be found is a deny", async () => {
  const nameOf = () => {
    throw new RangeError("no such tool");
  };
  const answer = await claudeCanUseTool(gateOf(), { nameOf })("x", {}, { signal: quiet });
  assert.deepEqual(answer, {
    behavior: "deny",
    message: "the call cannot be decided: no such tool",
  });
});

test("hooks: every call is judged in its own folder, and an ask without a person stays one", async () => {
  const gate = gateOf();
  const hook = hookOf(gate, { cwd: "/elsewhere" });
  const ends: unknown[] = [];
  for (const text of ["ls", "rm x", "make"]) {
    const output = await hook(event(text), "t1", { signal: quiet });
    ends.push(output.hookSpecificOutput.permissionDecision);
  }
  assert.deepEqual(ends, ["allow", "deny", "ask"]);
  assert.deepEqual(gate.asked[0], [
    { tool: "Bash", input: { command: "ls" }, cwd: "/w" },
    { signal: quiet, callId: "t1" },
  ]);
});

test("hooks: another input is handed over only where there is one", async () => {
  const changing = hooks(({ command }) =>
    command === "rm x" ? { updatedInput: { command: "ls" } } : {}
  );
  const hook = hookOf(gateOf({ hooks: changing }));
  const changed = await hook(event("rm x"), "t", { signal: quiet });
  assert.deepEqual(changed.hookSpecificOutput, {
    hookEventName: "PreToolUse",
    permissionDecision: "allow",
    updatedInput: { command: "ls" },
  });
  const same = await hook(event("ls"), "t", { signal: quiet });
  assert.ok(!("updatedInput" in same.hookSpecificOutput));
});

test("hooks: a failure stops the call, and a person has time", () => {
  const [matcher] = claudeHooks(gateOf()).PreToolUse;
  assert.ok(matcher);
  assert.equal(matcher.onFailure, "block");
  assert.ok(matcher.timeout >= 3_600);
  assert.ok(!("matcher" in matcher));
});
