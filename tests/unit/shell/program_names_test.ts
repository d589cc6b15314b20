import assert from "node:assert/strict";
import { test } from "node:test";
import { allNames, firstName } from "../../../lib/shell/programs/texts/program_names.ts";

const UNKNOWN = [
  "",
  " ",
  "\n",
  "git git",
  "git\n",
  "\ngit",
  "it",
  "gi",
  "__proto__",
  "constructor",
];

test("the first looks at the names of programs answer as all later ones", () => {
  const names = allNames();
  const [first] = [...names];
  const last = [...names].at(-1);
  const known = [first!, last!, ["egrep", names.get("egrep")!] as const];
  for (let round = 0; round < 5; round++) {
    for (const name of UNKNOWN) assert.equal(firstName(name), undefined, JSON.stringify(name));
    for (const [name, program] of known) assert.equal(firstName(name), program);
  }
  for (const [name, program] of names) assert.equal(firstName(name), program);
});
