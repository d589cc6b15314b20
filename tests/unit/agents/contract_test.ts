import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { AGENT_NAMES } from "../../../lib/agents/registry.ts";
import { agentProfile, type Capabilities } from "../../../lib/agents/profile.ts";
import { EventFault, type HookDecision } from "../../../lib/agents/hook/hook_protocol.ts";
import { hookDecision } from "../../../lib/cli/hook/run.ts";
import { understoodDecision } from "../../../lib/cli/doctor/probe.ts";
import { HOOKS, sampleEvent } from "../../support/agents.ts";
import { ACTIONS, type Json, type JsonObject } from "../../../lib/model/call.ts";
import fc from "../../support/seeded.ts";

const CALL = { tool: "Bash", input: { command: "ls" } };
const env = () => undefined;

/** Every event that is answered: before a tool, and for some agents a question. */
const ANSWERED = AGENT_NAMES.flatMap((name) => {
  const hook = HOOKS[name];
  const { event } = sampleEvent(name, { command: "ls", folder: "/w" });
  const profile = agentProfile(name);
  const own = {
    name,
    hook,
    event: hook.read(event, { env }).name,
    capabilities: profile.hook,
  };
  if (profile.request === undefined) return [own];
  return [own, { ...own, event: "PermissionRequest", capabilities: profile.request }];
});

for (const { name, hook, event, capabilities } of ANSWERED) {
  const render = (decision: HookDecision) => hook.render({ decision, reason: "because so", event });

  test(`${name}, ${event}: a deny is a deny with its reason`, () => {
    const reply = render("deny");
    assert.equal(understoodDecision(reply, capabilities), "deny");
    assert.match(reply.stdout + reply.stderr, /because so/);
  });

  test(`${name}, ${event}: what is said is what is understood, or nothing`, () => {
    for (const answered of answers()) {
      const decision = hookDecision(answered, capabilities);
      const says = understoodDecision(render(decision), capabilities);
      const expected = event === "PermissionRequest" && decision === "ask" ? "silence" : decision;
      assert.equal(says, expected, JSON.stringify(answered));
    }
  });

  test(`${name}, ${event}: nothing that is gated runs without a check`, () => {
    for (const answered of answers()) {
      const decision = hookDecision(answered, capabilities);
      if (answered.action === "deny" && !answered.isOrdinary) assert.equal(decision, "deny");
      if (answered.action !== "ask") continue;
      assert.notEqual(decision, "allow");
      if (decision === "silence" && !answered.isLeft) {
        assert.equal(capabilities.silence, "judges");
        assert.ok(answered.isOrdinary || answered.isSpoken && capabilities.ask !== "prompts");
      }
    }
  });

  test(`${name}, ${event}: an allow is said only where it is of use`, () => {
    const answered = {
      action: "allow",
      reason: "x",
      isOrdinary: false,
      isSpoken: false,
      isLeft: false,
      call: CALL,
    } as const;
    const expected = capabilities.allow === "grants" ? "allow" : "silence";
    assert.equal(hookDecision(answered, capabilities), expected);
  });
}

for (const name of AGENT_NAMES) {
  const hook = HOOKS[name];

  test(`${name}: what cannot be read is stopped`, () => {
    const reply = hook.render({ decision: "deny", reason: "caliban: broken" });
    assert.equal(understoodDecision(reply, agentProfile(name).hook), "deny");
    assert.match(reply.stdout + reply.stderr, /caliban: broken/);
    assert.ok(reply.status === 2 || reply.stdout !== "");
  });

  test(`${name}: a sample is a shell command in its folder`, () => {
    const { event, env } = sampleEvent(name, { command: "git push", folder: "/w" });
    const { calls, folders, cwd } = hook.read(event, { env: (key) => env[key] });
    assert.deepEqual(calls.map(({ tool, input }) => [tool, input["command"]]), [[
      "Bash",
      "git push",
    ]]);
    assert.equal(folders[0] ?? cwd, "/w");
    assert.equal(folders.length > 0 ? "project" : "cwd", agentProfile(name).hook.folder);
  });

  test(`${name}: no event makes it throw anything but a fault`, () => {
    fc.assert(fc.property(anyEvent(name), (event) => {
      try {
        const { calls } = hook.read(event, { env });
        assert.ok(calls.length > 0);
        for (const { tool, input } of calls) {
          assert.equal(typeof tool, "string");
          assert.ok(typeof input === "object" && input !== null && !Array.isArray(input));
        }
      } catch (error) {
        assert.ok(error instanceof EventFault, String(error));
      }
    }));
  });

  test(`${name}: its names and their source are known`, () => {
    const { title, version, source } = agentProfile(name);
    assert.ok(title && version && source);
  });
}

const KINDS = [
  [true, false, false],
  [true, false, true],
  [false, false, false],
  [false, true, false],
] as const;
const SAID = { reason: "because so", call: CALL } as const;

function* answers() {
  for (const action of ACTIONS) {
    for (const [isOrdinary, isSpoken, isLeft] of KINDS) {
      if (isLeft && action === "deny") continue;
      yield {
        action,
        isOrdinary,
        isSpoken: isSpoken && action === "ask",
        isLeft,
        ...SAID,
      } as const;
    }
  }
}

/** A sample event with some of its members replaced by anything. */
function anyEvent(name: typeof AGENT_NAMES[number]): fc.Arbitrary<JsonObject> {
  const { event } = sampleEvent(name, { command: "ls", folder: "/w" });
  const keys = [...Object.keys(event), "permission_mode", "mcp_context", "toolName", "attachments"];
  return fc.array(fc.tuple(fc.constantFrom(...keys), fc.jsonValue()), { maxLength: 3 })
    .map((pairs) => ({ ...event, ...Object.fromEntries(pairs as [string, Json][]) }));
}

test("what a policy leaves to the agent is silence in every agent", () => {
  const left = { isOrdinary: true, isSpoken: false, isLeft: true } as const;
  for (const { capabilities } of ANSWERED) {
    assert.equal(hookDecision({ ...left, action: "ask" }, capabilities), "silence");
    assert.equal(hookDecision({ ...left, action: "allow" }, capabilities), "silence");
  }
});

test("an agent that runs what nobody speaks about is never left in silence about a question", () => {
  const runs: Capabilities = agentProfile("codex").hook;
  const answered = { action: "ask", isOrdinary: true, isSpoken: false, isLeft: false } as const;
  assert.equal(hookDecision(answered, runs), "deny");
  assert.equal(hookDecision({ ...answered, isOrdinary: false, isSpoken: true }, runs), "deny");
});
