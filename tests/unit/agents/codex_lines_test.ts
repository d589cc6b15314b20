// Calls of exec_command and the files that Codex 0.169.0 made of them, recorded in a session of it without a hook.
import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { answerEvent } from "../../../lib/agents/hook/answer_event.ts";
import { mapCall } from "../../../lib/agents/hook/map_call.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import rows from "../../cases/agents/codex_lines.json" with { type: "json" };

/** A rule that denies one file. */
function denying(path: string): string {
  const text = `/N/ws/${path}`.replace(/[\\*?[\]{}]/g, "\\$&");
  return `{ pattern = ${JSON.stringify(`Edit(${text})`)}, action = "deny" }`;
}

for (
  const { input, makes } of rows as readonly { input: Record<string, string>; makes: string[] }[]
) {
  for (const path of makes) {
    test(`a denial of ${JSON.stringify(path)} stops ${JSON.stringify(input)} in Codex`, () => {
      const rules = `${denying(path)}, { pattern = "*", action = "allow" }`;
      const policy = policyFromToml(`permissions.rules = [${rules}]`, { workspace: "/N/ws" });
      const mapped = mapCall("codex", { tool: "exec_command", input, cwd: "/N/ws" });
      const event = { name: "PreToolUse", folders: [], ...mapped };
      const answer = answerEvent(event, { policy, others: [], now: 0, mode: defaultMode });
      assert.notEqual(answer.action, "allow");
    });
  }
}
