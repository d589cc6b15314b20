import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { decodeFast } from "../../lib/policy/decode/decode_fast.ts";
import { addToRules, textThatTells } from "../../lib/policy/edit/add_to_rules.ts";
import { adder, entryAdder } from "../../lib/suggest/policy_with_texts.ts";
import { evaluate, evaluateCall } from "../../lib/decide/evaluate.ts";
import type { Action } from "../../lib/model/call.ts";
import type { SourceEntry } from "../../lib/model/rule.ts";
import { modeNamed } from "../../lib/decide/modes.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { decideCall } from "../../lib/suggest/ways_to_allow.ts";
import { exactPattern, narrowPattern } from "../../lib/suggest/call_pattern.ts";
import {
  findSuggestedRule,
  nextSuggestedRule,
  type PlacedSuggestedRule,
  type Scope,
} from "../../lib/suggest/find_suggested_rule.ts";
import type { Adding } from "../../lib/suggest/policy_with_rules.ts";
import { anySources, fileEntry, flagEntry, loaded, NOW, type Sources } from "./random_sources.ts";

const RUNS = { numRuns: 600, seed: 7 };
const SCOPES: readonly Scope[] = ["project", "user", "local"];

function addingOf({ profiles }: CompiledPolicy): Adding {
  return {
    files: SCOPES.map((scope) => ({ scope, path: `/${scope}.toml` })),
    add: entryAdder(profiles),
  };
}

/** As `check` adds, which parses no text. */
function addingByRules(policy: CompiledPolicy): Adding {
  const { profiles } = policy;
  return {
    ...addingOf(policy),
    add: (entry, { first, ...rule }) =>
      addToRules(entry, { rule, first, profiles, placeAmong: () => undefined }),
  };
}

/** The action of the rules for the call once a person did as the remedy says; undefined if that cannot be done. */
function after({ entries, call }: Sources, { remedy, policy }: Applied): Action | undefined {
  const changed = remedy.scope === "line"
    ? withFlag(entries, remedy)
    : written(entries, { remedy, policy, scope: remedy.scope });
  const next = changed && loaded(changed);
  return next && evaluate(next, call, { now: NOW }).action;
}

interface Applied {
  readonly remedy: PlacedSuggestedRule;
  readonly policy: CompiledPolicy;
}

/** The command line with one flag more, before the others. */
function withFlag(
  entries: readonly SourceEntry[],
  remedy: PlacedSuggestedRule,
): readonly SourceEntry[] {
  const managed = entries.filter(({ kind }) => kind === "managed");
  return [...managed, flagEntry(remedy), ...entries.filter((entry) => !managed.includes(entry))];
}

/** The sources after `add`, which leaves the trust as it is. */
function written(
  entries: readonly SourceEntry[],
  { remedy, policy, scope }: Applied & { readonly scope: Scope },
): readonly SourceEntry[] | undefined {
  const old = entries.find(({ kind }) => kind === scope);
  if (old === undefined || old.state === "off") return undefined;
  const text = adder(policy.profiles)(old.text ?? "", remedy);
  if (text === undefined) return undefined;
  const { trusted } = old;
  return entries.map((entry) =>
    entry === old ? { ...entry, ...fileEntry(scope, { text, trusted }) } : entry
  );
}

test("what findRemedy offers does what it promises, once it is added", () => {
  const found = new Map<string, number>();
  fc.assert(
    fc.property(anySources, (sources) => {
      const { entries, call } = sources;
      const policy = loaded(entries)!;
      const evaluation = evaluateCall(policy, call, { now: NOW });
      const { verdict } = evaluation;
      const adding = addingOf(policy);
      const remedy = findSuggestedRule(policy, { evaluation, adding, now: NOW });
      if (remedy === null) return;
      const key = `${remedy.action} ${remedy.scope}${remedy.first ? " first" : ""}`;
      found.set(key, (found.get(key) ?? 0) + 1);
      assert.equal(after(sources, { remedy, policy }), remedy.action);
      assert.notEqual(remedy.action, verdict.action);
    }),
    RUNS,
  );
  for (const place of ["allow project", "allow user", "allow local", "deny project"]) {
    const count = [...found].filter(([key]) => key.startsWith(place)).map(([, count]) => count);
    assert.ok(count.reduce((sum, each) => sum + each, 0) > enough(0), `${place}: ${count}`);
  }
});

