import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import {
  aiSdkToolApproval,
  aiSdkTools,
  claudeCanUseTool,
  claudeHooks,
  openaiToolGate,
} from "../../../lib/adapters/adapters.ts";
import { gateSaying, quiet } from "./fakes.ts";

const word = fc.constantFrom("allow", "deny", "ask", "Allow", "", "approved");
const input = fc.dictionary(fc.constantFrom("command", "more"), fc.jsonValue(), { maxKeys: 2 });

/** The answers of a gate, and now and then something like one. */
const given = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ decision: word, reason: fc.string(), call: fc.record({ input }) }),
  },
  fc.record({ decision: fc.jsonValue(), reason: fc.jsonValue(), call: fc.jsonValue() }, {
    requiredKeys: [],
  }),
  fc.jsonValue(),
);

const GIVEN = { command: "ls" };

test("whatever a gate gives, nothing runs but what it allows, with the input that it names", async () => {
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(given, async (answer) => {
      const gate = gateSaying(() => answer);
      const said = answer as { decision?: unknown; call?: { input?: unknown } } | null;
      const allowed = said?.decision === "allow" ? said.call?.input : undefined;
      const isAllowed = typeof allowed === "object" && allowed !== null && !Array.isArray(allowed);
      const isSame = isAllowed && JSON.stringify(allowed) === JSON.stringify(GIVEN);

      const claude = await claudeCanUseTool(gate)("Bash", GIVEN, { signal: quiet });
      assert.equal(claude.behavior === "allow", isAllowed);
      if (claude.behavior === "allow") {
        assert.equal(JSON.stringify(claude.updatedInput), JSON.stringify(allowed));
      }
      const hook = claudeHooks(gate).PreToolUse[0]!.hooks[0]!;
      const event = { tool_name: "Bash", tool_input: GIVEN };
      const { hookSpecificOutput } = await hook(event, "t", { signal: quiet });
      assert.equal(hookSpecificOutput.permissionDecision === "allow", isAllowed);
      assert.equal(hookSpecificOutput.updatedInput !== undefined, isAllowed && !isSame);

      const openai = openaiToolGate(gate, "Bash");
      assert.equal(await openai.needsApproval({}, GIVEN, "c"), !isSame);
      const toolCall = { arguments: JSON.stringify(GIVEN), callId: "c" };
      const { behavior } = await openai.inputGuardrails[0]!.run({ toolCall });
      const asks = said?.decision === "ask";
      assert.equal(behavior.type === "allow", isSame || asks);

      const call = { toolName: "Bash", toolCallId: "c", input: GIVEN };
      const { type } = await aiSdkToolApproval(gate)({ toolCall: call });
      assert.equal(type === "approved", isSame);
      const { Bash } = aiSdkTools(gate, { Bash: { execute: () => ran++ } });
      const execute: (input: unknown, options: unknown) => unknown = Bash.execute;
      const run = async () => await execute(GIVEN, { toolCallId: "c" });
      const before = ran;
      if (isSame) await run();
      else await assert.rejects(run);
      assert.equal(ran - before, isSame ? 1 : 0);
    }),
    {
      numRuns: 500,
      examples: [[{ decision: "allow", reason: "", call: { input: GIVEN } }], [{
        decision: "ask",
        reason: "",
        call: { input: GIVEN },
      }]],
    },
  );
  assert.ok(ran > 0);
});
