import assert from "node:assert/strict";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import process from "node:process";
import type { AgentName } from "../../lib/agents/registry.ts";
import { understoodDecision } from "../../lib/cli/doctor/probe.ts";
import { agentProfile } from "../../lib/agents/profile.ts";
import { HOOKS, sampleEvent, SETTINGS } from "../support/agents.ts";
import { asked, inScene, installed, type Scene, verb } from "../support/agent_scene.ts";
import { sample } from "../support/cases.ts";
import {
  endOf,
  finish,
  type Program,
  start,
  starter,
  treeOf,
  TRIED,
  without,
} from "../support/process.ts";

const LONG = { timeout: 120_000 };

function needs(program: Program): { readonly timeout: number; readonly skip: string | false } {
  return { ...LONG, skip: without(program) };
}

async function askedAbout(
  line: string,
  agent: AgentName,
  about: { readonly command: string; readonly scene: Scene },
): Promise<string> {
  const { command, scene } = about;
  const { event, env } = sampleEvent(agent, { command: line, folder: scene.project });
  const { status, stdout } = await asked(command, { scene, input: JSON.stringify(event), env });
  return understoodDecision({ status: Number(status), stdout }, agentProfile(agent).hook);
}

/** The files that we write below a home. Runtimes keep their caches there too. */
function writtenBelow(home: string): ReadonlyMap<string, string> {
  const isOurs = ([path]: readonly [string, string]) => /^\.(?:claude|local)/.test(path);
  return new Map([...treeOf(home)].filter(isOurs));
}

for (const program of TRIED) {
  test(
    `a hook that ${program} installed answers from anywhere, and is taken out again`,
    needs(program),
    () =>
      inScene(async (scene) => {
        const command = await installed(program, "claude", scene);
        assert.equal(await askedAbout("rm x", "claude", { command, scene }), "deny");
        assert.equal(await askedAbout("ls -l", "claude", { command, scene }), "allow");
        assert.equal(await askedAbout("make", "claude", { command, scene }), "silence");
        const garbage = await asked(command, { scene, input: "{" });
        assert.equal(garbage.status, 2);
        assert.deepEqual([...treeOf(scene.elsewhere).keys()], []);
        const again = writtenBelow(scene.home);
        assert.equal(await installed(program, "claude", scene), command);
        assert.deepEqual(writtenBelow(scene.home), again);
        const out = await verb(program, ["hook", "uninstall", "claude"], scene);
        assert.equal(out.status, 0, out.stderr);
        const left = [...writtenBelow(scene.home).keys()].filter((path) =>
          path.startsWith(".claude")
        );
        assert.deepEqual(left, []);
      }),
  );

  test(
    `where the program of ${program} is gone, or one of its files, the call is stopped`,
    needs(program),
    () =>
      inScene(async (scene) => {
        for (const agent of [program === "deno" ? "claude" : "copilot"] as const) {
          const command = await installed(program, agent, scene);
          const data = join(scene.home, ".local/share/caliban");
          const gone = `${data}-gone`;
          renameSync(data, gone);
          assert.equal(await askedAbout("ls", agent, { command, scene }), "deny", agent);
          renameSync(gone, data);
          for (const part of [/\S+(?= run --quiet| --no-env-file)/, /\/bin\/sh/g]) {
            const without = command.replace(part, "/nowhere/program");
            assert.notEqual(without, command);
            assert.equal(await askedAbout("ls", agent, { command: without, scene }), "deny");
          }
          const folder = /\/hooks\/([0-9a-f]+)\//.exec(command)?.[1] ?? "";
          rmSync(join(data, "hooks", folder, "lib/decide"), { recursive: true });
          assert.equal(await askedAbout("ls", agent, { command, scene }), "deny", agent);
          // Installing again mends the damaged copy.
          assert.equal(await installed(program, agent, scene), command);
          assert.notEqual(await askedAbout("ls", agent, { command, scene }), "deny", agent);
        }
      }),
  );

  test(
    `the folder that is judged configures nothing of a hook under ${program}`,
    needs(program),
    () =>
      inScene(async (scene) => {
        const command = await installed(program, "claude", scene);
        const write = (name: string, text: string) =>
          writeFileSync(join(scene.elsewhere, name), text);
        write("evil.ts", 'console.log("{}"); globalThis.process?.exit(0);\n');
        write(".env", "CALIBAN_AUTO_ALLOW=1\n");
        write("bunfig.toml", 'preload = ["./evil.ts"]\n');
        write("deno.json", '{ "imports": { "smol-toml": "./evil.ts" } }');
        write("package.json", '{ "type": "commonjs" }');
        assert.equal(await askedAbout("rm x", "claude", { command, scene }), "deny");
      }),
  );
}

/** One agent for each form of settings and of answers. */
const ALL_FORMS = [
  "claude",
  "cursor",
  "copilot",
  "opencode",
  "kimi",
  "pi",
  "cline",
  "crush",
] as const;
const FORMS = ALL_FORMS.filter((form) => sample(ALL_FORMS, 2, 4).includes(form));

