import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sampleEvent } from "../support/agents.ts";
import { asked, inScene, installed, POLICY, type Scene, verb } from "../support/agent_scene.ts";
import { trustAtHome } from "../support/trust.ts";
import { type Ended, without } from "../support/process.ts";

const NEEDS = { timeout: 120_000, skip: without("deno") };

async function switchLog(scene: Scene, on: boolean): Promise<void> {
  const path = join(scene.project, ".caliban/permissions.toml");
  writeFileSync(path, on ? `[permissions]\naudit_log = true\n\n${POLICY}` : POLICY);
  await trustAtHome(scene.project, scene.home);
}

async function askedFor(line: string, command: string, scene: Scene): Promise<Ended> {
  const { event, env } = sampleEvent("claude", { command: line, folder: scene.project });
  return await asked(command, { scene, input: JSON.stringify(event), env });
}

function logIn({ home }: Scene): readonly string[] {
  const text = readFileSync(join(home, ".local/state/caliban/audit.jsonl"), "utf8");
  return text.trimEnd().split("\n").map((line) => {
    const { agent, session, input, decision } = JSON.parse(line);
    return `${agent} ${session} ${input.command}: ${decision}`;
  });
}

test(
  "where the policy wants it, decisions are appended with what install lets the hook write, and nowhere else",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const without = await installed("deno", "claude", scene);
      assert.doesNotMatch(without, /--allow-write/);
      await switchLog(scene, true);
      const command = await installed("deno", "claude", scene);
      const folder = join(scene.home, ".local/state/caliban");
      const inShell = `'--allow-write=${folder.replaceAll("'", `'\\''`)}'`;
      assert.equal(command.replace(` ${inShell}`, ""), without);
      assert.notEqual(command, without);
      for (const line of ["rm x", "ls a", "make"]) await askedFor(line, command, scene);
      const logged = ["rm x: deny", "ls a: allow", "make: ask"];
      assert.deepEqual(logIn(scene), logged.map((each) => `claude caliban ${each}`));
      await switchLog(scene, false);
      await askedFor("rm x", command, scene);
      assert.equal(logIn(scene).length, 3);
      assert.equal(await installed("deno", "claude", scene), without);
    }),
);

test(
  "a log that is not kept changes no answer and says how it would be",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const bare = await installed("deno", "claude", scene);
      const plain = await askedFor("rm x", bare, scene);
      await switchLog(scene, true);
      const same = ({ status, stdout }: Ended) =>
        assert.deepEqual([status, stdout], [0, plain.stdout]);
      const denied = await askedFor("rm x", bare, scene);
      same(denied);
      assert.match(
        denied.stderr.replaceAll(/\s+/g, " "),
        /"caliban hook install claude" gives the hook/,
      );
      const command = await installed("deno", "claude", scene);
      const log = join(scene.home, ".local/state/caliban/audit.jsonl");
      mkdirSync(log, { recursive: true });
      const folder = await askedFor("rm x", command, scene);
      same(folder);
      assert.match(folder.stderr, /^warning: The audit log is not written/);
      rmSync(log, { recursive: true });
      same(await askedFor("rm x", `(${command}) 2>/dev/full`, scene));
      assert.equal(logIn(scene).length, 1);
    }),
);

test(
  "the doctor's tries are answered with a log that is on",
  NEEDS,
  () =>
    inScene(async (scene) => {
      await switchLog(scene, true);
      await installed("deno", "claude", scene);
      const { status, stdout } = await verb("deno", ["doctor"], scene);
      assert.equal(status, 0, stdout);
    }),
);
