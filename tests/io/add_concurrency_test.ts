import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "smol-toml";
import { lockPath } from "../../lib/io/write/file_lock.ts";
import { CASES, sample } from "../support/cases.ts";
import {
  type Ended,
  endOf,
  finish,
  PROGRAMS,
  start,
  starter,
  treeOf,
  TRIED,
  unwrapped,
  without,
} from "../support/process.ts";
import { withTempDir } from "../support/temp_dir.ts";

const ADDERS = { few: 12, some: 20, all: 50 }[CASES.amount];
const BOTH = { timeout: 120_000, skip: without("deno") || without("bun") };
const KILLS = { few: 4, some: 8, all: 24 }[CASES.amount];

interface Workspace {
  /** The folder that commands run in; the home, to which Bun writes what it compiled, is beside it. */
  readonly cwd: string;
  /** Its policy file; its folder is there, the file is not. */
  readonly policy: string;
}

function inWorkspace(use: (workspace: Workspace) => Promise<void>): Promise<void> {
  return withTempDir((folder) => {
    const cwd = join(folder, "work");
    mkdirSync(join(cwd, ".caliban"), { recursive: true });
    return use({ cwd, policy: join(cwd, ".caliban/permissions.toml") });
  });
}

function homeOf(cwd: string): { HOME: string } {
  return { HOME: join(cwd, "../home") };
}

/** The words of `perms add`; every other process runs under Bun. */
function adding(index: number, pattern: string): readonly string[] {
  return [...starter(PROGRAMS[index % 2] ?? "deno"), "perms", "add", pattern, "allow"];
}

function add(index: number, { pattern, cwd }: { pattern: string; cwd: string }): Promise<Ended> {
  return finish(adding(index, pattern), { cwd, env: homeOf(cwd) });
}

/** The patterns of a policy file, as another TOML parser reads it; every rule must be whole. */
function patternsIn(path: string): readonly string[] {
  const text = readFileSync(path, "utf8");
  const { permissions } = parse(text) as { permissions?: { rules?: Record<string, unknown>[] } };
  return (permissions?.rules ?? []).map((rule) => {
    assert.deepEqual(Object.keys(rule), ["pattern", "action"], text);
    assert.equal(rule["action"], "allow", text);
    return String(rule["pattern"]);
  });
}

test(
  `of ${ADDERS} processes that add at once, half of them under Bun, none loses a rule`,
  BOTH,
  () =>
    inWorkspace(async ({ cwd, policy }) => {
      const patterns = Array.from({ length: ADDERS }, (_, index) => `Bash(program${index}:*)`);
      const ended = await Promise.all(
        patterns.map((pattern, index) => add(index, { pattern, cwd })),
      );
      for (const { status, stderr } of ended) assert.equal(status, 0, stderr);
      assert.deepEqual(patternsIn(policy).toSorted(), patterns.toSorted());
      assert.deepEqual(readdirSync(join(cwd, ".caliban")), [
        "permissions.schema.json",
        "permissions.toml",
      ]);
    }),
);

test(
  "of eight processes that add the same rule at once, one does",
  BOTH,
  () =>
    inWorkspace(async ({ cwd, policy }) => {
      const indexes = Array.from({ length: 8 }, (_, index) => index);
      const ended = await Promise.all(indexes.map((index) => add(index, { pattern: "Bash", cwd })));
      const added = ended.filter(({ stdout }) => stdout.startsWith("Added "));
      const nothing = ended.filter(({ stdout }) => stdout.startsWith("Nothing to add: "));
      assert.deepEqual([added.length, nothing.length], [1, 7]);
      assert.deepEqual(patternsIn(policy), ["Bash"]);
    }),
);

test(
  "kill -9 during add leaves the old file or the new one, and the next gets past its lock",
  BOTH,
  () =>
    inWorkspace(async ({ cwd, policy }) => {
      const kept = Array.from({ length: 200 }, (_, index) => `Bash:kept${index} *`);
      const rule = (pattern: string) =>
        `[[permissions.rules]]\npattern = "${pattern}"\naction = "allow"\n`;
      writeFileSync(policy, kept.map(rule).join("\n"));
      const lock = lockPath(policy);
      let known: readonly string[] = kept;
      for (let index = 0; index < KILLS || !isFresh(lock); index++) {
        assert.ok(index < 4 * KILLS, "no kill hit a process that held the lock");
        makeOld(lock);
        const pattern = `Bash:new${index} *`;
        const child = start(adding(index, pattern), { cwd, env: homeOf(cwd) });
        const ended = endOf(child);
        await killTime({ index, lock, isOver: () => child.exitCode !== null });
        child.kill("SIGKILL");
        await ended;
        const now = patternsIn(policy);
        assert.deepEqual(now, now.length > known.length ? [...known, pattern] : known);
        known = now;
      }
      const started = Date.now();
      const { status, stderr } = await add(0, { pattern: "Bash:last *", cwd });
      assert.equal(status, 0, stderr);
      assert.ok(Date.now() - started < 10_000, `${Date.now() - started} ms`);
      assert.deepEqual(patternsIn(policy), [...known, "Bash:last *"]);
    }),
);

