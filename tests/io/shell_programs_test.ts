import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { PROOF_TABLES } from "../cases/shell/programs.ts";
import { said } from "../support/process.ts";
import { chosenProofs, isRunnable, type Proof } from "../support/shell_proof.ts";
import { sample } from "../support/cases.ts";
import { proofIndex } from "../support/shell_proof_index.ts";
import { type Refuted, refuted, unmetNeeds, withoutProofs } from "../support/shell_proof_run.ts";
import { REPO } from "../support/spec_run.ts";

/** Proofs of a program that run, unless all do. */
const SOME = { few: 1, some: 3 } as const;
/** Proofs that run at the same time. */
const AT_ONCE = 4;
/** Programs that start before the one before them has ended. */
const AHEAD = 2;

const isRoot = process.getuid?.() === 0;
const unable = withoutProofs();
const runnable = PROOF_TABLES.map(({ program, proofs }) => ({
  program,
  proofs: proofs.filter(isRunnable),
})).filter(({ proofs }) => proofs.length > 0);
const unmet = unable === false
  ? await unmetNeeds(runnable.flatMap(({ proofs }) => proofs))
  : new Map<Proof, readonly string[]>();
const tables = runnable.map(({ program, proofs }) => {
  const here = proofs.filter((proof) => needs(proof).length === 0);
  return { program, proofs, here: chosenProofs(here, SOME) };
});
const present = tables.filter(({ here }) => here.length > 0);
const running = new Map<string, Promise<readonly Refuted[]>>();

/** The needs of a proof that this machine does not meet. */
function needs(proof: Proof): readonly string[] {
  const here = unmet.get(proof) ?? [];
  return proof.user === "root" && !isRoot ? [...here, "root"] : here;
}

/** The proofs of a program that did not hold. Those of the next programs start as well. */
function outcome(index: number): Promise<readonly Refuted[]> | undefined {
  for (const { program, here } of present.slice(index, index + AHEAD)) {
    if (!running.has(program)) running.set(program, inTurn(here));
  }
  return running.get(present[index]!.program);
}

async function inTurn(proofs: readonly Proof[]): Promise<readonly Refuted[]> {
  const found: Refuted[] = [];
  for (let at = 0; at < proofs.length; at += AT_ONCE) {
    found.push(...await refuted(proofs.slice(at, at + AT_ONCE)));
  }
  return found;
}

// Programs that were started ahead must end too if their tests do not run.
after(() => Promise.allSettled(running.values()));

for (const { program, proofs, here } of sample(tables, 100, 200)) {
  const reason = `${program} needs ${[...new Set(proofs.flatMap(needs))].join(", ")}`;
  const skip = unable !== false ? unable : here.length === 0 ? said(reason) : false;
  test(
    `shell program ${program}: what its table claims is so (${here.length} of ${proofs.length})`,
    { timeout: 300_000, skip },
    async () => {
      const index = present.findIndex((each) => each.program === program);
      assert.deepEqual(await outcome(index), []);
    },
  );
}

test("a claim that is not so is refuted", { timeout: 60_000, skip: unable }, async () => {
  const claims = [
    { command: "true", proves: "run", leaves: ["PROOF"] },
    { command: "echo so", proves: "read", prints: "not so" },
    { command: "./payload", proves: "run", leaves: ["PROOF"] },
  ];
  assert.deepEqual(await refuted(claims), [
    { command: "true", missing: ["PROOF"], printed: "" },
    { command: "echo so", missing: ['the text "not so"'], printed: "so\n" },
  ]);
});

test("a server that a proof starts is ended", { timeout: 60_000, skip: unable }, async () => {
  const seconds = 71_000 + process.pid % 1000;
  const command = `setsid sleep ${seconds} & echo $!; sleep 0.2; echo started`;
  assert.deepEqual(await refuted([{ command, proves: "run", prints: "started" }]), []);
  assert.equal(await isRunning(`sleep ${seconds} `), false);
});

/** True if a program with these words still runs after a second. */
async function isRunning(words: string): Promise<boolean> {
  const script = 'for each in /proc/[0-9]*/cmdline; do tr "\\0" " " <"$each"; echo; done';
  for (let tried = 0; tried < 10; tried++) {
    const { stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    if (!stdout.split("\n").includes(words)) return false;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return true;
}

test("the module that imports the proof tables has all of them", () => {
  const folder = join(REPO, "tests", "cases", "shell");
  const names = readdirSync(join(folder, "programs")).filter((name) => name.endsWith(".json"));
  const path = join(folder, "programs.ts");
  const text = proofIndex(names);
  if (process.env["UPDATE"] === "1") writeFileSync(path, text);
  assert.equal(readFileSync(path, "utf8"), text);
});
