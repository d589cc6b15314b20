import assert from "node:assert/strict";
import { test } from "node:test";
import { parse as parseToml } from "smol-toml";
import { AGENT_NAMES, type AgentName } from "../../../lib/agents/registry.ts";
import { SettingsFault } from "../../../lib/agents/settings/agent_settings.ts";
import { renewed } from "../../../lib/agents/settings/renew.ts";
import { SETTINGS } from "../../support/agents.ts";
import { parseJsonc } from "../../../lib/text/json.ts";
import { jsonValue } from "../../../lib/text/json_node.ts";
import fc from "../../support/seeded.ts";

const IN_JSON: readonly AgentName[] = [
  "claude",
  "codex",
  "gemini",
  "cursor",
  "robota",
  "antigravity",
  "droid",
  "qwen",
  "crush",
  "qoder",
  "auggie",
];

function commandFor(agent: AgentName): string {
  return `'/opt/a b/deno' run /data/caliban/hook-1/caliban.js hook ${agent} || exit 2`;
}

function plain(text: string): unknown {
  const { root, problems } = parseJsonc(text);
  assert.deepEqual(problems, []);
  return jsonValue(root);
}

for (const agent of AGENT_NAMES) {
  const settings = SETTINGS[agent];
  const command = commandFor(agent);

  test(`${agent}: into no file and out of it again`, () => {
    const text = settings.install(undefined, { command });
    assert.deepEqual(settings.commands(text), [command]);
    assert.ok(text.endsWith("\n"));
    assert.equal(settings.install(text, { command }), text);
    assert.equal(settings.uninstall(text), undefined);
  });

  test(`${agent}: another command takes the place of the one before`, () => {
    const other = command.replace("hook-1", "hook-2");
    const text = settings.install(settings.install(undefined, { command: other }), { command });
    assert.deepEqual(settings.commands(text), [command]);
    assert.equal(text, settings.install(undefined, { command }));
  });

  test(`${agent}: a renewed command keeps every other byte`, () => {
    const old = command.replace("hook-1", "hook-2");
    const text = settings.install(undefined, { command: old });
    const next = settings.install(undefined, { command });
    assert.equal(renewed(text, { edits: settings, commands: [old], next: command }), next);
    assert.equal(renewed(next, { edits: settings, commands: [command], next: command }), next);
    if (!IN_JSON.includes(agent)) return;
    const other = '{ "matcher": "Read", "hooks": [] }';
    const mixed = text.replace(/\[\s*\{/, (start) => start.replace("{", `${other}, {`))
      .replace("{", "{ // mine");
    const wanted = mixed.replaceAll(JSON.stringify(old), () => JSON.stringify(command));
    assert.notEqual(mixed, wanted);
    assert.equal(renewed(mixed, { edits: settings, commands: [old], next: command }), wanted);
  });

  test(`${agent}: the file is named in the settings of a user and of a project`, () => {
    assert.ok(settings.path("user").length >= 2);
    assert.ok(settings.path("project").length >= 1);
  });
}

for (const agent of IN_JSON) {
  const settings = SETTINGS[agent];
  const command = commandFor(agent);

  test(`${agent}: what else is in the file stays, and comes back to the same`, () => {
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
    const names = fc.constantFrom("a", "hooks", "PreToolUse", "b", "version");
    const other = fc.dictionary(names.filter((name) => name !== "hooks"), scalar);
    const spaces = fc.constantFrom(0, 2, 4, "\t");
    fc.assert(fc.property(other, spaces, fc.boolean(), (object, space, crlf) => {
      const json = JSON.stringify(object, null, space) + "\n";
      const text = crlf ? json.replaceAll("\n", "\r\n") : json;
      const installed = settings.install(text, { command });
      assert.deepEqual(settings.commands(installed), [command]);
      assert.equal(settings.install(installed, { command }), installed);
      const { hooks: _, caliban: __, ...rest } = plain(installed) as Record<string, unknown>;
      const { version, ...without } = rest;
      const { version: before, ...own } = object as Record<string, unknown>;
      assert.deepEqual(without, own);
      if (before !== undefined) assert.equal(version, before);
      if (crlf) assert.doesNotMatch(installed, /(?<!\r)\n/);
      const left = settings.uninstall(installed) ?? "{}";
      const { version: ___, ...end } = plain(left) as Record<string, unknown>;
      assert.deepEqual(end, own);
    }));
  });

  test(`${agent}: what is no JSON is refused with its place`, () => {
    for (const text of ["{\n  a", "[]", '{"a": 1}}', "x", '{\n"hooks": 1, "caliban": 1}']) {
      assert.throws(
        () => settings.install(text, { command }),
        (error) => error instanceof SettingsFault && error.line >= 1 && error.column >= 1,
        text,
      );
    }
  });
}

const WITH_COMMENTS = `// head
{
    "model": "x", // keep
    /* before */
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "true" }] } // last
            // more
        ],
    },
    // tail
}
`;

test("comments, indentation and trailing commas stay as they are", () => {
  const settings = SETTINGS.claude;
  const command = commandFor("claude");
  const installed = settings.install(WITH_COMMENTS, { command });
  for (const kept of ["// head", "// keep", "/* before */", "// last", "// more", "// tail"]) {
    assert.ok(installed.includes(kept), kept);
  }
  assert.match(installed, /\n {12}\{\n {16}"matcher": "\*",/);
  const lists = plain(installed) as { hooks: { PreToolUse: unknown[] } };
  assert.equal(lists.hooks.PreToolUse.length, 2);
  const left = settings.uninstall(installed);
  assert.deepEqual(plain(left ?? ""), plain(WITH_COMMENTS));
  for (const kept of ["// head", "// keep", "// last", "// more", "// tail"]) {
    assert.ok(left?.includes(kept), kept);
  }
});

test("a hook of somebody else stays first, and one whose command only looks like ours stays too", () => {
  const others = [
    "caliban-lint --all",
    "my-hook claude",
    "echo caliban hook claude-like",
    "echo 'see: caliban hook claude' >> n; exec my-own-guard",
  ];
  const entries = others.map((command) => ({ hooks: [{ type: "command", command }] }));
  const text = JSON.stringify({ hooks: { PreToolUse: entries } }, null, 2);
  const installed = SETTINGS.claude.install(text, { command: commandFor("claude") });
  const { hooks } = plain(installed) as { hooks: { PreToolUse: unknown[] } };
  assert.deepEqual(hooks.PreToolUse.slice(0, 4), entries);
  assert.equal(SETTINGS.claude.uninstall(installed), text);
});

test("many lines of ours are an error at once, in every form", () => {
  for (const agent of ["claude", "kimi", "opencode"] as const) {
    const { elements } = {
      elements: Array.from(
        { length: 5000 },
        (_, at) => `/opt/caliban hook ${agent} --rules ${at} || exit 2`,
      ),
    };
    const text = agent === "claude"
      ? JSON.stringify({
        hooks: { PreToolUse: elements.map((command) => ({ hooks: [{ command }] })) },
      })
      : agent === "kimi"
      ? elements.map((command) => `[[hooks]]\ncommand = "${command}"\n`).join("")
      : elements.map((command) => JSON.stringify(command)).join("\n");
    const many = /more than 50 lines of caliban/;
    assert.throws(() => SETTINGS[agent].commands(text), many);
    if (agent === "opencode") continue;
    assert.throws(() => SETTINGS[agent].uninstall(text), many);
    assert.throws(() => SETTINGS[agent].install(text, { command: commandFor(agent) }), many);
  }
  const same = {
    hooks: [{ command: "mine" }, ...Array(5000).fill({ command: commandFor("claude") })],
  };
  const text = JSON.stringify({ hooks: { PreToolUse: [same] } });
  assert.throws(() => SETTINGS.claude.uninstall(text), /more than 50 lines of caliban/);
});

test("a command of somebody else in the same element stays", () => {
  const command = commandFor("claude");
  const text = SETTINGS.claude.install(undefined, { command });
  const both = text.replace(
    '"hooks": [\n          {',
    '"hooks": [\n          { "command": "mine" },\n          {',
  );
  assert.notEqual(both, text);
  const commandsIn = (whole: string) => whole.match(/"command": "[^"\\]*/g)?.length;
  assert.deepEqual(plain(SETTINGS.claude.uninstall(both) ?? ""), {
    hooks: { PreToolUse: [{ matcher: "*", hooks: [{ command: "mine" }] }] },
  } as unknown);
  const again = SETTINGS.claude.install(both, { command: command.replace("hook-1", "hook-2") });
  assert.equal(commandsIn(again), 2);
  assert.match(again, /"mine"/);
});

const TOML = `# mine
model = "k2"

[[hooks]]
event = "PreToolUse"
command = "true"

[loop]
max = 3 # keep
`;

test("kimi: a table at the end, and the rest to the byte", () => {
  const settings = SETTINGS.kimi;
  const command = commandFor("kimi");
  for (const text of [TOML, TOML.trimEnd(), TOML.replaceAll("\n", "\r\n"), ""]) {
    const installed = settings.install(text, { command });
    assert.equal(installed.startsWith(text), true);
    const { hooks } = parseToml(installed) as { hooks: { command: string }[] };
    assert.equal(hooks.at(-1)?.command, command);
    assert.equal(settings.install(installed, { command }), installed);
    const left = settings.uninstall(installed) ?? "";
    assert.equal(left.trimEnd(), text.trimEnd());
  }
});

test("kimi: what is no TOML, or cannot get a table, is refused", () => {
  for (const text of ["a = ", 'hooks = [{ event = "Stop" }]', "hooks = 1"]) {
    assert.throws(
      () => SETTINGS.kimi.install(text, { command: "x" }),
      (error) => error instanceof SettingsFault,
      text,
    );
  }
});

for (const agent of AGENT_NAMES) {
  const { managed } = SETTINGS[agent];
  if (managed === undefined) continue;
  const command = commandFor(agent);

  test(`${agent}: managed settings come back to the same`, () => {
    const isToml = managed.path.at(-1)?.endsWith(".toml");
    const own = managed.path.at(-1) === "caliban.json";
    const texts = isToml
      ? ["# mine\n[a]\nb = 1\n", "[a]\nb = 1", ""]
      : ['{\n  "a": 1\n}\n', '{ "a": { "b": [] } }'];
    for (const text of own ? [] : texts) {
      const installed = managed.install(text, { command });
      assert.deepEqual(managed.commands(installed), [command]);
      assert.equal(managed.install(installed, { command }), installed);
      const other = command.replace("hook-1", "hook-2");
      assert.deepEqual(managed.commands(managed.install(installed, { command: other })), [other]);
      const left: string = managed.uninstall(installed) ?? "";
      assert.deepEqual(managed.commands(left), []);
      if (isToml) assert.equal(left.trimEnd(), text.trimEnd());
      else assert.equal((plain(left) as { a: unknown }).a !== undefined, true);
    }
    const alone = managed.install(undefined, { command });
    assert.equal(managed.uninstall(alone), undefined);
  });
}

test("codex: what an administrator switched off stays off, and is told", () => {
  const { managed } = SETTINGS.codex;
  const command = commandFor("codex");
  for (const text of ["[features]\nhooks = false\n", "features = { x = 1 }\n", "hooks = 1\n"]) {
    assert.throws(() => managed?.install(text, { command }), SettingsFault, text);
  }
  const text = "[features]\nx = 1\n\n[b]\nc = 2\n";
  const installed = managed?.install(text, { command }) ?? "";
  const { features } = parseToml(installed) as { features: unknown };
  assert.deepEqual({ ...features as object }, { hooks: true, x: 1 });
  assert.equal(managed?.uninstall(installed), text);
});

test("a copilot file of somebody else is not taken for ours", () => {
  const text = '{ "version": 1, "hooks": {} }\n';
  assert.deepEqual(SETTINGS.copilot.commands(text), []);
  assert.equal(SETTINGS.copilot.uninstall(text), text);
});
