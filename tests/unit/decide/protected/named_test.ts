import assert from "node:assert/strict";
import { test } from "node:test";
import keys from "../../../../defaults/tools.json" with { type: "json" };
import { decide } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { defaultMode, MODES } from "../../../../lib/decide/modes.ts";
import { allPlaces, placeName } from "../../../../lib/decide/protected/protected_places.ts";
import type { JsonObject, ToolCall } from "../../../../lib/model/call.ts";
import calls from "../../../cases/protected/named.json" with { type: "json" };
import { policyOf, type PolicyOptions, type TestRule } from "../../../support/policy.ts";

const ALL: TestRule = { pattern: "*", action: "allow", kind: "user" };

function decided(
  call: ToolCall,
  rules: readonly TestRule[],
  { mode = defaultMode, ...options }: PolicyOptions & { mode?: typeof defaultMode } = {},
) {
  const policy = policyOf(rules, options);
  return decide(policy, evaluateCall(policy, call), { mode, autoAllow: true });
}

function callOf([tool, input]: readonly unknown[]): ToolCall {
  return { tool: tool as string, input: input as JsonObject };
}

test(`a tool that may write is asked about protected files that it names, in every mode (${calls.asks.length})`, () => {
  for (const mode of MODES.filter((each) => !each.liftsDenials)) {
    const passed = calls.asks.filter((call) =>
      decided(callOf(call), [ALL], { mode }).decision === "allow"
    );
    assert.deepEqual(passed, [], mode.name);
  }
  for (const call of calls.asks) {
    assert.equal(decided(callOf(call), [ALL]).decidedBy, "safety", JSON.stringify(call));
  }
});

test(`what only reads, or names no protected file, is asked about by none (${calls.passes.length})`, () => {
  const asked = calls.passes.filter((call) => decided(callOf(call), [ALL]).decision !== "allow");
  assert.deepEqual(asked, []);
});

test("every place counts under every key of files", () => {
  for (const place of allPlaces().filter(({ base }) => base === "any")) {
    const path = placeName(place).replace("*", "a");
    for (const key of [...keys.keys.files, ...keys.keys.may_files]) {
      const call = { tool: "mcp__x__do", input: { [key]: path } };
      assert.equal(decided(call, [ALL]).decidedBy, "safety", `${key} ${path}`);
    }
  }
});

test("the question names the argument, and a rule that names the place in it answers", () => {
  const call = callOf(["mcp__fs__write", { path: ".git/hooks/x" }]);
  const unit = decided(call, [ALL]).units.at(-1)!;
  assert.deepEqual([unit.text, unit.via], [".git/hooks/x", 'the argument "path"']);
  const rule = (pattern: string, kind: TestRule["kind"] = "user"): TestRule => ({
    pattern,
    action: "allow",
    kind: kind!,
  });
  const table: readonly (readonly [rules: readonly TestRule[], decision: string])[] = [
    [[rule("mcp__fs__write:path=.git/hooks/*")], "allow"],
    [[rule("mcp__fs__write:path=/home/u/ws/.git/**")], "allow"],
    [[rule("mcp__fs__write"), rule("Write:.git/hooks/**")], "allow"],
    [[rule("mcp__fs__write:path=*")], "ask"],
    [[rule("mcp__fs__write:path=.g*")], "ask"],
    [[rule("mcp__fs__write:path=.g*it/**")], "ask"],
    [[rule("mcp__fs__write:path!=x,path=.git*/**")], "ask"],
    [[rule("mcp__fs__write:to=.git/*"), ALL], "ask"],
  ];
  for (const [rules, decision] of table) {
    assert.equal(decided(call, rules).decision, decision, JSON.stringify(rules));
  }
  const own = callOf(["mcp__fs__write", { path: ".caliban/permissions.toml" }]);
  const pattern = "mcp__fs__write:path=.caliban/*";
  assert.equal(decided(own, [rule(pattern, "project")]).decision, "ask");
  assert.equal(decided(own, [rule(pattern)]).decision, "allow");
});

test("a policy says that a tool only reads; of one that it describes the first argument counts", () => {
  const call = callOf(["mcp__fs__do", { path: ".git/x" }]);
  const outcome = (table: NonNullable<PolicyOptions["tools"]>[string]) =>
    decided(call, [ALL], { tools: { mcp__fs__do: table } }).decision;
  assert.equal(outcome({ class: "read" }), "allow");
  assert.equal(outcome({ class: "edit" }), "ask");
  assert.equal(outcome({ firstArg: "path", kind: "path" }), "ask");
  assert.equal(outcome({ firstArg: "path", kind: "path", class: "execute" }), "ask");
  assert.equal(outcome({ firstArg: "path", kind: "path", class: "read" }), "allow");
  assert.equal(outcome({ firstArg: "path", kind: "path", isUntrusted: true }), "ask");
});

test("files within the URL of a described tool count, and the call itself is asked about", () => {
  const tools = { mcp__fs__do: { firstArg: "target", kind: "url" } } as const;
  const call = (target: string) => callOf(["mcp__fs__do", { target }]);
  const check = (target: string) =>
    decided(call(target), [ALL], { tools }).units.find((unit) => unit.check !== undefined);
  assert.equal(check("memfs:/srv/.git/config")?.kind, "call");
  assert.equal(check("memfs:/srv/.git/config")?.via, null);
  assert.equal(check("memfs:/srv/a.ts"), undefined);
  const path = { mcp__fs__do: { firstArg: "path", kind: "path" } } as const;
  const { units } = decided(callOf(["mcp__fs__do", { path: ".git/x" }]), [ALL], { tools: path });
  const checked = units.filter((unit) => unit.check !== undefined);
  assert.deepEqual(checked.map(({ kind, via }) => [kind, via])[0], ["call", null]);
});

test("a deny stays a deny", () => {
  const call = callOf(["mcp__fs__write", { path: ".git/hooks/x" }]);
  const deny: TestRule = { pattern: "Write:**/.git/**", action: "deny", kind: "user" };
  assert.equal(decided(call, [deny, ALL]).decision, "deny");
});
