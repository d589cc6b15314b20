import assert from "node:assert/strict";
import { test } from "node:test";
import type { HookDecision } from "../../../lib/agents/hook/hook_protocol.ts";
import { answerEvent } from "../../../lib/agents/hook/answer_event.ts";
import { eventLines, eventSession } from "../../../lib/cli/hook/log.ts";
import type { AuditRecord } from "../../../lib/audit/audit_record.ts";
import type { ToolCall } from "../../../lib/model/call.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const RULES: readonly TestRule[] = [
  { pattern: "Edit:**/.env", action: "deny", reason: "no secrets" },
  { pattern: "Bash:git push *", action: "ask" },
  { pattern: "Bash:ls *", action: "allow" },
  { pattern: "*", action: "ask", kind: "builtin" },
];

function linesOf(calls: readonly ToolCall[], emission: HookDecision): readonly AuditRecord[] {
  const event = { name: "e", calls, readings: [], folders: [], cwd: "/home/u/ws" };
  const answer = answerEvent(event, {
    policy: policyOf(RULES),
    others: [],
    mode: defaultMode,
    now: 0,
  });
  const meta = { time: 0, agent: "codex", session: "s" };
  return eventLines(event, { answer, hookDecision: emission, reason: "as it was told", meta })
    .map((line) => JSON.parse(line));
}

const bash = (command: string): ToolCall => ({ tool: "Bash", input: { command }, cwd: "/w" });

test("a call has one line, with the agent, its session and the folder", () => {
  const [line, ...more] = linesOf([bash("ls a")], "allow");
  assert.equal(more.length, 0);
  assert.deepEqual(
    [line?.agent, line?.session, line?.cwd, line?.tool, line?.decision, line?.decidedBy],
    ["codex", "s", "/w", "Bash", "allow", "rule"],
  );
});

test("a question is a question where it was asked or left to the agent, and a deny where nobody could be asked", () => {
  const short = (
    { verdict, decision, decidedBy, reason }: AuditRecord,
  ) => [verdict, decision, decidedBy, reason];
  const ask = ["ask", "ask", "rule", "the ask rule `Bash:git push *` asks about it"];
  assert.deepEqual(linesOf([bash("git push")], "ask").map(short), [ask]);
  assert.deepEqual(linesOf([bash("git push")], "silence").map(short), [ask]);
  assert.deepEqual(linesOf([bash("git push")], "deny").map(short), [
    ["ask", "deny", "headless", "as it was told"],
  ]);
});

test("each file of a patch has a line, and what stops one stops them all", () => {
  const edits = ["a.ts", ".env"].map((path) => ({ tool: "Edit", input: { path } }));
  const lines = linesOf(edits, "deny");
  assert.deepEqual(
    lines.map(({ input, decision, reason, rule }) => [
      input["path"],
      decision,
      reason,
      rule?.pattern,
    ]),
    [
      ["a.ts", "deny", "no secrets", "Edit:**/.env"],
      [".env", "deny", "no secrets", "Edit:**/.env"],
    ],
  );
});

test("a session has a name in either spelling, and an odd one is none", () => {
  assert.equal(eventSession({ session_id: "a" }), "a");
  assert.equal(eventSession({ sessionId: "b" }), "b");
  assert.equal(eventSession({ session_id: 1, conversation_id: "c" }), "c");
  assert.equal(eventSession({ session_id: "" }), undefined);
  assert.equal(eventSession({}), undefined);
});
