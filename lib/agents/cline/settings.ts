import {
  type AgentSettings,
  eachOnce,
  type InstalledHook,
  namesHook,
  SettingsFault,
} from "../settings/agent_settings.ts";
import { isOwnCommand } from "../settings/own_command.ts";

/** A script for Cline, which runs every file of that name in the folder, with any ending. */
export const settings: AgentSettings = {
  path: (scope) =>
    scope === "user"
      ? [".cline", "hooks", "PreToolUse.sh"]
      : [".clinerules", "hooks", "PreToolUse.sh"],
  homeVariable: "CLINE_DIR",
  notes: ["Cline cannot stop a single call: a deny ends the task"],
  sample: ({ command, folder }) => ({
    event: {
      hookName: "tool_call",
      workspaceRoots: [folder],
      tool_call: { id: "caliban", name: "run_commands", input: { commands: [command] } },
    },
    env: {},
  }),
  install,
  uninstall: (text) => commandsIn(text).length === 0 ? text : undefined,
  commands: (text) => commandsIn(text),
  mentions: (text) => commandsIn(text, namesHook),
  empty: null,
};

const HEAD = `#!/bin/sh
# Written by "caliban hook install cline"; "caliban hook uninstall cline" removes it.
`;

function install(text: string | undefined, { command }: InstalledHook): string {
  if (text !== undefined && text.trim() !== "" && commandsIn(text).length === 0) {
    const at = { line: 1, column: 1 };
    throw new SettingsFault("it is another hook, and one file has no place for two", at);
  }
  return `${HEAD}${command}\n`;
}

function commandsIn(text: string, isWanted = isOwnCommand): readonly string[] {
  if (!text.startsWith(HEAD)) return [];
  const lines = text.slice(HEAD.length).split("\n");
  return eachOnce(lines.filter((line) => isWanted(line, "cline")));
}
