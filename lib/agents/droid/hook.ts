import { claudeHook } from "../hook/claude_form.ts";

/** Factory Droid's hooks, which answer as Claude Code's do. */
export const hook = claudeHook({
  agent: "droid",
  events: ["PreToolUse"],
  projectVariable: "FACTORY_PROJECT_DIR",
  // Its autonomy (`auto-low` to `auto-high`) says which risks it takes unasked, which none of our modes does.
  // `default` and `plan` are the names of older versions.
  modes: { off: "default", default: "default", spec: "plan", plan: "plan" },
});
