import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../support/seeded.ts";
import { type Hook, hooksFor } from "../../../../lib/gate/hooks/hook.ts";
import {
  foldResults,
  type HookAnswer,
  type HookDecision,
  type HookResult,
} from "../../../../lib/gate/hooks/hook_outcome.ts";
import { parseMatcher } from "../../../../lib/gate/hooks/compile_hooks.ts";
import { EVERY_TOOL } from "../../../../lib/gate/hooks/hook.ts";
import { isSameJson } from "../../../../lib/text/json_value.ts";

const HOOK: Hook = {
  event: "PreToolUse",
  matcher: EVERY_TOOL,
  command: "c",
  source: { kind: "user", path: "u.toml", line: 1, column: 1 },
};
const NOTHING = { bytes: new Uint8Array(), isCut: false };

function result(answer: Partial<HookAnswer> & { decision: HookDecision }): HookResult {
  const run = {
    end: { kind: "exited", status: 0 } as const,
    stdout: NOTHING,
    stderr: NOTHING,
    tookMs: 1,
  };
  return { hook: HOOK, run, warnings: [], ...answer };
}

test("no hook has no opinion", () => {
  assert.deepEqual(foldResults([]), { decision: "proceed", warnings: [], results: [] });
});

test("the strictest answer wins, with the reasons of all that gave it", () => {
  const { results: _, ...outcome } = foldResults([
    result({ decision: "allow", reason: "fine", warnings: ["slow"] }),
    result({ decision: "deny", reason: "one" }),
    result({ decision: "ask", reason: "sure?" }),
    result({ decision: "deny", reason: "two" }),
    result({ decision: "deny", reason: "one" }),
  ]);
  assert.deepEqual(outcome, { decision: "deny", reason: "one; two", warnings: ['hook "c": slow'] });
});

test("two inputs that differ are an ask and change nothing; the same in another order is one", () => {
  const differ = foldResults([
    result({ decision: "allow", updatedInput: { a: 1 } }),
    result({ decision: "proceed", updatedInput: { a: 2 } }),
  ]);
  assert.equal(differ.decision, "ask");
  assert.equal(differ.reason, "2 hooks set different inputs for the call");
  assert.equal(differ.updatedInput, undefined);
  const same = foldResults([
    result({ decision: "proceed", updatedInput: { a: 1, b: [{ c: null, d: 2 }] } }),
    result({ decision: "ask", reason: "r", updatedInput: { b: [{ d: 2, c: null }], a: 1 } }),
  ]);
  assert.deepEqual([same.decision, same.reason, same.updatedInput], ["ask", "r", {
    a: 1,
    b: [{ c: null, d: 2 }],
  }]);
  const denied = foldResults([
    result({ decision: "deny" }),
    result({ decision: "proceed", updatedInput: { a: 1 } }),
    result({ decision: "proceed", updatedInput: { a: 2 } }),
  ]);
  assert.deepEqual([denied.decision, denied.updatedInput], ["deny", undefined]);
});

const ORDER: readonly HookDecision[] = ["proceed", "allow", "ask", "deny"];

test("the order of the hooks decides nothing, and one more never makes it less strict", () => {
  const answer = fc.record({
    decision: fc.constantFrom(...ORDER),
    updatedInput: fc.constantFrom(undefined, undefined, { a: 1 }, { a: 2 }),
  }).map(({ decision, updatedInput }) =>
    result({ decision, ...(updatedInput && decision !== "deny" ? { updatedInput } : {}) })
  );
  fc.assert(fc.property(fc.array(answer, { maxLength: 5 }), answer, (results, more) => {
    const outcome = foldResults(results);
    const turned = foldResults(results.toReversed());
    assert.equal(turned.decision, outcome.decision);
    assert.deepEqual(turned.updatedInput, outcome.updatedInput);
    const joined = foldResults([...results, more]);
    assert.ok(ORDER.indexOf(joined.decision) >= ORDER.indexOf(outcome.decision));
    assert.ok(ORDER.indexOf(joined.decision) >= ORDER.indexOf(more.decision));
    if (joined.decision === "allow") {
      assert.ok(
        [...results, more].every(({ decision }) => decision === "allow" || decision === "proceed"),
      );
    }
  }));
});

test("values are the same JSON where their texts are, whatever the order of the keys", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  const turned = (json: unknown): unknown =>
    Array.isArray(json)
      ? json.map(turned)
      : typeof json === "object" && json !== null
      ? Object.fromEntries(
        Object.entries(json).toReversed().map(([key, each]) => [key, turned(each)]),
      )
      : json;
  fc.assert(fc.property(value, value, (one, other) => {
    const [a, b] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))];
    assert.ok(isSameJson(a, turned(a) as typeof a));
    if (JSON.stringify(a) !== JSON.stringify(b) && isSameJson(a, b)) assert.deepEqual(a, b);
    assert.equal(isSameJson(a, b), isSameJson(b, a));
  }));
  assert.ok(!isSameJson({ a: 1 }, [1]));
  assert.ok(!isSameJson({ a: null }, { b: null }));
  assert.ok(!isSameJson([1], [1, 2]));
  assert.ok(!isSameJson({}, []));
});

test("a hook runs at its own event, for the tools that its matcher fits", async () => {
  const read = await parseMatcher("Edit|Write");
  assert.ok(read.ok);
  const hooks: readonly Hook[] = [
    { ...HOOK, command: "all" },
    { ...HOOK, command: "edits", matcher: read.matcher },
    { ...HOOK, command: "after", event: "PostToolUse" },
    { ...HOOK, command: "stop", event: "Stop" },
  ];
  const scene = { sessionId: "s", cwd: "/w" };
  const call = { tool: "Write", input: {} };
  const names = (event: Parameters<typeof hooksFor>[1]) =>
    hooksFor(hooks, event).map(({ command }) => command);
  assert.deepEqual(names({ ...scene, event: "PreToolUse", call }), ["all", "edits"]);
  assert.deepEqual(names({ ...scene, event: "PreToolUse", call: { tool: "Bash", input: {} } }), [
    "all",
  ]);
  assert.deepEqual(names({ ...scene, event: "PostToolUse", call, response: null }), ["after"]);
  assert.deepEqual(names({ ...scene, event: "Stop" }), ["stop"]);
  assert.deepEqual(names({ ...scene, event: "SessionStart" }), []);
});
