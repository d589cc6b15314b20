import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { AGENT_NAMES, type AgentName } from "../../lib/agents/registry.ts";
import { digestOf } from "../../lib/io/process/agent_program.ts";
import { SETTINGS } from "../support/agents.ts";
import { inScene, installed, type Scene, verb } from "../support/agent_scene.ts";
import { sample } from "../support/cases.ts";
import { finish, starter, treeOf, without } from "../support/process.ts";

const NEEDS = { timeout: 120_000, skip: without("deno") };

/** The files of a scene; the runtime's own caches stand below `.cache`. */
function filesOf({ home, project }: Scene): ReadonlyMap<string, string> {
  const own = ([path]: readonly [string, string]) => !/^(?:\.cache|Library)(?:\/|$)/.test(path);
  return new Map([...treeOf(home)].filter(own).concat([...treeOf(project)]));
}

async function ok(words: readonly string[], scene: Scene): Promise<string> {
  const { status, stdout, stderr } = await verb("deno", words, scene);
  assert.equal(status, 0, `${words.join(" ")}: ${stdout}${stderr}`);
  return stdout;
}

/** A doctor's faults by agent, and its status. */
async function doctor(scene: Scene) {
  const { status, stdout, stderr } = await verb("deno", ["doctor", "--json"], scene);
  assert.equal(stderr, "");
  const { agents, broken } = JSON.parse(stdout);
  const remarks = (kind: "faults" | "notes") =>
    agents.flatMap((each: Record<"faults" | "notes", { what: string; mend?: string }[]>) =>
      each[kind].map(({ what, mend }) => `${what}; ${mend}`)
    );
  return { status, faults: remarks("faults"), notes: remarks("notes"), broken };
}

function settingsOf(agent: AgentName, { home }: Scene): string {
  return join(home, ...SETTINGS[agent].path("user"));
}

/** Settings that a person may have had before. */
const EARLIER: Partial<Record<AgentName, string>> = {
  claude: '{\n\t"model": "x", // mine\n}',
  kimi: "# mine\n[a]\nb = 1",
  cursor: '{ "version": 1, "hooks": {} }\n',
};

test(
  "installing and taking out leaves nothing, for every agent",
  NEEDS,
  () =>
    inScene(async (scene) => {
      for (const [agent, text] of Object.entries(EARLIER)) {
        const path = settingsOf(agent as AgentName, scene);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
      mkdirSync(join(scene.home, ".qwen"));
      mkdirSync(join(scene.home, ".local"), { recursive: true });
      const before = filesOf(scene);
      const agents = sample(AGENT_NAMES, 4, 6);
      for (const agent of agents) await ok(["hook", "install", agent], scene);
      await ok(["hook", "install", "claude", "--scope", "project"], scene);
      for (const agent of agents.slice(1)) await ok(["hook", "uninstall", agent], scene);
      assert.notDeepEqual(filesOf(scene), before);
      // The copy stays as long as one hook starts it.
      assert.ok(existsSync(join(scene.home, ".local/share/caliban/hooks")));
      await ok(["hook", "uninstall", "claude", "--scope", "project"], scene);
      await ok(["hook", "uninstall", agents[0]!], scene);
      assert.deepEqual(filesOf(scene), before);
    }),
);

test(
  "what a person changed since stays, and nothing else does",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const path = settingsOf("claude", scene);
      mkdirSync(dirname(path));
      writeFileSync(path, '{\n  "model": "x"\n}\n');
      const before = filesOf(scene);
      await installed("deno", "claude", scene);
      writeFileSync(path, readFileSync(path, "utf8").replace('"model": "x"', '"model": "y"'));
      writeFileSync(join(scene.home, ".local/share/mine"), "");
      await ok(["hook", "uninstall", "claude"], scene);
      const left = new Map(before);
      left.set(".claude/settings.json", '{\n  "model": "y"\n}\n');
      for (const folder of [".local", ".local/share"]) {
        left.set(folder, filesOf(scene).get(folder)!);
      }
      left.set(".local/share/mine", filesOf(scene).get(".local/share/mine")!);
      assert.deepEqual([...filesOf(scene).keys()].toSorted(), [...left.keys()].toSorted());
      assert.equal(readFileSync(path, "utf8"), '{\n  "model": "y"\n}\n');
    }),
);

