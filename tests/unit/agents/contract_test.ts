import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_NAMES } from "../../../lib/agents/agent_name.ts";
import type { Capabilities, Emission, Saying } from "../../../lib/agents/agent.ts";
import { emissionOf } from "../../../lib/agents/emission.ts";
import { EventFault } from "../../../lib/agents/event_fault.ts";
import { replySays } from "../../../lib/agents/reply_says.ts";
import { sampleEvent } from "../../../lib/agents/sample_event.ts";
import { agentFacts } from "../../../lib/agents/tool_names.ts";
import { WIRES } from "../../../lib/agents/wires.ts";
import { ACTIONS } from "../../../lib/model/action.ts";
import type { Json, JsonObject } from "../../../lib/model/call.ts";
import fc from "../../support/seeded.ts";

const CALL = { tool: "Bash", input: { command: "ls" } };
const env = () => undefined;

/** Each way in which an agent is spoken to: before a tool, and where it has that at a question. */
const SPOKEN = AGENT_NAMES.flatMap((name) => {
  const wire = WIRES[name];
  const { event } = sampleEvent(name, { command: "ls", folder: "/w" });
  const own = {
    name,
    wire,
    event: wire.read(event, { env }).name,
    capabilities: wire.capabilities,
  };
  const { requestCapabilities } = wire;
  if (requestCapabilities === undefined) return [own];
  return [own, { ...own, event: "PermissionRequest", capabilities: requestCapabilities }];
});

for (const { name, wire, event, capabilities } of SPOKEN) {
  const say = (emission: Emission, more: Partial<Saying> = {}) =>
    wire.reply({ emission, reason: "because so", event, ...more });

  test(`${name}, ${event}: a deny is a deny with its reason`, () => {
    const reply = say("deny");
    assert.equal(replySays(reply, capabilities), "deny");
    assert.match(reply.stdout + reply.stderr, /because so/);
  });

  test(`${name}, ${event}: what is said is what is understood, or nothing`, () => {
    for (const answered of answers()) {
      const emission = emissionOf(answered, capabilities);
      const says = replySays(say(emission), capabilities);
      const expected = event === "PermissionRequest" && emission === "ask" ? "silence" : emission;
      assert.equal(says, expected, JSON.stringify(answered));
    }
  });

  test(`${name}, ${event}: nothing that is gated runs without a check`, () => {
    for (const answered of answers()) {
      const emission = emissionOf(answered, capabilities);
      if (answered.action === "deny" && !answered.isOrdinary) assert.equal(emission, "deny");
      if (answered.action !== "ask") continue;
      assert.notEqual(emission, "allow");
      if (emission === "silence") {
        assert.equal(capabilities.silence, "judges");
        assert.ok(answered.isOrdinary || answered.isUnread && capabilities.ask !== "prompts");
      }
    }
  });

  test(`${name}, ${event}: an allow is said only where it is of use`, () => {
    const answered = {
      action: "allow",
      reason: "x",
      isOrdinary: false,
      isUnread: false,
      call: CALL,
    } as const;
    const expected = capabilities.allow === "grants" ? "allow" : "silence";
    assert.equal(emissionOf(answered, capabilities), expected);
  });
}

for (const name of AGENT_NAMES) {
  const wire = WIRES[name];

  test(`${name}: what cannot be read is stopped`, () => {
    const reply = wire.reply({ emission: "deny", reason: "caliban: broken" });
    assert.equal(replySays(reply, wire.capabilities), "deny");
    assert.match(reply.stdout + reply.stderr, /caliban: broken/);
    assert.ok(reply.status === 2 || reply.stdout !== "");
  });

  test(`${name}: a sample is a shell command in its folder`, () => {
    const { event, env } = sampleEvent(name, { command: "git push", folder: "/w" });
    const { calls, folders, cwd } = wire.read(event, { env: (key) => env[key] });
    assert.deepEqual(calls.map(({ tool, input }) => [tool, input["command"]]), [[
      "Bash",
      "git push",
    ]]);
    assert.equal(folders[0] ?? cwd, "/w");
    assert.equal(folders.length > 0 ? "project" : "cwd", wire.capabilities.folder);
  });

  test(`${name}: no event makes it throw anything but a fault`, () => {
    fc.assert(fc.property(anyEvent(name), (event) => {
      try {
        const { calls } = wire.read(event, { env });
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
    const { title, version, source } = agentFacts(name);
    assert.ok(title && version && source);
  });
}

const KINDS = [[true, false], [false, false], [false, true]] as const;
const SAID = { reason: "because so", call: CALL } as const;

function* answers() {
  for (const action of ACTIONS) {
    for (const [isOrdinary, isUnread] of KINDS) {
      yield { action, isOrdinary, isUnread: isUnread && action === "ask", ...SAID } as const;
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

test("an agent that runs what nobody speaks about is never left in silence about a question", () => {
  const runs: Capabilities = { ...WIRES.codex.capabilities };
  const answered = { action: "ask", isOrdinary: true, isUnread: false, reason: "x" } as const;
  assert.equal(emissionOf(answered, runs), "deny");
  assert.equal(emissionOf({ ...answered, isOrdinary: false, isUnread: true }, runs), "deny");
});
