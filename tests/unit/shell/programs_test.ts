import assert from "node:assert/strict";
import { test } from "node:test";
import { ProgramCatalog } from "../../../lib/shell/programs/program_catalog.ts";
import { allNames } from "../../../lib/shell/programs/texts/program_names.ts";
import { PROOF_TABLES } from "../../cases/shell/programs.ts";
import { isRunnable, type Proof, type ProofTable } from "../../support/shell_proof.ts";
import { BUILTINS, programsOf } from "../../support/shell_proof_programs.ts";
import { deviation, idleRule, objection } from "../../support/shell_proof_policy.ts";

const NAMES = allNames();

/** The cases that fail, each with its `found`. */
function faults(
  { program, proofs, harmless }: ProofTable,
): readonly { command: string; found: string }[] {
  const names = new Set(
    [...NAMES].flatMap(([name, first]) => first === program ? [name] : []),
  );
  const claims = proofs.map((proof: Proof) => ({
    command: proof.command,
    proves: proof.proves,
    found: idleRule({ proof, names }) ?? deviation({ proof, names }),
  }));
  const ordinary = harmless.map((command) => ({ command, found: objection(command) }));
  return [...claims, ...ordinary].flatMap(({ found, ...rest }) =>
    found === undefined ? [] : [{ ...rest, found }]
  );
}

for (const table of PROOF_TABLES) {
  const { program, proofs, harmless } = table;
  test(`shell program ${program}: a rule for it allows its ordinary uses, and not what it does besides`, () => {
    assert.ok(proofs.length + harmless.length > 0);
    assert.deepEqual(faults(table), []);
  });
}

test("shell programs: each has a table of proofs, and each such table a program", () => {
  const proven = PROOF_TABLES.map(({ program }) => program);
  assert.deepEqual(proven.toSorted(), new ProgramCatalog().names.toSorted());
});

test("shell programs: the proofs of most can be run, and the others have a line of a manual", () => {
  const run = PROOF_TABLES.filter(({ proofs }) => proofs.some(isRunnable));
  assert.ok(run.length >= 60, `${run.length} programs have proofs that can be run`);
  const unproven = PROOF_TABLES.flatMap(({ proofs }) => proofs)
    .filter((proof) => !isRunnable(proof) && !proof.manual);
  assert.deepEqual(unproven, []);
});

test("shell programs: each that a proof runs can say who it is", () => {
  const identities = new Set(PROOF_TABLES.flatMap(({ identity }) => Object.keys(identity ?? {})));
  const run = PROOF_TABLES.flatMap(({ proofs }) => proofs).filter(isRunnable);
  const silent = run.flatMap(({ command }) => programsOf(command).first)
    .filter((name) => !name.startsWith("/") && !identities.has(name) && !BUILTINS.has(name));
  assert.deepEqual([...new Set(silent)], []);
});

test("shell programs: what says who a program is is in its own table, and none that only repeats or complains says it", () => {
  for (const { program, identity = {} } of PROOF_TABLES) {
    for (const [name, each] of Object.entries(identity)) {
      const { arguments: words, matches } = each!;
      assert.ok(name === program || NAMES.get(name) === program, `${name} is not ${program}`);
      const line = [name, ...words].join(" ");
      for (
        const said of ["", name, words.join(" "), line, `${name}: not installed`, `usage: ${line}`]
      ) {
        assert.doesNotMatch(said, new RegExp(matches, "m"), line);
      }
    }
  }
});
