import assert from "node:assert/strict";
import { test } from "node:test";
import { differences } from "../../lib/analysis/differences.ts";
import { entryOfText } from "../../lib/cli/input/operand_entries.ts";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { readPolicyJson } from "../../lib/agents/convert/read_policy_json.ts";
import type { PolicyFile } from "../../lib/model/rule.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { printPolicyJson } from "../../lib/policy/edit/print_policy.ts";
import { settingChanges } from "../../lib/report/diff/diff_settings.ts";
import { mergedFile } from "../../lib/policy/sources/merged_file.ts";
import { enough } from "../support/cases.ts";
import { anyCall } from "../support/arbitrary.ts";
import fc from "../support/seeded.ts";
import { anySources, loaded, NOW } from "./random_sources.ts";

/** The policy of sources, and the one that its export to JSON is. */
function exported(
  entries: Parameters<typeof loaded>[0],
): readonly [CompiledPolicy, CompiledPolicy] {
  const policy = loaded(entries)!;
  const text = printPolicyJson(mergedFile(policy.sources).file);
  const builtin = entries.filter(({ kind }) => kind === "builtin");
  const again = loaded([entryOfText(text, "/export.json"), ...builtin]);
  assert.ok(again, text);
  return [policy, again];
}

/** Sources without a tool or an ask of a workspace which is not trusted: an export says that it differs there. */
const tellable = anySources.filter(({ entries }) => {
  const { tools, rules } = loaded(entries)!.sources;
  return [...tools.values()].every(({ isUntrusted }) => !isUntrusted) &&
    rules.every(({ action, untrusted }) => action !== "ask" || !untrusted);
});

test("an exported policy says the same of every call, and has the same settings", () => {
  fc.assert(
    fc.property(tellable, fc.array(anyCall, { maxLength: 4 }), ({ entries, call }, calls) => {
      const [policy, again] = exported(entries);
      for (const each of [call, ...calls]) {
        assert.equal(
          evaluate(again, each, { now: NOW }).action,
          evaluate(policy, each, { now: NOW }).action,
        );
      }
      assert.deepEqual(settingChanges(policy, again), []);
    }),
    { numRuns: 150 },
  );
});

test("an exported policy differs in nothing, and no difference is made up", () => {
  let found = 0;
  fc.assert(
    fc.property(tellable, anySources, (one, other) => {
      const [policy, again] = exported(one.entries);
      assert.deepEqual(differences(policy, again, { now: NOW }).groups, []);
      const second = loaded(other.entries)!;
      for (const { witness, was, now } of differences(policy, second, { now: NOW }).groups) {
        found++;
        assert.equal(evaluate(policy, witness, { now: NOW }).action, was.action);
        assert.equal(evaluate(second, witness, { now: NOW }).action, now.action);
        assert.notEqual(was.action, now.action);
      }
    }),
    { numRuns: 25 },
  );
  assert.ok(found > enough(20), `only ${found}`);
});

test("any JSON is read without an error being thrown, and what is no policy is told", () => {
  const key = fc.constantFrom("permissions", "rules", "pattern", "action", "tools", "shell", "x");
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 0, "allow", "Bash", ""),
      fc.dictionary(key, tie("value")),
      fc.array(tie("value"), { maxLength: 3 }),
    ),
  }));
  fc.assert(fc.property(value, fc.nat(60), (json, cut) => {
    const text = JSON.stringify(json, null, 1);
    const whole: PolicyFile = readPolicyJson(text);
    const isObject = typeof json === "object" && json !== null && !Array.isArray(json);
    if (!isObject) assert.ok(whole.problems.length > 0);
    if (text.includes("null")) assert.ok(whole.problems.length > 0);
    const part = readPolicyJson(text.slice(0, cut));
    for (const { problems } of [whole, part]) {
      for (const { span } of problems) assert.ok(span.line >= 1 && span.column >= 1);
    }
  }));
});