test(
  "a file that was in the place of a plugin comes back, whatever was changed since",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const agents = sample(["opencode", "kilo", "pi", "copilot", "grok"] as const, 2, 3);
      for (const agent of agents) {
        for (const added of ["\n", "// mine too\n"]) {
          const path = settingsOf(agent, scene);
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, "// mine\n");
          await ok(["hook", "install", agent], scene);
          const changed = readFileSync(path, "utf8") + added;
          writeFileSync(path, changed);
          const said = await ok(["hook", "uninstall", agent], scene);
          assert.equal(readFileSync(path, "utf8"), "// mine\n", agent);
          assert.equal(existsSync(`${path}.before-caliban`), false);
          const edited = `${path}.edited`;
          assert.equal(existsSync(edited), added !== "\n");
          assert.equal(said.includes(`Kept ${edited}\n`), added !== "\n", said);
          if (existsSync(edited)) assert.equal(readFileSync(edited, "utf8"), changed);
        }
      }
    }),
);

test(
  "a plugin that somebody edited is kept when it is installed anew",
  NEEDS,
  () =>
    inScene(async (scene) => {
      await ok(["hook", "install", "pi"], scene);
      const path = settingsOf("pi", scene);
      const edited = readFileSync(path, "utf8").replace("30000", "1");
      for (const [name, words] of [["edited", "install"], ["edited-2", "update"]] as const) {
        writeFileSync(path, edited);
        assert.ok((await ok(["hook", words, "pi"], scene)).includes(`${path}.${name}`));
        assert.equal(readFileSync(`${path}.${name}`, "utf8"), edited);
        assert.match(readFileSync(path, "utf8"), /30000/);
      }
    }),
);

test(
  "a file of somebody else in the place of the backup stays",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const path = settingsOf("claude", scene);
      mkdirSync(dirname(path));
      for (const other of ["not yours", '{ "model": "x" }\n']) {
        writeFileSync(path, '{ "model": "x" }\n');
        writeFileSync(`${path}.before-caliban`, other);
        assert.ok(
          (await ok(["hook", "install", "claude"], scene)).includes(`${path}.before-caliban-2\n`),
        );
        writeFileSync(path, readFileSync(path, "utf8").replace('"x"', '"y"'));
        await ok(["hook", "uninstall", "claude"], scene);
        assert.equal(readFileSync(`${path}.before-caliban`, "utf8"), other);
        assert.equal(existsSync(`${path}.before-caliban-2`), false);
      }
      rmSync(path);
      await ok(["hook", "install", "claude"], scene);
      await ok(["hook", "uninstall", "claude"], scene);
      assert.equal(existsSync(path), false);
      assert.ok(existsSync(`${path}.before-caliban`));
    }),
);

test(
  "settings that a person emptied since stay empty, and what was kept of them stays",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const path = settingsOf("kimi", scene);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "# mine\n[a]\nb = 1\n");
      await ok(["hook", "install", "kimi"], scene);
      const hook = readFileSync(path, "utf8").slice("# mine\n[a]\nb = 1\n\n".length);
      writeFileSync(path, hook);
      assert.match(await ok(["hook", "uninstall", "kimi"], scene), /\nKept .*before-caliban\n$/);
      assert.equal(readFileSync(path, "utf8"), "");
      assert.equal(readFileSync(`${path}.before-caliban`, "utf8"), "# mine\n[a]\nb = 1\n");
    }),
);

test(
  "update takes no flag of a project's file over",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const path = join(scene.project, ".claude/settings.local.json");
      await ok(["hook", "install", "claude", "--scope", "project"], scene);
      const text = readFileSync(path, "utf8");
      const flags = [" --rules evil.toml", " --allow-dangerously-skip-permissions", " --no-user"];
      const start = text.replace(
        /"command": ".*"/,
        '"command": "/opt/caliban hook claude || exit 2"',
      );
      for (const flag of flags) {
        for (
          const from of [
            text.replace(" --watched", ` --watched${flag}`),
            start.replace(" || e", `${flag} || e`),
          ]
        ) {
          writeFileSync(path, from);
          const { status, stdout } = await verb("deno", ["hook", "update"], scene);
          assert.equal(status, 1, stdout);
          assert.match(stdout, /^Not renewed: .*settings\.local\.json: .*flag/);
          assert.equal(readFileSync(path, "utf8"), from);
        }
      }
      writeFileSync(path, start);
      await ok(["hook", "update"], scene);
      assert.equal(readFileSync(path, "utf8"), text);
    }),
);

test(
  "settings of a project have a bound",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const path = join(scene.project, ".claude/settings.local.json");
      mkdirSync(dirname(path));
      const hooks = Array.from({ length: 60_000 }, (_, at) => ({
        hooks: [{ command: `/opt/caliban hook claude --rules ${at} || exit 2` }],
      }));
      const text = JSON.stringify({ hooks: { PreToolUse: hooks } });
      writeFileSync(path, text);
      for (const words of [["install", "claude"], ["uninstall", "claude"]]) {
        const { status, stderr } = await verb(
          "deno",
          ["hook", ...words, "--scope", "project"],
          scene,
        );
        assert.notEqual(status, 0);
        assert.match(stderr.replaceAll(/\s+/g, " "), /larger than|too large/);
      }
      const { status, stdout } = await verb("deno", ["hook", "update"], scene);
      assert.equal(status, 1);
      assert.match(stdout, /^Not renewed: /);
      assert.equal(readFileSync(path, "utf8"), text);
    }),
);

