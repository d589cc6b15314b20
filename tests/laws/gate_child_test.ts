import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { openPolicyOf } from "../../lib/decide/policy.ts";
import { createGate } from "../../lib/gate/create_gate.ts";
import type { ChildGate, ChildOptions } from "../../lib/gate/gate.ts";
import { CHILD_POLICIES } from "../../lib/gate/gate.ts";
import { type ModeName, strictness } from "../../lib/model/call.ts";
import { person } from "../unit/gate/scene.ts";
import { anyOutcomes, anyScene, BROKEN, type Outcomes, partsFor } from "./gate_outcomes.ts";

const anyKinds = fc.array(fc.constantFrom(...CHILD_POLICIES), { minLength: 1, maxLength: 3 });
const anyList = fc.array(fc.constantFrom("*", "Bash", "Bash(git:*)", "Read", "Write", "mcp__*"), {
  minLength: 1,
  maxLength: 3,
});
const anyMode = fc.constantFrom<ModeName | undefined>(undefined, "bypassPermissions");

/** The gate of a sub-agent's sub-agent, one for each kind; who answers it answers as the parent's person does. */
function descendant(
  parent: ChildGate,
  { kinds, allow, outcomes: { ask } }: {
    readonly kinds: readonly (typeof CHILD_POLICIES)[number][];
    readonly allow: readonly string[];
    readonly outcomes: Outcomes;
  },
): ChildGate {
  const own = ask === undefined || ask === BROKEN ? person("deny-once") : person(ask);
  return kinds.reduce((gate, policy) => {
    const options: ChildOptions = policy === "preapproved"
      ? { policy, allow }
      : policy === "prompt"
      ? { policy, ask: own }
      : { policy };
    return gate.child(options);
  }, parent);
}

test("a sub-agent is never looser than its parent, nor its sub-agent than it", async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      anyScene,
      anyOutcomes,
      anyKinds,
      anyList,
      anyMode,
      async ({ call, policy }, outcomes, kinds, allow, mode) => {
        const decided = async (generations: number) => {
          const parts = partsFor(outcomes, call);
          if (mode !== undefined) parts.mode.set(mode);
          const gate = createGate({ policy: openPolicyOf(policy), ...parts });
          const family = { kinds: kinds.slice(0, generations), allow, outcomes };
          return (await descendant(gate, family).decide(call)).decision;
        };
        for (let generation = 1; generation <= kinds.length; generation++) {
          const [parent, child] = [await decided(generation - 1), await decided(generation)];
          const key = `${parent} ${child}`;
          seen.set(key, (seen.get(key) ?? 0) + 1);
          assert.ok(strictness(child) >= strictness(parent), key);
        }
      },
    ),
    { numRuns: 1_000 },
  );
  assert.ok(
    (seen.get("allow allow") ?? 0) > enough(20) && (seen.get("allow deny") ?? 0) > enough(20),
  );
});
