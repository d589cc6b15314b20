import { jsonSettings, type KeptOn } from "./json_settings.ts";
import type { AgentName } from "../registry.ts";
import type { TextEdits } from "./agent_settings.ts";

/** Settings in the form of Claude Code's. */
export interface ClaudeSettings {
  readonly agent: AgentName;
  /** The names that lead to the list; `hooks.PreToolUse` by default. */
  readonly path?: readonly string[];
  /** A regular expression over tools; without it the file has none. */
  readonly matcher?: string;
  /** The time limit in the agent's own unit; without it the file has none. */
  readonly timeout?: number;
  /** Members that keep hooks switched on; none by default. */
  readonly flags?: readonly KeptOn[];
}

/** The edits of a list of matchers, each with a list of commands. */
export function claudeSettings(form: ClaudeSettings): TextEdits {
  const { agent, path = ["hooks", "PreToolUse"], matcher, timeout, flags = [] } = form;
  const elementFor = (command: string) => ({
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: "command", command, ...(timeout === undefined ? {} : { timeout }) }],
  });
  return jsonSettings({ agent, lists: [{ path, elementFor }], flags });
}
