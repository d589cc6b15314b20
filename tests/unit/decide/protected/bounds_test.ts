import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, ToolCall } from "../../../../lib/model/call.ts";
import { decideInMode } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { defaultMode } from "../../../../lib/decide/modes.ts";
import { policyOf } from "../../../support/policy.ts";

const tools = {
  PowerShell: { firstArg: "command", kind: "command", class: "execute", shell: "other" },
} as const;
const POLICY = policyOf([{ pattern: "*", action: "allow", kind: "user" }], { tools });

function outcome(call: ToolCall): string {
  const { decision, decidedBy } = decideInMode(POLICY, evaluateCall(POLICY, call), defaultMode);
  return `${decision} by ${decidedBy}`;
}

function names(count: number, ending = ""): string {
  return Array.from({ length: count }, (_, index) => `q${index}${ending}`).join(" ");
}

const bash = (command: string): ToolCall => ({ tool: "Bash", input: { command } });
const shell = (command: string): ToolCall => ({ tool: "PowerShell", input: { command } });

/** Each bound: a call at it, and one beyond it, of which the rest is not looked at. */
const BOUNDS: readonly (readonly [about: string, at: ToolCall, beyond: ToolCall])[] = [
  ["files that a line writes", bash(`rm ${names(2000)}`), bash(`rm ${names(2001)}`)],
  [
    "words of a line that names a file with wildcards, where one file is not known",
    bash(`echo ${names(200, "*")}; touch "$x"`),
    bash(`echo ${names(201, "*")}; touch "$x"`),
  ],
  [
    "files that a line only reads, where one that it writes is not known",
    bash(`cat ${names(49)} .git/HEAD; touch "$x"`),
    bash(`cat ${names(50)} .git/HEAD; touch "$x"`),
  ],
  [
    "words that another shell may remove",
    shell(`Remove-Item ${names(1999)}`),
    shell(`Remove-Item ${names(2000)}`),
  ],
  [
    "words with wildcards of another shell",
    shell(`Get-Content ${names(2000, "*")}`),
    shell(`Get-Content ${names(2001, "*")}`),
  ],
];

for (const [about, at, beyond] of BOUNDS) {
  test(`a call at the bound is looked at to its end, one beyond it is asked about: ${about}`, () => {
    assert.equal(outcome(at), "allow by rule");
    assert.equal(outcome(beyond), "ask by safety");
  });
}

test("an input that is too large for its keys is looked through for names, up to 200000 values", () => {
  const check = (values: Json): string | undefined => {
    const call = { tool: "mcp__x__do", input: { values } };
    const { units } = decideInMode(POLICY, evaluateCall(POLICY, call), defaultMode);
    return units.find((unit) => unit.check !== undefined)?.check?.split(", and ")[1];
  };
  // The check of the evaluation, which no name is needed for.
  const none = "no allow rule names that field";
  const many = (count: number): Json => Array.from({ length: count }, () => 1);
  assert.equal(check([".git/config", many(30_000)]), "it names `.git`");
  assert.equal(check([{ ".git/config": 1 }, many(30_000)]), "it names `.git`");
  assert.equal(check([null, { a: [{ b: "..\\.git\\config" }] }, many(30_000)]), "it names `.git`");
  assert.equal(check([["git", "config"], many(30_000)]), none);
  assert.equal(check(many(199_998)), none);
  assert.equal(check(many(199_999)), "may name a protected file");
});

test("a file that such an input names by its keys is what is asked about", () => {
  const values = Array.from({ length: 30_000 }, () => 1);
  const call = { tool: "mcp__x__do", input: { path: ".git/x", values } };
  const { units } = decideInMode(POLICY, evaluateCall(POLICY, call), defaultMode);
  const checks = units.flatMap(({ check }) =>
    check?.startsWith("it may write `.git/x`") ? [1] : []
  );
  assert.deepEqual(checks, [1]);
});
