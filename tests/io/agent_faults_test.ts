import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sampleEvent } from "../support/agents.ts";
import { asked, inScene, installed, type Scene, verb } from "../support/agent_scene.ts";
import { finish, starter, without } from "../support/process.ts";

const NEEDS = { timeout: 120_000, skip: without("deno") };

/** The answer that an agent gets about a command in a folder. */
async function told(agent: "claude" | "codex", folder: string, scene: Scene) {
  const { event, env } = sampleEvent(agent, { command: "rm x", folder });
  return await finish([...starter("deno", ["read", "env"]), "hook", agent], {
    cwd: scene.elsewhere,
    env: { HOME: scene.home, ...env },
    input: JSON.stringify(event),
  });
}

test("a link into a project sheds none of its rules", NEEDS, () =>
  inScene(async (scene) => {
    const below = join(scene.project, "below");
    mkdirSync(below);
    const link = join(scene.elsewhere, "link");
    symlinkSync(below, link);
    for (const agent of ["claude", "codex"] as const) {
      const { stdout } = await told(agent, link, scene);
      assert.match(stdout, /the deny rule `Bash:rm \*` denies it/, agent);
    }
  }));

test("a project that is gone stops the call", NEEDS, () =>
  inScene(async (scene) => {
    for (const agent of ["claude", "codex"] as const) {
      const { status, stderr } = await told(agent, join(scene.elsewhere, "gone"), scene);
      assert.equal(status, 2, agent);
      assert.match(stderr, /the folder ".*" does not exist/);
    }
  }));

test("an answer that nobody can hear stops the call", NEEDS, () =>
  inScene(async (scene) => {
    const command = await installed("deno", "claude", scene);
    const { event, env } = sampleEvent("claude", { command: "rm x", folder: scene.project });
    const full = `{ ${command}; } >/dev/full`;
    const ended = await asked(full, { scene, input: JSON.stringify(event), env });
    assert.equal(ended.status, 2);
  }));

test("the doctor runs no command that came with a project", NEEDS, () =>
  inScene(async (scene) => {
    const witness = join(scene.home, "witness");
    const path = join(scene.project, ".cursor/hooks.json");
    mkdirSync(join(scene.project, ".cursor"));
    const command = `touch '${witness.replaceAll("'", `'\\''`)}' # caliban hook cursor`;
    writeFileSync(path, JSON.stringify({ version: 1, hooks: { preToolUse: [{ command }] } }));
    const foreign = await verb("deno", ["doctor"], scene);
    assert.equal(foreign.status, 1);
    assert.match(foreign.stdout.replaceAll(/\s+/g, " "), /its command was not tested/);
    assert.equal(existsSync(witness), false);
    await verb("deno", ["hook", "install", "cursor", "--scope", "project"], scene);
    assert.ok(readFileSync(path, "utf8").includes(JSON.stringify(command)));
    const own = await verb("deno", ["doctor", "--json"], scene);
    assert.equal(own.status, 0, own.stdout + own.stderr);
    assert.equal(JSON.parse(own.stdout).agents.length, 1);
  }));

test("the doctor says where all hooks are switched off", NEEDS, () =>
  inScene(async (scene) => {
    await installed("deno", "claude", scene);
    const path = join(scene.home, ".claude/settings.json");
    writeFileSync(path, readFileSync(path, "utf8").replace("{", '{ "disableAllHooks": true,'));
    const { status, stdout } = await verb("deno", ["doctor"], scene);
    assert.equal(status, 1);
    assert.match(stdout.replaceAll(/\s+/g, " "), /"disableAllHooks" switches all hooks off/);
  }));

test(
  "a link that came with a project leads no writing out of it",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const victim = join(scene.home, "victim");
      writeFileSync(victim, "{}");
      const folder = join(scene.project, ".github/hooks");
      mkdirSync(folder, { recursive: true });
      const path = join(folder, "caliban.json");
      symlinkSync(victim, path);
      const words = ["hook", "install", "copilot", "--scope", "project"];
      const refused = await verb("deno", words, scene);
      assert.equal(refused.status, 73, refused.stdout);
      assert.match(
        refused.stderr.replaceAll(/\s+/g, " "),
        /the link ".*" leads out of the workspace/,
      );
      const other = join(scene.project, ".codex");
      mkdirSync(other);
      writeFileSync(join(other, "hooks.json"), "{}\n");
      symlinkSync(victim, join(other, "hooks.json.before-caliban"));
      const codex = await verb("deno", [...words.slice(0, 2), "codex", ...words.slice(3)], scene);
      assert.equal(codex.status, 73, codex.stderr);
      assert.match(codex.stderr.replaceAll(/\s+/g, " "), /a link is in the way/);
      assert.equal(readFileSync(victim, "utf8"), "{}");
      assert.equal(readFileSync(join(other, "hooks.json"), "utf8"), "{}\n");
    }),
);

test(
  "a person's own link stays, and so does what it leads to",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const dotfile = join(scene.elsewhere, "settings.json");
      const path = join(scene.home, ".claude/settings.json");
      mkdirSync(join(scene.home, ".claude"));
      symlinkSync(dotfile, path);
      for (const text of ['{\n  // mine\n  "a": 1,\n}\n', undefined]) {
        if (text !== undefined) writeFileSync(dotfile, text);
        await installed("deno", "claude", scene);
        assert.match(readFileSync(dotfile, "utf8"), /hook claude/);
        const out = await verb("deno", ["hook", "uninstall", "claude"], scene);
        assert.equal(out.status, 0, out.stderr);
        assert.equal(existsSync(dotfile) ? readFileSync(dotfile, "utf8") : undefined, text);
        if (text !== undefined) rmSync(dotfile);
      }
    }),
);

test("installs at once keep what was there before", NEEDS, () =>
  inScene(async (scene) => {
    const path = join(scene.home, ".claude/settings.json");
    mkdirSync(join(scene.home, ".claude"));
    writeFileSync(path, '{"a": 1}\n');
    await Promise.all([1, 2, 3, 4].map(() => installed("deno", "claude", scene)));
    assert.equal(readFileSync(`${path}.before-caliban`, "utf8"), '{"a": 1}\n');
    assert.equal(readFileSync(path, "utf8").match(/hook claude/g)?.length, 1);
    assert.equal((await verb("deno", ["hook", "uninstall", "claude"], scene)).status, 0);
    assert.equal(readFileSync(path, "utf8"), '{"a": 1}\n');
    assert.equal(lstatSync(path).isFile(), true);
  }));