test(
  "a hook whose file is gone is taken out of the record, with its copy",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const before = filesOf(scene);
      await ok(["hook", "install", "pi"], scene);
      rmSync(settingsOf("pi", scene));
      await ok(["hook", "uninstall", "pi"], scene);
      assert.deepEqual(filesOf(scene), before);
    }),
);

test(
  "a record that is a link is not followed, and a folder that it lists is not removed for that",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const record = join(scene.home, ".local/share/caliban/installed.json");
      const empty = join(scene.home, "mine/empty");
      mkdirSync(empty, { recursive: true });
      await ok(["hook", "install", "claude"], scene);
      const { folders, ...more } = JSON.parse(readFileSync(record, "utf8"));
      const text = JSON.stringify({ ...more, folders: [...folders, empty] });
      const target = join(scene.home, "mine.json");
      renameSync(record, target);
      symlinkSync(target, record);
      writeFileSync(target, text);
      for (const words of ["install", "uninstall"]) {
        const { status, stderr } = await verb("deno", ["hook", words, "claude"], scene);
        assert.notEqual(status, 0);
        assert.match(stderr.replaceAll(/\s+/g, " "), /installed\.json": it is a link/);
        assert.equal(readFileSync(target, "utf8"), text);
      }
      rmSync(record);
      renameSync(target, record);
      await ok(["hook", "uninstall", "claude"], scene);
      assert.ok(existsSync(empty));
      assert.equal(existsSync(join(scene.home, ".local/share")), false);
    }),
);

test("a changed copy is not removed", NEEDS, () =>
  inScene(async (scene) => {
    const command = await installed("deno", "claude", scene);
    const [, name = ""] = /\/hooks\/([0-9a-f]{12})\//.exec(command) ?? [];
    const copy = join(scene.home, ".local/share/caliban/hooks", name);
    writeFileSync(join(copy, "mine.txt"), "mine");
    await ok(["hook", "uninstall", "claude"], scene);
    assert.equal(readFileSync(join(copy, "mine.txt"), "utf8"), "mine");
    assert.equal(existsSync(settingsOf("claude", scene)), false);
  }));

/** A hook as a caliban before the watchdog wrote it. */
function older(command: string): string {
  const words = /'?\/\S*? run --quiet .*?cli\.ts'?(?= hook )/.exec(command)?.[0];
  assert.ok(words, command);
  return `${words} hook claude --no-user || exit 2`;
}

test(
  "an older hook is a fault that update mends, and every other byte stays",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const path = settingsOf("claude", scene);
      const command = await installed("deno", "claude", scene);
      const text = readFileSync(path, "utf8");
      const inJson = (line: string) => JSON.stringify(line);
      const others = text.replace("[\n", '[\n      { "matcher": "Read", "hooks": [] },\n')
        .trimEnd();
      const old = others.replace(inJson(command), () => inJson(older(command)));
      assert.notEqual(old, others);
      writeFileSync(path, old);
      const { status, faults } = await doctor(scene);
      assert.equal(status, 1);
      assert.match(
        faults.join("\n"),
        /lacks the current watchdog.*; run: caliban hook update claude/,
      );
      const dry = await ok(["hook", "update", "--dry-run"], scene);
      assert.match(dry, /^Would renew the hook for claude in /);
      assert.equal(readFileSync(path, "utf8"), old);
      assert.match(await ok(["hook", "update"], scene), /^Renewed the hook for claude in /);
      // The flag of a person is kept.
      const flagged = command.replace(" --watched ", " --watched --no-user ");
      assert.equal(
        readFileSync(path, "utf8"),
        others.replace(inJson(command), () => inJson(flagged)),
      );
      assert.deepEqual(await doctor(scene), { status: 0, faults: [], notes: [], broken: [] });
      assert.match(await ok(["hook", "update"], scene), /^Unchanged: /);
    }),
);

test(
  "a copy of another version is a note, and update replaces and removes it",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const command = await installed("deno", "claude", scene);
      const [, name = ""] = /\/hooks\/([0-9a-f]{12})\//.exec(command) ?? [];
      const hooks = join(scene.home, ".local/share/caliban/hooks");
      writeFileSync(join(hooks, name, "cli.ts"), "// Another version.\n", { flag: "a" });
      const files = [...treeOf(join(hooks, name))].filter(([, text]) => !text.endsWith(" folder"))
        .map(([path]) => [path, readFileSync(join(hooks, name, path))] as const);
      const other = digestOf(new Map(files));
      renameSync(join(hooks, name), join(hooks, other));
      const path = settingsOf("claude", scene);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(name, other));
      const { status, faults, notes } = await doctor(scene);
      assert.deepEqual([status, faults], [0, []]);
      assert.match(
        notes.join("\n"),
        /its copy of caliban has another version than .*; run: caliban hook update/,
      );
      await ok(["hook", "update", "claude"], scene);
      assert.ok(readFileSync(path, "utf8").includes(name));
      assert.deepEqual(readdirSync(hooks), [name]);
    }),
);

