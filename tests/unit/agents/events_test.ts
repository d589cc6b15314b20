import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_NAMES, type AgentName } from "../../../lib/agents/registry.ts";
import { EventFault } from "../../../lib/agents/hook/hook_protocol.ts";
import { HOOKS } from "../../support/agents.ts";
import type { JsonObject } from "../../../lib/model/call.ts";
import cases from "../../cases/agents/events.json" with { type: "json" };

/** A recorded event and what is read from it. */
interface ReadCase {
  readonly name: string;
  readonly agent: AgentName;
  readonly env?: Readonly<Record<string, string>>;
  readonly event: JsonObject;
  readonly readings?: readonly unknown[];
  readonly [expected: string]: unknown;
}

/** An event that nothing is read from. */
interface RefusedCase {
  readonly agent: AgentName;
  readonly why: string;
  readonly event: JsonObject;
}

for (const each of cases.read as unknown as readonly ReadCase[]) {
  const { name, agent, env = {}, event, ...expected } = each;
  test(`an event of ${name}`, () => {
    const surroundings = { env: (key: string) => env[key] };
    const { name: _, reading, own, ...read } = HOOKS[agent].read(event, surroundings);
    assert.deepEqual(
      {
        ...read,
        ...("reading" in expected ? { reading } : {}),
        ...("own" in expected ? { own } : {}),
      },
      { readings: [], ...expected },
    );
  });
}

for (const { agent, why, event } of cases.refused as unknown as readonly RefusedCase[]) {
  test(`${agent} refuses ${JSON.stringify(event)}`, () => {
    assert.throws(
      () => HOOKS[agent].read(event, { env: () => undefined }),
      (error) => error instanceof EventFault && error.message === why,
    );
  });
}

test("every agent has a recorded event", () => {
  const there = new Set(cases.read.map(({ agent }) => agent));
  assert.deepEqual(AGENT_NAMES.filter((name) => !there.has(name)), []);
});
