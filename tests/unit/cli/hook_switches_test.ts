import assert from "node:assert/strict";
import { test } from "node:test";
import { agentProfile } from "../../../lib/agents/profile.ts";
import { AGENT_NAMES } from "../../../lib/agents/registry.ts";
import type { AgentSettings } from "../../../lib/agents/settings/agent_settings.ts";
import { readSwitchFiles } from "../../../lib/cli/doctor/switch_files.ts";
import { agentPlace, editsOf } from "../../../lib/cli/write/agent_settings.ts";
import type { PolicyLocation } from "../../../lib/io/load/policy_location.ts";
import { SETTINGS } from "../../support/agents.ts";
import { SWITCH_CASES, type SwitchCase, switchText } from "../../support/switch_cases.ts";

const HOME = "/home/ada";
const PROJECT = "/work/project";
const LOCATION: PolicyLocation = {
  platform: "linux",
  cwd: PROJECT,
  workspace: PROJECT,
  workspaceReal: PROJECT,
  home: HOME,
  homeReal: HOME,
};

/** A machine with these files, as far as settings are read from it. */
function machine(files: ReadonlyMap<string, string>, env: Readonly<Record<string, string>> = {}) {
  return {
    platform: "linux" as const,
    env: (name: string) => env[name],
    stat: (path: string) => files.has(path) ? "file" as const : undefined,
    readText: (path: string) => files.get(path) ?? "",
    listFolder: (folder: string) =>
      [...files.keys()].filter((path) => path.startsWith(`${folder}/`))
        .map((path) => ({ name: path.slice(folder.length + 1), kind: "other" as const })),
  };
}

function offIn({ agent, scope = "user", home = {}, project = {}, machine: own = {} }: SwitchCase) {
  const settings: AgentSettings = SETTINGS[agent];
  const command = `/usr/bin/deno /data/caliban/cli.ts hook ${agent} || exit 2`;
  const texts = (folder: string, files: Readonly<Record<string, unknown>>) =>
    Object.entries(files).map(([path, value]) =>
      [folder + path, switchText(value, { command, project: PROJECT })] as const
    );
  const files = new Map([
    ...texts(`${HOME}/`, home),
    ...texts(`${PROJECT}/`, project),
    ...texts("", own),
  ]);
  const about = { name: agent, settings, location: LOCATION };
  const { path } = agentPlace(machine(files), { ...about, scope });
  files.set(path, editsOf(settings, scope).install(files.get(path), { command }));
  const switches = readSwitchFiles(machine(files), about);
  assert.deepEqual(switches.broken, []);
  const hook = { agent, scope, path, command };
  const [read = []] = switches.views;
  return settings.switches?.checks.flatMap((check) => check(read, hook) ?? []) ?? [];
}

for (const each of SWITCH_CASES) {
  test(`${agentProfile(each.agent).title}: ${each.name}`, () => {
    const found = offIn(each);
    assert.equal(found.length > 0, each.off, JSON.stringify(found));
    for (const { path, what } of found) {
      assert.match(path, /^\//);
      assert.match(what, /^(?:its )?"/);
    }
  });
}

test("a file that cannot be read is told, and hides no other", () => {
  const files = new Map([
    [`${PROJECT}/.claude/settings.json`, "{"],
    [`${PROJECT}/.claude/settings.local.json`, '\ufeff{ "disableAllHooks": true, /* x */ }'],
  ]);
  const about = { name: "claude", settings: SETTINGS.claude, location: LOCATION } as const;
  const { views: [read = []], broken } = readSwitchFiles(machine(files), about);
  assert.equal(broken.length, 1);
  assert.match(broken[0] ?? "", /settings\.json:1:\d+: Cannot read the settings/);
  assert.deepEqual(read.map(({ path }) => path), [`${PROJECT}/.claude/settings.local.json`]);
});

test("each folder from the workspace down to the current one is one that an agent may be started in", () => {
  const off = '{ "disableAllHooks": true }';
  const files = new Map([
    [`${PROJECT}/.claude/settings.json`, "{}"],
    [`${PROJECT}/sub/.claude/settings.json`, off],
    [`${PROJECT}/other/.claude/settings.json`, off],
  ]);
  const location = { ...LOCATION, cwd: `${PROJECT}/sub/deep` };
  const about = { name: "claude", settings: SETTINGS.claude, location } as const;
  const { views } = readSwitchFiles(machine(files), about);
  assert.deepEqual(views.map((read) => read.map(({ path }) => path)), [
    [`${PROJECT}/.claude/settings.json`],
    [`${PROJECT}/sub/.claude/settings.json`],
    [],
  ]);
});

test("a variable names the folder or the file that an agent reads", () => {
  const files = new Map([["/x/settings.json", "{}"], ["/y/claude/settings.json", "{}"]]);
  const env = {
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: "/x/settings.json",
    CLAUDE_CONFIG_DIR: "/y/claude",
  };
  const read = (name: "claude" | "gemini") =>
    readSwitchFiles(machine(files, env), { name, settings: SETTINGS[name], location: LOCATION })
      .views[0] ?? [];
  assert.deepEqual(read("gemini").map(({ scope, path }) => [scope, path]), [
    ["managed", "/x/settings.json"],
  ]);
  assert.deepEqual(read("claude").map(({ scope, path }) => [scope, path]), [
    ["user", "/y/claude/settings.json"],
  ]);
  const managed = { name: "gemini", settings: SETTINGS.gemini, location: LOCATION } as const;
  const place = agentPlace(machine(files, env), { ...managed, scope: "managed" });
  assert.equal(place.path, "/x/settings.json");
});

test("managed settings stand in folders of the administrator", () => {
  for (const name of AGENT_NAMES) {
    const { managed } = SETTINGS[name];
    for (const folder of Object.values(managed?.folder ?? {})) {
      assert.match(folder, /^\/(?:etc|Library\/Application Support)\//);
    }
  }
});
