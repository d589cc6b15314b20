/** Verdicts at the edge: of a moment, of a list, of a search. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import type { ToolCall } from "../../../lib/model/call.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

interface Edge {
  readonly title: string;
  readonly rules: readonly TestRule[];
  readonly call: ToolCall;
  readonly is: string;
  readonly now?: number;
}

const TOOLS = {
  PowerShell: { firstArg: "command", kind: "command", class: "execute", shell: "other" },
} as const;
const shell = (command: string): ToolCall => ({ tool: "PowerShell", input: { command } });
const allow = (pattern: string): TestRule => ({ pattern, action: "allow" });
const deny = (pattern: string): TestRule => ({ pattern, action: "deny" });

const EDGES: readonly Edge[] = [
  {
    title: "an allow rule has ended at the millisecond of its end",
    rules: [{ ...allow("Query"), expiresAt: 100 }],
    call: { tool: "Query", input: {} },
    now: 100,
    is: "ask rule",
  },
  {
    title: "an allow rule holds in the millisecond before its end",
    rules: [{ ...allow("Query"), expiresAt: 101 }],
    call: { tool: "Query", input: {} },
    now: 100,
    is: "allow rule",
  },
  {
    title: "the folder of a search is read, whatever its glob leads to",
    rules: [deny("Read:secrets"), allow("Grep")],
    call: { tool: "Grep", input: { path: "secrets", glob: "../x" } },
    is: "deny rule",
  },
  {
    title: "a deny rule matches a line of another shell as it is written, blanks included",
    rules: [deny("PowerShell:c  d*"), allow("PowerShell")],
    call: shell("c  d"),
    is: "deny rule",
  },
  {
    title: "an allow rule of fields is not the very line that names a protected file",
    rules: [allow("PowerShell(command!=rm *)")],
    call: shell("Remove-Item .git/config"),
    is: "ask safety",
  },
  {
    title: "a line of another shell that names more files than are looked at is a question",
    rules: [allow("PowerShell")],
    call: shell(`Remove-Item ${"x ".repeat(2_200)}.git`),
    is: "ask safety",
  },
];

for (const { title, rules, call, is, now = 0 } of EDGES) {
  test(title, () => {
    const policy = policyOf(rules, { tools: TOOLS });
    const { decision, decidedBy } = decide(policy, evaluateCall(policy, call, { now }), {
      mode: defaultMode,
    });
    assert.equal(`${decision} ${decidedBy}`, is);
  });
}
