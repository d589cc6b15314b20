import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { pluginFile } from "../settings/plugin_file.ts";

/** The code of the extension. It asks where pi has a person to ask; an error of it stops the call. */
const CODE = `export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    const answer = await ask({
      hook_event_name: "tool_call",
      session_id: ctx.sessionManager?.getSessionId?.(),
      cwd: ctx.cwd,
      tool_name: event.toolName,
      tool_input: event.input ?? {},
    }, ctx.cwd);
    if (answer?.decision === "none") return undefined;
    const reason = answer?.reason || "caliban denies it";
    if (answer?.decision !== "ask") return { block: true, reason };
    if (ctx.hasUI && await ctx.ui.confirm("Run " + event.toolName + "?", reason)) return undefined;
    return { block: true, reason: reason + "; nobody allowed it" };
  });
}
`;

/** An extension for pi, which loads every extension in the folder. */
export const settings: AgentSettings = {
  ...pluginFile({ agent: "pi", code: CODE }),
  path: (scope) => [scope === "user" ? ".pi/agent" : ".pi", "extensions", "caliban.js"],
  homeVariable: "PI_CODING_AGENT_DIR",
  notes: [
    "pi loads extensions at its start: restart it, or type /reload",
    "pi loads extensions of a project only after you trust the project",
  ],
  sample: claudeSample("bash", { hook_event_name: "tool_call" }),
};
