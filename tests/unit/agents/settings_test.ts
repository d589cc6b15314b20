import assert from "node:assert/strict";
import { test } from "node:test";
import { parse as parseToml } from "smol-toml";
import { AGENT_NAMES, type AgentName } from "../../../lib/agents/registry.ts";
import { SettingsFault } from "../../../lib/agents/settings/agent_settings.ts";
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
];

function commandFor(agent: AgentName): string {
  return `'/opt/a b/deno' run "/data/caliban/hook-1/caliban.js" hook ${agent} || exit 2`;
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

  test(`${agent}: the file is named in the settings of a user and of a project`, () => {
    for (const scope of ["user", "project"] as const) assert.ok(settings.path(scope).length >= 2);
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
  const others = ["caliban-lint --all", "my-hook claude", "echo caliban hook claude-like"];
  const entries = others.map((command) => ({ hooks: [{ type: "command", command }] }));
  const text = JSON.stringify({ hooks: { PreToolUse: entries } }, null, 2);
  const installed = SETTINGS.claude.install(text, { command: commandFor("claude") });
  const { hooks } = plain(installed) as { hooks: { PreToolUse: unknown[] } };
  assert.deepEqual(hooks.PreToolUse.slice(0, 3), entries);
  assert.equal(SETTINGS.claude.uninstall(installed), text);
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

test("what switches all hooks off is found, and nothing that is only like it", () => {
  const { claude, gemini } = SETTINGS;
  assert.equal(claude.offBy?.('{ "disableAllHooks": true }'), "disableAllHooks");
  for (const text of ['{ "disableAllHooks": false }', '{ "hooks": { "disableAllHooks": true } }']) {
    assert.equal(claude.offBy?.(text), undefined, text);
  }
  assert.equal(gemini.offBy?.('{ "hooksConfig": { "enabled": false } }'), "hooksConfig.enabled");
  assert.equal(gemini.offBy?.('{ "tools": { "enableHooks": true } }'), undefined);
});

test("a copilot file of somebody else is not taken for ours", () => {
  const text = '{ "version": 1, "hooks": {} }\n';
  assert.deepEqual(SETTINGS.copilot.commands(text), []);
  assert.equal(SETTINGS.copilot.uninstall(text), text);
});
