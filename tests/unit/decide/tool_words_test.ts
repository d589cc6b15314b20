import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import defaults from "../../../defaults/tools.json" with { type: "json" };
import { decideInMode } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import type { JsonObject } from "../../../lib/model/call.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import table from "../../cases/tool_words.json" with { type: "json" };

function decided(rules: readonly (readonly string[])[], tool: string, input: JsonObject) {
  const toml = rules.map(([action, pattern]) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
  );
  const policy = policyFromToml(toml.join(""), { workspace: "/work", home: "/home/ada" });
  return decideInMode(policy, evaluateCall(policy, { tool, input, cwd: "/work" }), defaultMode);
}

test("each spelling of a tool's first argument is what its rules are tried on", () => {
  for (const [tool, spelling] of table.first as unknown as [string, string][]) {
    const value = tool === "WebFetch" || tool.startsWith("ReadMcp")
      ? "https://x.example/a"
      : "secret";
    const { decision } = decided([["deny", `${tool}:${value}`], ["allow", "*"]], tool, {
      [spelling]: value,
    });
    assert.equal(decision, "deny", `${tool} ${spelling}`);
  }
});

const NAMES = {
  files: ["secret/.env", "Read:**/.env", "deny"],
  may_files: ["secret/.env", "Read:**/.env", "deny"],
  urls: ["https://evil.example/x", "WebFetch(domain:evil.example)", "deny"],
  may_urls: ["https://evil.example/x", "WebFetch(domain:evil.example)", "deny"],
  commands: ["ls; rm x", "Bash:rm *", "deny"],
  may_commands: ["rm x", "Bash:rm *", "deny"],
} as const;

for (const [list, [value, pattern, expected]] of Object.entries(NAMES)) {
  test(`each word of the keys "${list}" names what written rules are about`, () => {
    const words: readonly string[] = table.keys[list as keyof typeof NAMES];
    const missed = words.filter((word) =>
      decided([["deny", pattern], ["allow", "*"]], "mcp__x__y", { [word]: value }).decision !==
        expected
    );
    assert.deepEqual(missed, []);
  });
}

test("each field that raises rights is a safety check", () => {
  for (
    const { fields, raises } of table.rights as unknown as { fields: string[]; raises?: string[] }[]
  ) {
    for (const field of fields) {
      for (const value of raises ?? ["true"]) {
        const input = { command: "ls", [field]: value };
        const { decision, decidedBy } = decided([["allow", "*"]], "Bash", input);
        assert.deepEqual([decision, decidedBy], ["ask", "safety"], `${field}=${value}`);
      }
    }
  }
});

test("the list has every word of the table", () => {
  const first = defaults.tools.flatMap(({ name, firstArg }) =>
    firstArg.map((text) => [name, text])
  );
  assert.deepEqual(first.map(String).toSorted(), table.first.map(String).toSorted());
  assert.deepEqual(defaults.keys, table.keys);
  assert.deepEqual(defaults.rights, table.rights);
});
