import assert from "node:assert/strict";
import { test } from "node:test";
import defaults from "../../../defaults/agents.json" with { type: "json" };
import { mapCall } from "../../../lib/agents/hook/map_call.ts";
import { agentProfile, hookRunners } from "../../../lib/agents/profile.ts";
import { AGENT_NAMES, type AgentName } from "../../../lib/agents/registry.ts";
import table from "../../cases/agents/tools.json" with { type: "json" };

const CASES = table
  .cases as unknown as readonly (readonly [string, string, string, string, string])[];

test("each tool of an agent is ours, and each of its fields", () => {
  for (const [agent, tool, ours, field, meaning] of CASES) {
    const name = `${agent} ${tool} ${field}`;
    const text = meaning === "(patch)"
      ? "*** Begin Patch\n*** Update File: docs/a.md\n@@\n-a\n+b\n*** End Patch"
      : "/elsewhere";
    const input = field === "" ? {} : { [field]: text };
    const { calls: [call], readings } = mapCall(agent as AgentName, { tool, input });
    if (meaning === "(URLs)") {
      const fetched = mapCall(agent as AgentName, { tool, input: { [field]: "see http://a/b." } });
      assert.deepEqual(fetched.readings.map((each) => each.input["url"]), [
        "http://a/b.",
        "http://a/b",
      ]);
      assert.deepEqual(readings, []);
      continue;
    }
    assert.equal(call!.tool, ours, name);
    if (meaning === "(patch)") assert.deepEqual(call!.input, { path: "docs/a.md" }, name);
    else if (meaning === "(folder)") assert.equal(call!.cwd, text, name);
    else if (meaning === "(left out)") assert.equal(call!.input[field], undefined, name);
    else if (field !== "") assert.equal(call!.input[meaning], text, name);
  }
});

test("the list has every tool and field of the table", () => {
  const written = Object.entries(defaults).flatMap(([agent, { tools }]) =>
    Object.entries(tools as Record<string, { fields: object; cwd: string[]; unlike: string[] }>)
      .filter(([, mapped]) => !("calls" in mapped))
      .flatMap(([tool, mapped]) => {
        const patch = "patch" in mapped ? mapped.patch as readonly string[] : [];
        const urls = "urls" in mapped ? [mapped.urls as string] : [];
        const plain = [...Object.keys(mapped.fields), ...mapped.cwd, ...mapped.unlike];
        const fields = [...plain, ...patch, ...urls];
        return ["", ...fields].map((field) => `${agent} ${tool} ${field}`);
      })
  );
  const listed = CASES.map(([agent, tool, _, field]) => `${agent} ${tool} ${field}`);
  assert.deepEqual(written.toSorted(), listed.toSorted());
});

test("the agents that run an agent's hooks are those whose facts name it", () => {
  for (const agent of AGENT_NAMES) {
    const named = AGENT_NAMES.filter((each) => agentProfile(each).hook.runs.includes(agent));
    assert.deepEqual(hookRunners(agent), named, agent);
  }
});
