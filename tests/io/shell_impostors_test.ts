import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { allNames } from "../../lib/shell/programs/texts/program_names.ts";
import { PROOF_TABLES } from "../cases/shell/programs.ts";
import { CASES, casesText, sample } from "../support/cases.ts";
import { commandOf, environment, HERE } from "../support/process.ts";
import { isRunnable } from "../support/shell_proof.ts";
import { BUILTINS, IDENTITIES, programsOf } from "../support/shell_proof_programs.ts";
import { unmetNeeds, withoutProofs } from "../support/shell_proof_run.ts";
import { OWN, strangers } from "../support/shell_identity.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Programs that stand in for another: they do the wrong thing, or say the wrong words. */
const IMPOSTORS: Readonly<Record<string, string>> = {
  picture: "printf '\\211PNG\\r\\n\\032\\n'",
  complaint: 'echo "${0##*/}: ${0##*/} is not installed here" >&2; exit 1',
  "complaint that ends well": 'echo "${0##*/} 1.2.3 is not installed: try apt install ${0##*/}"',
  silence: "exit 0",
  "another program": 'echo "impostor 9.9 (GNU nothing)"',
  echo: 'echo "${0##*/} $*"',
};
const LONG = { timeout: 300_000 };
const unable = withoutProofs();
const proofs = PROOF_TABLES.flatMap((table) => table.proofs).filter(isRunnable);
const named = [...new Set([...allNames().keys(), ...IDENTITIES.keys()])]
  .filter((name) => !name.includes("/") && !BUILTINS.has(name));

/** Runs `use` with a PATH whose first folder has an impostor for every program of the catalogue, but for some. */
function withImpostors<T>(
  { text, but }: { readonly text: string; readonly but: readonly string[] },
  use: (path: string) => T | Promise<T>,
): Promise<T> {
  return withTempDir((top) => {
    const folder = join(top, "impostors");
    mkdirSync(folder);
    writeFileSync(join(top, "impostor"), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const chosen = named.filter((name) => !but.includes(name));
    for (const name of chosen) symlinkSync("../impostor", join(folder, name));
    return use(`${folder}:${process.env["PATH"]}`);
  });
}

const texts = Object.entries(IMPOSTORS);
const tried = sample(texts, 1, 2);

for (const [name, text] of tried) {
  test(
    `no proof runs where each program is an impostor, and each says why (${name})`,
    { ...LONG, skip: unable },
    () =>
      withImpostors({ text, but: OWN }, async (path) => {
        const unmet = await unmetNeeds(proofs, path);
        const trusting = proofs.filter((proof) => {
          const { first } = programsOf(proof.command);
          const isOurs = (each: string) =>
            OWN.includes(each) || BUILTINS.has(each) || each.startsWith("/");
          return unmet.get(proof)!.length === 0 && !first.every(isOurs);
        });
        assert.deepEqual(trusting.map(({ command }) => command), []);
      }),
  );
}

test(
  "where the first folder of the PATH has nothing but impostors, no test of a proof fails",
  { ...LONG, skip: unable || HERE !== "deno" && "it is tried under Deno" },
  async () => {
    const [, text] = texts[CASES.seed % texts.length]!;
    for (const but of [OWN, []]) {
      await withImpostors({ text, but }, (path) => {
        const args = ["test", "--no-prompt", "--no-check", "--allow-all"];
        const file = "tests/io/shell_programs_test.ts";
        const cases = `--cases=${casesText({ ...CASES, amount: "few" })}`;
        const { status, stdout, stderr } = spawnSync(
          commandOf("deno"),
          [...args, file, "--", cases],
          { cwd: REPO, encoding: "utf8", env: { ...environment(), NO_COLOR: "1", PATH: path } },
        );
        assert.equal(status, 0, stdout + stderr);
        assert.match(stdout, / 0 failed \| \d{2,} ignored /);
        assert.match(
          stdout + stderr,
          but.length > 0 ? /: (\w+) needs \1: "\1 --version" ends/ : /: needs bash, /,
        );
      });
    }
  },
);

test(
  "who does not say who it is in time, says nothing",
  { ...LONG, skip: unable },
  () =>
    withImpostors({ text: "exec /bin/sleep 60 || while :; do :; done", but: OWN }, async (path) => {
      const began = performance.now();
      const strange = await strangers(["cat"], { environment: () => ({ PATH: path }), limit: 1 });
      assert.match(strange.get("cat")!, /^cat: "cat --version" ends with 124 and says ""$/);
      assert.ok(performance.now() - began < 20_000);
    }),
);
