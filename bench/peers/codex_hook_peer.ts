import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { finish } from "../../tests/support/process.ts";
import { inScene, installed, type Scene } from "../../tests/support/agent_scene.ts";
import { scriptedModel } from "./model/scripted_model.ts";

const CODEX = new URL("engines/node_modules/@openai/codex/bin/codex.js", import.meta.url).pathname;

/** A command that Codex's model asks for, and the folder that it is to run in; the session's when left out. */
interface CodexCall {
  readonly cmd: string;
  readonly workdir?: string;
}

/** Runs Codex without its own sandbox and questions, with a model that makes these calls; what the model was told. */
async function run(scene: Scene, calls: readonly CodexCall[]): Promise<readonly string[]> {
  const server = await scriptedModel(
    calls.map((call) => ({ name: "exec_command", input: { ...call } })),
  );
  try {
    write(
      join(scene.home, ".codex/config.toml"),
      [
        'model = "m"',
        'model_provider = "local"',
        "[model_providers.local]",
        'name = "local"',
        `base_url = "${server.url}/v1"`,
        'wire_api = "responses"',
      ].join("\n"),
    );
    const flags = ["--skip-git-repo-check", "--dangerously-bypass-hook-trust"];
    const words = ["node", CODEX, "exec", "-s", "danger-full-access", ...flags, "go"];
    const env = [`PATH=${process.env["PATH"]}`, `HOME=${scene.home}`];
    const ended = await finish(["env", "-i", ...env, ...words], { cwd: scene.project });
    assert.equal(ended.status, 0, ended.stderr);
    return server.results;
  } finally {
    await server.close();
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const POLICY = `[permissions]
rules = [
  { pattern = "Bash(touch denied:*)", action = "deny" },
  { pattern = "Bash(touch:*)", action = "allow" },
  { pattern = "Bash(mkdir:*)", action = "ask" },
]
`;
const USERS = ".config/caliban/permissions.toml";
const PROJECTS = ".caliban/permissions.toml";

test("what hook install writes decides inside Codex", () =>
  inScene(async (scene) => {
    write(join(scene.home, USERS), POLICY);
    await installed("deno", "codex", scene);
    const names = ["touch allowed", "touch denied", "mkdir asked", "mkfifo nothing"];
    const told = await run(scene, names.map((cmd) => ({ cmd })));
    const has = (name: string) => existsSync(join(scene.project, name));
    assert.deepEqual(
      names.map((name) => has(name.split(" ")[1]!)),
      [true, false, false, false],
    );
    assert.match(told[1]!, /caliban: the deny rule `Bash\(touch denied:\*\)` denies it/);
    assert.match(told[2]!, /the agent cannot ask here/);
  }));

test("a command that Codex's model asks to run in another folder does not shed the project's denials", () =>
  inScene(async (scene) => {
    write(join(scene.home, USERS), '[[permissions.rules]]\npattern = "Bash"\naction = "allow"\n');
    write(join(scene.project, PROJECTS), POLICY);
    await installed("deno", "codex", scene);
    const workdir = scene.elsewhere;
    const told = await run(scene, [
      { cmd: "touch allowed", workdir },
      { cmd: "touch denied", workdir },
    ]);
    assert.equal(existsSync(join(workdir, "denied")), false, told.join());
    assert.equal(existsSync(join(workdir, "allowed")), true, told.join());
  }));

const FAULTS: readonly (readonly [name: string, make: (scene: Scene) => void])[] = [
  ["a broken policy", ({ home }) => write(join(home, USERS), "rules = [")],
  [
    "a copy of caliban that is gone",
    ({ home }) => rmSync(join(home, ".local"), { recursive: true }),
  ],
  ["a runtime that is gone", ({ home }) => {
    const path = join(home, ".codex/hooks.json");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(/(?<="command": ")[^ ]+/, "/nowhere/deno"));
  }],
];

for (const [name, make] of FAULTS) {
  test(`${name} stops the call inside Codex, which would run it`, () =>
    inScene(async (scene) => {
      write(join(scene.home, USERS), POLICY);
      await run(scene, [{ cmd: "touch before" }]);
      assert.equal(existsSync(join(scene.project, "before")), true);
      await installed("deno", "codex", scene);
      make(scene);
      await run(scene, [{ cmd: "touch allowed" }]);
      assert.equal(existsSync(join(scene.project, "allowed")), false);
    }));
}
