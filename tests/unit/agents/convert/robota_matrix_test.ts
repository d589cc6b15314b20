import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../lib/shell/parse/loaded_parser.ts";
import { policyFileOf } from "../../../../lib/agents/convert/format.ts";
import { formatNamed } from "../../../support/agents.ts";
import { decide } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { MODES } from "../../../../lib/decide/modes.ts";
import { printPolicy } from "../../../../lib/policy/edit/print_policy.ts";
import { policyFromToml } from "../../../../lib/policy/sources/policy_from_toml.ts";
import table from "../../../cases/formats/robota_matrix.json" with { type: "json" };

const CALLS = {
  Read: { tool: "Read", input: { path: "src/a.ts" } },
  Write: { tool: "Write", input: { path: "src/a.ts" } },
  Bash: { tool: "Bash", input: { command: "make" } },
} as const;

/** The decision under a file that starts in that mode; bypass is written as a rule, for no file may start in it. */
function decided(start: string, call: { tool: string; input: Record<string, string> }) {
  const permissions = { ...table.file.permissions, defaultMode: start };
  const reading = formatNamed("robota")!.read!(JSON.stringify({ permissions }), "settings.json");
  assert.deepEqual(reading.problems, []);
  const policy = policyFromToml(printPolicy(policyFileOf(reading)));
  const mode = MODES.find(({ name }) => name === (reading.defaultMode ?? "default"))!;
  return decide(policy, evaluateCall(policy, call), { mode }).decision;
}

for (const row of table.matrix) {
  for (const tool of ["Read", "Write", "Bash"] as const) {
    test(`robota's matrix: ${tool} in ${row.mode} is ${row[tool]}`, () => {
      assert.equal(decided(row.mode, CALLS[tool]), row[tool]);
    });
  }
  test(`robota's lists stand before its matrix in ${row.mode}`, () => {
    assert.equal(decided(row.mode, { tool: "Bash", input: { command: "rm -rf x" } }), "deny");
    assert.equal(decided(row.mode, { tool: "Bash", input: { command: "pnpm test" } }), "allow");
    assert.equal(decided(row.mode, { tool: "Write", input: { path: "secret.txt" } }), "deny");
  });
}