test(
  "a command in settings of every form is installed, tried by the doctor and taken out",
  needs("deno"),
  () =>
    inScene(async (scene) => {
      for (const agent of FORMS) await installed("deno", agent, scene);
      const doctor = await verb("deno", ["doctor", "--json"], scene);
      assert.equal(doctor.status, 0, doctor.stdout + doctor.stderr);
      const { ok, agents } = JSON.parse(doctor.stdout);
      assert.equal(ok, true);
      assert.deepEqual(agents.map(({ agent }: { agent: string }) => agent), FORMS);
      for (const agent of FORMS) {
        const path = join(scene.home, ...SETTINGS[agent].path("user"));
        assert.ok(existsSync(path), path);
        assert.equal((await verb("deno", ["hook", "uninstall", agent], scene)).status, 0);
        assert.equal(existsSync(path), false, path);
      }
    }),
);

test(
  "the doctor finds a hook that stops nothing, one that stops all, and one that is not there",
  needs("deno"),
  () =>
    inScene(async (scene) => {
      const path = join(scene.home, ".claude/settings.json");
      const command = await installed("deno", "claude", scene);
      const text = readFileSync(path, "utf8");
      const faults = async () => {
        const { status, stdout, stderr } = await verb("deno", ["doctor", "--json"], scene);
        assert.equal(status, 1, stdout + stderr);
        const [{ probes }] = JSON.parse(stdout).agents;
        return probes.flatMap(({ ok, name }: { ok: boolean; name: string }) => ok ? [] : [name]);
      };
      const inJson = (line: string) => JSON.stringify(line).slice(1, -1);
      const other = (line: string) =>
        writeFileSync(path, text.replace(inJson(command), inJson(line)));
      other("true # caliban hook claude");
      assert.deepEqual(await faults(), ["deny", "garbage"]);
      other("exit 2 # caliban hook claude");
      assert.deepEqual(await faults(), ["allow"]);
      other("/nowhere/caliban hook claude");
      assert.deepEqual(await faults(), ["deny", "allow", "garbage"]);
      writeFileSync(path, text.replace('"matcher": "*"', '"matcher": "Read"'));
      assert.deepEqual(await faults(), []);
    }),
);

test("an event that never ends is answered in time", needs("deno"), () =>
  inScene(async (scene) => {
    const child = start([...starter("deno", ["read", "env"]), "hook", "grok"], {
      cwd: scene.project,
      env: { HOME: scene.home },
    });
    child.stdin.write('{"toolName": ');
    const began = Date.now();
    const { status, stderr } = await endOf(child);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /the decision took too long/);
    assert.ok(Date.now() - began < agentProfile("grok").hook.waitMs);
  }));

test("a permission that is missing stops the call", needs("deno"), () =>
  inScene(async (scene) => {
    const { event, env } = sampleEvent("claude", { command: "ls", folder: scene.project });
    for (const allow of [[], ["read"], ["env"]]) {
      const ended = await finish([...starter("deno", allow), "hook", "claude"], {
        cwd: scene.project,
        env: { HOME: scene.home, ...env },
        input: JSON.stringify(event),
      });
      assert.equal(ended.status, 2, ended.stdout + ended.stderr);
      assert.match(ended.stderr, /--allow-/);
    }
  }));

/** Resolves when a process is gone. Throws Error when it stays. */
async function stopped(pid: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`process ${pid} is left behind`);
}

test(
  "opencode's plugin throws for everything but a clear answer",
  LONG,
  () =>
    inScene(async (scene) => {
      const event = join(scene.elsewhere, "event.json");
      const load = async (command: string, name: string) => {
        const path = join(scene.elsewhere, `${name}.mjs`);
        writeFileSync(path, SETTINGS.opencode.install(undefined, { command }));
        const { Caliban } = await import(pathToFileURL(path).href);
        const { project } = scene;
        const hooks = await Caliban({ directory: project, worktree: project });
        const input = { tool: "bash", sessionID: "s", callID: "c" };
        return () => hooks["tool.execute.before"](input, { args: { command: "ls" } });
      };
      const quiet = await load(
        `cat > '${event.replaceAll("'", `'\\''`)}'; echo '{"decision":"none"}'`,
        "a",
      );
      await quiet();
      const told = JSON.parse(readFileSync(event, "utf8"));
      const { calls, folders } = HOOKS.opencode.read(told, { env: () => undefined });
      assert.deepEqual(calls, [{ tool: "Bash", input: { command: "ls" }, cwd: scene.project }]);
      assert.deepEqual(folders, [scene.project]);
      const denied = await load('echo \'{"decision":"deny","reason":"no"}\'', "b");
      await assert.rejects(denied, /^Error: no$/);
      for (
        const [index, line] of [
          "exit 2",
          "exit 1",
          "true",
          "echo x",
          "echo null",
          "kill -9 $$",
          "/nowhere",
        ].entries()
      ) {
        await assert.rejects(await load(line, `c${index}`), Error, line);
      }
      const path = join(scene.elsewhere, "slow.mjs");
      const pids = join(scene.elsewhere, "pids");
      const command = `sleep 602 & echo $! > '${pids.replaceAll("'", `'\\''`)}'; wait`;
      const text = SETTINGS.opencode.install(undefined, { command });
      writeFileSync(path, text.replace("LIMIT_MS = 30000", "LIMIT_MS = 1000"));
      const { Caliban } = await import(pathToFileURL(path).href);
      const hooks = await Caliban({ directory: scene.project, worktree: scene.project });
      const asked = hooks["tool.execute.before"]({ tool: "bash" }, { args: { command: "ls" } });
      await assert.rejects(asked, /caliban did not answer/);
      await stopped(Number(readFileSync(pids, "utf8")));
    }),
);
