import type { AgentSettings } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";
import { jsonSettings, type Switch } from "./json_settings.ts";

/** Where hooks stand with an agent whose settings have the form of Claude Code's. */
export interface ClaudeSettings {
  /** The agent. */
  readonly agent: AgentName;
  /** The names that lead to the list; `hooks.PreToolUse` when left out. */
  readonly path?: readonly string[];
  /** The regular expression over tools; left out of the file when left out. */
  readonly matcher?: string;
  /** The time in the agent's own unit; left out of the file when left out. */
  readonly timeout?: number;
  /** What switches every hook off; none when left out. */
  readonly switches?: readonly Switch[];
}

type TextEdits = Pick<AgentSettings, "install" | "uninstall" | "commands" | "offBy">;

/** How a hook stands there: a list of matchers, each with a list of commands. */
export function claudeSettings(form: ClaudeSettings): TextEdits {
  const { agent, path = ["hooks", "PreToolUse"], matcher, timeout, switches = [] } = form;
  const entry = (command: string) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: "command", command, ...(timeout === undefined ? {} : { timeout }) }],
  });
  return jsonSettings({ agent, lists: [{ path, entry }], switches });
}
