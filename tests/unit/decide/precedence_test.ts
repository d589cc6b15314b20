import assert from "node:assert/strict";
import { test } from "node:test";
import {
  decideByRules,
  decideUnknown,
  stepEffect,
  strictestOf,
  underMode,
  withoutPerson,
  withSafetyCheck,
} from "../../../lib/decide/precedence.ts";
import type { Action, RankedAction, SourceKind } from "../../../lib/model/call.ts";
import type { Match } from "../../../lib/model/verdict.ts";
import { parsePattern } from "../../../lib/pattern/parse_pattern.ts";
import type { CompiledRule } from "../../../lib/policy/compile/compiled_policy.ts";

/** `untrusted` is a rule of the project before its user has trusted it. */
type Row = readonly [
  action: Action,
  match: Match,
  kind?: SourceKind | "untrusted",
  pattern?: string,
];

/** The end of rules in this order: the action, the part that decided, and the place of the rule, -1 for none. */
function decided(...rows: readonly Row[]): string {
  const rules = rows.map(([action, match, named = "project", pattern = "Bash"], index) => {
    const kind = named === "untrusted" ? "project" : named;
    const source = { kind, path: "p.toml", line: 1, column: 1 };
    const parsed = parsePattern(pattern);
    assert.ok(parsed.ok);
    const rule: CompiledRule = {
      pattern,
      action,
      index,
      source,
      parsed: parsed.value,
      ...(named === "untrusted" ? { untrusted: true } : {}),
    };
    return { rule, match };
  });
  const { action, by, toolRule } = decideByRules(rules, {
    effectOf: ({ rule, match }) => stepEffect(rule, match),
  });
  return `${action} ${by} ${toolRule?.rule.index ?? -1}`;
}

test("the first rule that fits decides: a deny beats the allows below it, not those above", () => {
  assert.equal(decided(["deny", "yes"], ["allow", "yes"]), "deny rule 0");
  assert.equal(decided(["allow", "yes"], ["deny", "yes"]), "allow rule 0");
  assert.equal(decided(["allow", "no"], ["ask", "yes"], ["deny", "yes"]), "ask rule 1");
  assert.equal(decided(["allow", "no"]), "ask rule -1");
});

test("a deny or ask that cannot be evaluated leaves a deny, and makes all else a safety check", () => {
  assert.equal(decided(["deny", "indeterminate"], ["allow", "yes"]), "ask safety 0");
  assert.equal(decided(["ask", "indeterminate"], ["deny", "yes"]), "deny rule 1");
  assert.equal(decided(["ask", "indeterminate"]), "ask safety 0");
  assert.equal(decided(["allow", "yes"], ["deny", "indeterminate"]), "allow rule 0");
  assert.equal(decided(["allow", "indeterminate"], ["deny", "yes"]), "deny rule 1");
});

test("an always of the session answers an ask, and lifts no deny and no safety check", () => {
  assert.equal(decided(["allow", "yes", "session"], ["ask", "yes"]), "allow rule 0");
  assert.equal(decided(["allow", "yes", "command"]), "allow rule 0");
  assert.equal(decided(["allow", "yes", "session"], ["deny", "yes"]), "deny rule 1");
  assert.equal(decided(["allow", "yes", "session"], ["ask", "indeterminate"]), "ask safety 1");
  assert.equal(decided(["deny", "yes", "session"], ["allow", "yes"]), "deny rule 0");
});

test("an ask of an untrusted workspace stands above an allow, and never in for a deny or a weightier ask", () => {
  const git = "Bash:git *";
  assert.equal(decided(["ask", "yes", "untrusted"], ["allow", "yes", "user"]), "ask rule 0");
  assert.equal(decided(["ask", "yes", "untrusted", git], ["deny", "yes", "user"]), "deny rule 1");
  assert.equal(decided(["ask", "yes", "untrusted"], ["ask", "yes", "user", git]), "ask rule 1");
  assert.equal(decided(["ask", "yes", "untrusted", git], ["ask", "yes", "user"]), "ask rule 0");
  assert.equal(decided(["ask", "yes", "untrusted"], ["ask", "yes", "builtin"]), "ask rule 0");
  assert.equal(decided(["ask", "yes", "untrusted"]), "ask rule 0");
  assert.equal(
    decided(["ask", "yes", "untrusted"], ["ask", "yes", "untrusted", git], ["allow", "yes"]),
    "ask rule 1",
  );
  const doubt = ["deny", "indeterminate", "user"] as const;
  assert.equal(decided(["ask", "yes", "untrusted"], doubt, ["allow", "yes"]), "ask safety 1");
  assert.equal(decided(["deny", "yes", "untrusted"], ["ask", "yes", "user"]), "deny rule 0");
});

const rule = (action: Action) => ({ action, by: "rule" }) as const;
const safety = { action: "ask", by: "safety" } as const;

test("a call is as strict as its strictest unit", () => {
  const strictest = (...units: readonly RankedAction[]) => strictestOf(units, (unit) => unit);
  assert.equal(strictest(rule("allow"), rule("deny"), safety).action, "deny");
  assert.equal(strictest(rule("ask"), safety, rule("allow")), safety);
  assert.throws(() => strictest(), TypeError);
});

test("unknown effects and protected files ask, and a deny stays a deny", () => {
  assert.equal(decideUnknown("ask", false), "safety");
  assert.equal(decideUnknown("ask", true), "rule");
  assert.deepEqual(withSafetyCheck(rule("allow"), "why"), { ...safety, reason: "why" });
  assert.deepEqual(withSafetyCheck(rule("deny"), "why"), rule("deny"));
});

test("a mode answers asks, allows no safety check, and only bypass changes what rules decided", () => {
  const answer = (decision: Action) => () => ({ decision });
  const under = (unit: RankedAction, decision: Action, lifts = false) =>
    underMode({ ...unit, lifts }, answer(decision))?.decision;
  assert.equal(under(rule("ask"), "allow"), "allow");
  assert.equal(under(safety, "allow"), undefined);
  assert.equal(under(safety, "deny"), "deny");
  assert.equal(under(rule("deny"), "allow"), undefined);
  assert.equal(under(rule("allow"), "deny"), undefined);
  assert.equal(under(rule("deny"), "allow", true), "allow");
});

test("without a person flags answer, and none allows a safety check", () => {
  assert.equal(withoutPerson("rule", { autoAllow: true, headless: true }), "auto-allow");
  assert.equal(withoutPerson("safety", { autoAllow: true, headless: true }), "headless");
  assert.equal(withoutPerson("safety", { autoAllow: true }), undefined);
});