test("where findRemedy offers nothing, no rule to the letter helps", () => {
  let none = 0;
  fc.assert(
    fc.property(anySources, (sources) => {
      const { entries, call } = sources;
      const policy = loaded(entries)!;
      const evaluation = evaluateCall(policy, call, { now: NOW });
      const { verdict } = evaluation;
      const options = { evaluation, adding: addingOf(policy), now: NOW };
      const pattern = exactPattern(policy.request(call));
      if (pattern === undefined || findSuggestedRule(policy, options) !== null) return;
      none++;
      const action = verdict.action === "allow" ? "deny" : "allow";
      const scopes = [...SCOPES, "line"] as const;
      for (const scope of scopes) {
        for (const first of [true, false]) {
          const remedy = { pattern, action, scope, first } as const;
          assert.notEqual(after(sources, { remedy, policy }), action);
        }
      }
    }),
    RUNS,
  );
  assert.ok(none > enough(20), `only ${none}`);
});

test("the command that check shows allows the call, once it is run", () => {
  let [shown, told] = [0, 0];
  fc.assert(
    fc.property(anySources, (sources) => {
      const { entries, call } = sources;
      const policy = loaded(entries)!;
      const evaluation = evaluateCall(policy, call, { now: NOW });
      const adding = addingOf(policy);
      const remedy = nextSuggestedRule(policy, { evaluation, adding, now: NOW });
      const texts = entries.map(textThatTells).filter((text) => text !== undefined);
      if (texts.every((text) => decodeFast(text) !== undefined)) {
        const byRules = { evaluation, adding: addingByRules(policy), now: NOW };
        assert.deepEqual(nextSuggestedRule(policy, byRules), remedy);
        told++;
      }
      if (remedy === undefined) return;
      shown++;
      assert.equal(after(sources, { remedy, policy }), "allow");
    }),
    RUNS,
  );
  assert.ok(shown > enough(50) && told > enough(100), `only ${shown} and ${told}`);
});

test("a headless deny names a flag exactly where that flag allows the call", () => {
  const mode = modeNamed("default")!;
  const named = { yes: 0, no: 0 };
  fc.assert(
    fc.property(anySources, (sources) => {
      const { entries, call } = sources;
      const policy = loaded(entries)!;
      const { reason, decidedBy, decision, verdict } = decideCall(policy, call, {
        mode,
        headless: true,
        now: NOW,
      });
      assert.notEqual(decision, "ask");
      const ways = /; ((?:--permission-mode acceptEdits)?(?: or )?(?:--allow .*)?) would allow it$/s
        .exec(reason)?.[1] ?? "";
      const patterns = [...ways.matchAll(/--allow '([^']*)'/g)].map(([, each]) => each!);
      const [pattern, ...more] = patterns;
      if (ways.startsWith("--permission-mode")) {
        const moded = { mode: modeNamed("acceptEdits")!, now: NOW };
        assert.equal(decideCall(policy, call, moded).decision, "allow");
      }
      if (more.length > 0) return;
      const allowed = (pattern: string) => {
        const remedy = { pattern, action: "allow", scope: "line", first: true } as const;
        return after(sources, { remedy, policy }) === "allow";
      };
      if (pattern !== undefined) {
        named.yes++;
        assert.deepEqual([decidedBy, verdict.action, decision], ["headless", "ask", "deny"]);
        assert.ok(allowed(pattern));
      } else if (decidedBy === "headless" && verdict.by === "rule") {
        named.no++;
        const narrow = narrowPattern(policy.request(call));
        assert.ok(narrow === undefined || /['\p{C}]/u.test(narrow) || !allowed(narrow));
      }
    }),
    RUNS,
  );
  assert.ok(named.yes > enough(50) && named.no > enough(5), JSON.stringify(named));
});
