import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { auditLine, type AuditMeta, MAX_LINE_BYTES } from "../../../lib/audit/audit_record.ts";
import { readAuditLine } from "../../../lib/audit/read_audit.ts";
import type { ToolCall } from "../../../lib/model/call.ts";
import { decisionOf, RULE } from "./decisions.ts";

const META: AuditMeta = { time: Date.UTC(2026, 10, 22, 8), cwd: "/w" };

test("a line says what was decided, by whom, and where its rule stands", () => {
  const call = { tool: "Bash", input: { command: "git push" } };
  const decision = decisionOf(call, [{ text: "git push", kind: "call" }]);
  const line = auditLine(decision, call, { ...META, session: "s1", agent: "claude" });
  const rule = {
    pattern: "Bash:git *",
    action: "ask",
    source: "project",
    path: "/w/.caliban/permissions.toml",
    line: 4,
  };
  assert.deepEqual(JSON.parse(line), {
    v: 1,
    time: "2026-11-22T08:00:00Z",
    session: "s1",
    agent: "claude",
    cwd: "/w",
    tool: "Bash",
    input: { command: "git push" },
    verdict: "ask",
    decision: "ask",
    mode: "default",
    decidedBy: "rule",
    rule,
    reason: "the rule says so",
    units: [
      { text: "git push", kind: "call", tool: "Bash", verdict: "ask", decision: "ask", rule },
    ],
  });
});

test("no secret is in a line, wherever the decision speaks of it", () => {
  const secret = "hunter2hunter2";
  const text = `deploy --token ${secret}`;
  const call = { tool: "Bash", input: { command: text } };
  const rule = { ...RULE, pattern: `Bash:${text}`, comment: text, reason: text };
  const made = decisionOf(call, [{ text, kind: "call", rule }, { text, rule }]);
  const decision = { ...made, reason: `the allow rule \`Bash:${text}\` allows it` };
  const line = auditLine(decision, call, { ...META, session: `token=${secret}` });
  assert.ok(!line.includes(secret), line);
  assert.ok(line.includes("deploy --token [masked]"), line);
});

test("of many units the strictest are kept", () => {
  const call = { tool: "Bash", input: { command: "…" } };
  const allowed = Array.from({ length: 100 }, (_, index) => ({
    text: `echo ${index}`,
    decision: "allow" as const,
  }));
  const decision = decisionOf(call, [
    { text: "…", kind: "call", decision: "deny" },
    ...allowed,
    { text: "rm -rf /", decision: "deny" },
  ]);
  const entry = JSON.parse(auditLine(decision, call, META));
  assert.deepEqual(
    entry.units.slice(0, 3).map(({ text }: { text: string }) => text),
    ["…", "rm -rf /", "echo 0"],
  );
  assert.equal(entry.units.length + entry.moreUnits, 102);
});

test("an entry cannot be dated outside of the years that RFC 3339 has", () => {
  const call = { tool: "Bash", input: {} };
  assert.throws(() => auditLine(decisionOf(call), call, { ...META, time: NaN }), RangeError);
});

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("\n", "\0".repeat(3000), "a".repeat(9000), "\u202e\u2028", "漢".repeat(4000)),
  fc.constantFrom('{"v":1,"time":"', "x".repeat(300_000), "cat <<E\na\nE"),
);
const input = fc.dictionary(text, fc.oneof(text, fc.jsonValue({ maxDepth: 8 })), { maxKeys: 6 });

test("every line is one line, bounded, harmless on a terminal, and can be read back", () => {
  const units = fc.array(fc.record({ text }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(text, input, units, fc.option(text), (tool, input, units, session) => {
      const call = { tool, input } as ToolCall;
      const meta = { ...META, cwd: tool, ...(session === null ? {} : { session }) };
      const line = auditLine(decisionOf(call, units), call, meta);
      assert.ok(new TextEncoder().encode(line).length <= MAX_LINE_BYTES, `${line.length}`);
      assert.doesNotMatch(line.slice(0, -1), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      assert.ok(line.endsWith("}\n"));
      const { entries, whole } = readAuditLine(line.slice(0, -1));
      assert.ok(whole);
      assert.deepEqual(entries, [JSON.parse(line)]);
    }),
    { numRuns: 100 },
  );
});
