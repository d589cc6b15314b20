import assert from "node:assert/strict";
import { test } from "node:test";
import { decide, policyFromToml } from "../../../lib/core.ts";

const policy = policyFromToml(
  '[[permissions.rules]]\npattern = "Bash(@read)"\naction = "allow"\n',
);

test("the units of commands and files that are read find their classes by the same function", () => {
  const call = { tool: "Bash", input: { command: "cat a.ts | sort > b.ts; make $x" } };
  const { units, verdict } = decide(policy, call);
  const searched = [...units, ...verdict.units].filter(({ kind }) =>
    /^(?:command|read)$/.test(kind)
  );
  const getters = searched.map((unit) => Object.getOwnPropertyDescriptor(unit, "classes")?.get);
  assert.ok(getters.length > 2);
  assert.equal(new Set(getters).size, 1);
  assert.notEqual(getters[0], undefined);
});

test("the classes of a unit stand among its keys, and stay with a copy", () => {
  const { verdict: { units: [unit] } } = decide(policy, {
    tool: "Bash",
    input: { command: "cat a.ts" },
  });
  // Nobody says where the name leads to.
  assert.deepEqual({ ...unit! }.classes, ["unknown"]);
  assert.deepEqual(JSON.parse(JSON.stringify(unit)).classes, ["unknown"]);
  assert.equal(Object.keys(unit!).at(-1), "classes");
});
