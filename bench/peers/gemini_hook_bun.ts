import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Config, HookSystem } from "@google/gemini-cli-core";
import { inScene, installed, type Scene } from "../../tests/support/agent_scene.ts";

// Gemini CLI tells its every step.
console.debug = () => {};

/** Gemini CLI's own hooks, as its settings file has them. */
async function hooksOf({ home, project }: Scene): Promise<HookSystem> {
  // The hook's policy is that of its own home.
  process.env.HOME = home;
  const settings = JSON.parse(readFileSync(join(home, ".gemini/settings.json"), "utf8"));
  const config = new Config({
    sessionId: "s",
    targetDir: project,
    cwd: project,
    debugMode: false,
    model: "none",
    enableHooks: true,
    hooks: settings.hooks,
  });
  await config.storage.initialize();
  const hooks = new HookSystem(config);
  await hooks.initialize();
  return hooks;
}

/** The outcome of a command in Gemini CLI: it goes on, or it is stopped for a reason. */
async function judged(scene: Scene, command: string): Promise<string> {
  const output = await (await hooksOf(scene)).fireBeforeToolEvent("run_shell_command", { command });
  return output?.isBlockingDecision() ? `stopped: ${output.getEffectiveReason()}` : "goes on";
}

test("what hook install writes decides inside Gemini CLI's hooks", () =>
  inScene(async (scene) => {
    mkdirSync(join(scene.home, ".gemini"));
    await installed("bun", "gemini", scene);
    assert.match(await judged(scene, "rm x"), /^stopped: caliban: the deny rule `Bash:rm \*`/);
    assert.equal(await judged(scene, "ls x"), "goes on");
    writeFileSync(join(scene.project, ".caliban/permissions.toml"), "rules = [");
    assert.match(await judged(scene, "ls x"), /^stopped: caliban: /);
    rmSync(join(scene.home, ".local"), { recursive: true });
    assert.match(await judged(scene, "ls x"), /^stopped: /);
  }));