/** Waits for the moment to kill: any for every other process, else that in which the lock is held. */
async function killTime(
  { index, lock, isOver }: { index: number; lock: string; isOver: () => boolean },
): Promise<void> {
  if (index < KILLS && index % 2 === 0) return await sleep(Math.random() * 200);
  while (!isOver() && !isFresh(lock)) await sleep(0);
}

/** Makes a dead lock look as if a minute had passed. */
function makeOld(lock: string): void {
  const longAgo = new Date(Date.now() - 60_000);
  if (existsSync(lock)) utimesSync(lock, longAgo, longAgo);
}

/** True if a lock is there that is not old. */
function isFresh(lock: string): boolean {
  const facts = statSync(lock, { throwIfNoEntry: false });
  return facts !== undefined && facts.mtimeMs > Date.now() - 30_000;
}

test(
  "a policy that is a symlink stays one, also when several add to it",
  BOTH,
  () =>
    inWorkspace(async ({ cwd, policy }) => {
      mkdirSync(join(cwd, "dotfiles"));
      writeFileSync(join(cwd, "dotfiles/policy.toml"), "");
      symlinkSync("../dotfiles/policy.toml", policy);
      const patterns = ["Bash:a *", "Bash:b *", "Bash:c *", "Bash:d *"];
      const ended = await Promise.all(
        patterns.map((pattern, index) => add(index, { pattern, cwd })),
      );
      for (const { status, stderr } of ended) assert.equal(status, 0, stderr);
      assert.ok(lstatSync(policy).isSymbolicLink());
      assert.equal(readlinkSync(policy), "../dotfiles/policy.toml");
      const target = join(cwd, "dotfiles/policy.toml");
      assert.ok(lstatSync(target).isFile());
      assert.deepEqual(patternsIn(target).toSorted(), patterns);
      assert.deepEqual(readdirSync(join(cwd, "dotfiles")), ["policy.toml"]);
    }),
);

/** No mode stops root, so root's process becomes nobody, whom only Bun's files are open to. */
const root = process.geteuid?.() === 0;

for (const program of TRIED) {
  const index = PROGRAMS.indexOf(program);
  test(`a folder that cannot be written is 73, and nothing changes (${program})`, {
    skip: without(program) ||
      (root && program === "deno" && "root may write everywhere, and nobody reads root's cache"),
  }, () =>
    inWorkspace(async ({ cwd, policy }) => {
      writeFileSync(policy, "");
      chmodSync(join(cwd, ".."), 0o755);
      chmodSync(join(cwd, ".caliban"), 0o555);
      const before = treeOf(cwd);
      const place = { cwd, env: homeOf(cwd), ...(root ? { uid: 65534 } : {}) };
      const { status, stdout, stderr } = await finish(adding(index, "Bash:ls"), place);
      assert.equal(status, 73, stderr);
      assert.equal(stdout, "");
      assert.match(
        unwrapped(stderr),
        /^error: Cannot write ".*permissions\.toml": permission denied$/m,
      );
      assert.deepEqual(treeOf(cwd), before);
      chmodSync(join(cwd, ".caliban"), 0o755);
    }));

  test(`a folder in place of the file is an error, and nothing changes (${program})`, {
    skip: without(program),
  }, () =>
    inWorkspace(async ({ cwd, policy }) => {
      mkdirSync(policy);
      const before = treeOf(cwd);
      const loaded = await add(index, { pattern: "Bash:ls", cwd });
      assert.equal(loaded.status, 65, loaded.stderr);
      assert.match(
        unwrapped(loaded.stderr),
        /^error: Cannot read ".*permissions\.toml": it is not a file$/m,
      );
      const words = [...adding(index, "Bash:ls"), "--no-project"];
      const written = await finish(words, { cwd, env: homeOf(cwd) });
      assert.equal(written.status, 73, written.stderr);
      assert.match(
        unwrapped(written.stderr),
        /^error: Cannot write ".*permissions\.toml": it is not a file$/m,
      );
      assert.deepEqual(treeOf(cwd), before);
    }));

  test(`a file with errors is 65 and unchanged to the byte (${program})`, {
    skip: without(program),
  }, () =>
    inWorkspace(async ({ cwd, policy }) => {
      const texts = ['# ü\r\n[permissions]\nshell = "sh"\n', "[[permissions.rules]\n", "x = \xe9"];
      for (const text of sample(texts, 1, 1)) {
        writeFileSync(policy, text, "latin1");
        const before = treeOf(cwd);
        const added = await add(index, { pattern: "Bash:ls", cwd });
        assert.equal(added.status, 65, added.stderr);
        assert.equal(added.stdout, "");
        assert.match(unwrapped(added.stderr), /error: /);
        const skipped = await finish([...adding(index, "Bash:ls"), "--no-project"], {
          cwd,
          env: homeOf(cwd),
        });
        assert.ok(skipped.status === 65 || skipped.status === 73, skipped.stderr);
        assert.deepEqual(treeOf(cwd), before);
      }
    }));
}