test(
  "a copy that lacks a file, or has a changed one, is a fault, and update mends it",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const command = await installed("deno", "claude", scene);
      const [, name = ""] = /\/hooks\/([0-9a-f]{12})\//.exec(command) ?? [];
      const copy = join(scene.home, ".local/share/caliban/hooks", name);
      const whole = treeOf(copy);
      for (
        const change of [
          () => rmSync(join(copy, "lib/cli/hook/log.ts")),
          () => writeFileSync(join(copy, "lib/cli/hook/log.ts"), "\n", { flag: "a" }),
        ]
      ) {
        change();
        const { status, faults } = await doctor(scene);
        assert.equal(status, 1);
        const found = faults.join("\n");
        assert.match(
          found,
          /its copy of caliban, .*, was changed or cannot be read.*hook update claude/,
        );
        await ok(["hook", "update", "claude"], scene);
        assert.deepEqual(treeOf(copy), whole);
        assert.deepEqual((await doctor(scene)).faults, []);
      }
    }),
);

test("a runtime or a copy that is gone is a fault", NEEDS, () =>
  inScene(async (scene) => {
    const path = settingsOf("claude", scene);
    const command = await installed("deno", "claude", scene);
    const text = readFileSync(path, "utf8");
    const runtime = /(\/\S+) run --quiet/.exec(command)?.[1] ?? "";
    writeFileSync(path, text.replaceAll(`${runtime} run`, "/nowhere/deno run"));
    const gone = await doctor(scene);
    assert.equal(gone.status, 1);
    assert.match(
      gone.faults.join("\n"),
      /\/nowhere\/deno does not last: it is missing.*hook update/,
    );
    writeFileSync(path, text.replaceAll(`${runtime} run`, "/root/.npm/_npx/ab/deno run"));
    const { faults } = await doctor(scene);
    assert.match(faults.join("\n"), /does not last/);
    writeFileSync(path, text);
    renameSync(join(scene.home, ".local/share/caliban"), join(scene.home, ".local/gone"));
    const copy = await doctor(scene);
    assert.equal(copy.status, 1);
    assert.match(copy.faults.join("\n"), /its copy of caliban, .*, is gone.*hook update claude/);
  }));

test(
  "a project that switches hooks off is a fault, unless a managed hook runs",
  NEEDS,
  () =>
    inScene(async (scene) => {
      const managed = join(scene.elsewhere, "system/settings.json");
      const run = (words: readonly string[]) =>
        finish([...starter("deno", ["read", "env", "write", "run"]), ...words], {
          cwd: scene.project,
          env: { HOME: scene.home, GEMINI_CLI_SYSTEM_SETTINGS_PATH: managed },
        });
      await installed("deno", "gemini", scene);
      const off = join(scene.project, ".gemini/settings.json");
      mkdirSync(dirname(off));
      writeFileSync(off, '{ "hooksConfig": { "enabled": false } }');
      const { status, faults } = await doctor(scene);
      assert.equal(status, 1);
      assert.match(
        faults.join("\n"),
        /pro ject\/\.gemini\/settings\.json: "hooksConfig\.enabled" switches all hooks off, so no call is guarded; change it there, or run: sudo caliban hook install gemini --scope managed/,
      );
      mkdirSync(dirname(managed));
      writeFileSync(managed, '{ "hooksConfig": { "enabled": true } }');
      const kept = await run(["doctor"]);
      assert.equal(kept.status, 0, kept.stdout);
      writeFileSync(off, "{");
      const broken = await run(["doctor"]);
      assert.equal(broken.status, 1);
      assert.match(broken.stdout, /Cannot read the settings/);
    }),
);

test(
  "where an administrator may write, managed settings say so",
  NEEDS,
  () =>
    inScene(async (scene) => {
      for (const agent of ["kimi", "opencode", "antigravity", "robota"]) {
        const { status, stderr } = await verb("deno", [
          "hook",
          "install",
          agent,
          "--scope",
          "managed",
        ], scene);
        assert.equal(status, 64);
        assert.match(stderr, /has no settings of an administrator/);
      }
      const project = await verb("deno", ["hook", "install", "kimi", "--scope", "project"], scene);
      assert.equal(project.status, 64);
      assert.match(project.stderr, /Kimi Code: it has no settings of a project/);
    }),
);
