import assert from "node:assert/strict";
import { test } from "node:test";
import presets from "../../../defaults/presets.json" with { type: "json" };
import cases from "../../cases/presets/guard.json" with { type: "json" };
import { answerEvent } from "../../../lib/agents/hook/answer_event.ts";
import { AGENT_NAMES, type AgentName } from "../../../lib/agents/registry.ts";
import { capabilitiesAt } from "../../../lib/agents/profile.ts";
import { hookDecision } from "../../../lib/cli/hook/run.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import type { ModeName, ToolCall } from "../../../lib/model/call.ts";
import { builtinEntry, fileEntry, loaded } from "../../laws/random_sources.ts";

const { text } = presets.presets.find(({ name }) => name === "guard")!;
const POLICY = loaded([fileEntry("user", { text }), builtinEntry()])!;

const MODES: readonly ModeName[] = ["default", "plan", "acceptEdits", "bypassPermissions"];

/** The hook's answer with the preset as the user's own policy. */
function answer(call: ToolCall, { agent = "claude", mode = "default" }: {
  readonly agent?: AgentName;
  readonly mode?: ModeName;
} = {}): string {
  const event = { name: "PreToolUse", calls: [call], readings: [], folders: [], mode } as const;
  const options = { policy: POLICY, others: [], now: 0, mode: defaultMode };
  return hookDecision(answerEvent(event, options), capabilitiesAt(agent, "PreToolUse"));
}

const line = (command: string): ToolCall => ({ tool: "Bash", input: { command } });

for (const { family, stopped, missed } of cases.families) {
  test(`guard stops ${family} (${stopped.length} lines), but for what docs/security.md lists`, () => {
    assert.deepEqual(stopped.filter((each) => !/deny|ask/.test(answer(line(each)))), []);
    assert.deepEqual(missed.filter((each) => answer(line(each)) !== "silence"), []);
  });
}

test("guard says nothing about everyday lines", () => {
  assert.ok(cases.everyday.length >= 300);
  assert.deepEqual(cases.everyday.filter((each) => answer(line(each)) !== "silence"), []);
});

test("guard stops nine in ten of its disasters, of which there are over 300", () => {
  const stopped = cases.families.flatMap((each) => each.stopped).length;
  const missed = cases.families.flatMap((each) => each.missed).length;
  assert.ok(stopped >= 300 && stopped / (stopped + missed) > 0.88, `${stopped}, ${missed}`);
});

const OTHERS: readonly ToolCall[] = [
  { tool: "Read", input: { path: "src/a.ts" } },
  { tool: "Read", input: { path: ".env" } },
  { tool: "Write", input: { path: "src/a.ts", content: "" } },
  { tool: "Write", input: { path: ".git/config", content: "" } },
  { tool: "mcp__db__query", input: { sql: "select 1" } },
  { tool: "WebFetch", input: { url: "https://example.com" } },
  line("npm test"),
  line('eval "$x"'),
];

test("guard denies in every agent and mode, asks where the agent can, and is silent about the rest", () => {
  for (const agent of AGENT_NAMES) {
    const asks = capabilitiesAt(agent, "PreToolUse").ask === "prompts" ? "ask" : "deny";
    for (const mode of MODES) {
      const said = (call: ToolCall) => answer(call, { agent, mode });
      assert.equal(said(line("git reset --hard")), "deny", agent);
      assert.equal(said({ tool: "Read", input: { path: "~/.ssh/id_rsa" } }), "deny", agent);
      assert.equal(said(line("git stash drop")), asks, agent);
      assert.deepEqual(OTHERS.filter((call) => said(call) !== "silence"), [], `${agent} ${mode}`);
    }
  }
});
