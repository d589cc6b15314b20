import assert from "node:assert/strict";
import { test } from "node:test";
import { EXPORT } from "../../../../lib/cli/export/table.ts";
import { IMPORT } from "../../../../lib/cli/import/table.ts";
import {
  detectFormats,
  EXPORT_FORMATS,
  IMPORT_FORMATS,
} from "../../../../lib/agents/formats/format_registry.ts";
import { FORMATS } from "../../../support/agents.ts";
import { toolProfiles } from "../../../../lib/policy/compile/profiles.ts";

const context = { profiles: toolProfiles(new Map()), settings: {}, mayOverlap: () => true };

test("the verbs name every format, and import those that can be read", () => {
  const choices = (flags: typeof EXPORT.flags) =>
    flags.find(({ name }) => name === "format")?.choices;
  assert.deepEqual(choices(EXPORT.flags), ["toml", "json", ...EXPORT_FORMATS]);
  assert.deepEqual(choices(IMPORT.flags), IMPORT_FORMATS);
});

test("the registry names each format as it names itself, and knows which can be read", () => {
  assert.deepEqual(FORMATS.map(({ name }) => name), EXPORT_FORMATS);
  assert.deepEqual(FORMATS.filter(({ read }) => read).map(({ name }) => name), IMPORT_FORMATS);
});

const PATHS: readonly (readonly [string, string])[] = [
  ["/p/.claude/settings.json", "claude"],
  ["/p/x.rules", "codex"],
  ["/p/.gemini/policies/x.toml", "gemini"],
  ["/p/opencode.json", "opencode"],
  ["/p/.cursor/cli.json", "cursor"],
  ["/p/.vscode/settings.json", "copilot"],
  ["/p/.factory/settings.json", "droid"],
  ["/p/.qwen/settings.json", "qwen"],
  ["/p/.kimi-code/config.toml", "kimi"],
  ["/p/.robota/settings.json", "robota"],
  ["/p/.rulesync/permissions.jsonc", "rulesync"],
  ["/p/.zed/settings.json", "zed"],
  ["/home/u/.copilot/permissions-config.json", "copilot-cli"],
];

test("what each format writes is found to be of it, at its usual place", async () => {
  const rules = [{ pattern: "Bash(git push:*)", action: "allow" }, {
    pattern: "Bash(rm:*)",
    action: "deny",
  }] as const;
  for (const [path, name] of PATHS) {
    const { text } = FORMATS.find((format) => format.name === name)!.write(rules, context);
    const found = await detectFormats(path, text);
    assert.deepEqual(found.map((format) => format.name), [name], path);
  }
});

test("texts of no format are read without a throw, whatever they hold", () => {
  const texts = [
    "",
    "null",
    "[]",
    "{",
    "\u0000",
    '{"permissions":null}',
    '{"permissions":{"allow":{"a":1}}}',
    '{"permission":[1]}',
    '{"chat.tools.terminal.autoApprove":true}',
    '{"commandAllowlist":{}}',
    '{"__proto__":{"permissions":{}}}',
    "[[rule]]",
    "rule = 1",
    "[permission]\nrules = 5",
    "prefix_rule(",
    "prefix_rule(pattern=[[[]]])",
    `${"[".repeat(100_000)}`,
    '{"permissions":{"allow":["Bash(\\u0007:*)","Bash(\\ud800)"]}}',
  ];
  for (const format of FORMATS) {
    for (const text of texts) {
      const reading = format.read?.(text, "x");
      if (!reading) continue;
      const spans = [
        ...reading.problems.map(({ span }) => span),
        ...reading.losses.flatMap(({ span }) => span ?? []),
      ];
      assert.ok(
        spans.every(({ start, end, line, column }) => start <= end && line > 0 && column > 0),
        format.name,
      );
    }
  }
});

test("hostile patterns are written as texts of their format, which reads them back", () => {
  const rules = [
    { pattern: 'Bash:echo "x\\\\" *', action: "deny", reason: 'a "quote" \u202e and \\ a\nline' },
    { pattern: "Bash(__proto__:*)", action: "allow" },
    { pattern: "Bash:~*/ /*", action: "ask" },
    { pattern: "Read:**/a b]c", action: "deny" },
    { pattern: "Bash(1:*)", action: "deny" },
    { pattern: "mcp____proto____x", action: "deny" },
  ] as const;
  for (const format of FORMATS) {
    const { text } = format.write(rules, context);
    assert.deepEqual(format.read?.(text, "x").problems ?? [], [], `${format.name}\n${text}`);
  }
});
