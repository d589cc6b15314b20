import { claudeHook } from "../hook/claude_form.ts";
import { claudeDecision, jsonOutput, SILENCE } from "../hook/hook_output.ts";

/** Kimi Code's hooks. Only a deny is known to be honoured. */
export const hook = claudeHook(
  { agent: "kimi", events: ["PreToolUse"], modes: {} },
  ({ decision, reason }) =>
    decision === "deny" ? jsonOutput(claudeDecision(decision, reason)) : SILENCE,
);
