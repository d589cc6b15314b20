import { claudeHook } from "../hook/claude_form.ts";
import { SILENCE, stopOutput } from "../hook/hook_output.ts";

/** robota's hooks: exit status 0 proceeds, 2 blocks with standard error as the reason. */
export const hook = claudeHook(
  { agent: "robota", events: ["PreToolUse"], modes: {} },
  (response) => response.decision === "deny" ? stopOutput(response) : SILENCE,
);
