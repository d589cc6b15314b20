import type { JsonObject } from "../model/call.ts";
import type { AgentName } from "./agent_name.ts";

/** An event that an agent could send. */
export interface SampleEvent {
  /** The event. */
  readonly event: JsonObject;
  /** The variables that the agent sets for its hooks. */
  readonly env: Readonly<Record<string, string>>;
}

/** A shell command in a folder, which is the project's too. */
export interface SampleCommand {
  /** The command line. */
  readonly command: string;
  /** The folder's absolute path. */
  readonly folder: string;
}

/** An agent's event about a shell command, for trying an installed hook and for tests. */
export function sampleEvent(agent: AgentName, sample: SampleCommand): SampleEvent {
  const { event, variable } = SAMPLES[agent];
  return {
    event: event(sample),
    env: variable === undefined ? {} : { [variable]: sample.folder },
  };
}

interface Sample {
  readonly event: (sample: SampleCommand) => JsonObject;
  /** The variable with the project folder. */
  readonly variable?: string;
}

const SAMPLES: Readonly<Record<AgentName, Sample>> = {
  claude: {
    event: (sample) => ({ ...claudeForm("Bash", sample), permission_mode: "default" }),
    variable: "CLAUDE_PROJECT_DIR",
  },
  codex: {
    event: (sample) => ({ ...claudeForm("Bash", sample), permission_mode: "default" }),
  },
  gemini: {
    event: (sample) => ({
      ...claudeForm("run_shell_command", sample),
      hook_event_name: "BeforeTool",
    }),
    variable: "GEMINI_PROJECT_DIR",
  },
  cursor: {
    event: ({ command, folder }) => ({
      hook_event_name: "beforeShellExecution",
      workspace_roots: [folder],
      command,
      cwd: "",
    }),
  },
  copilot: {
    event: ({ command, folder }) => ({
      sessionId: "caliban",
      cwd: folder,
      toolName: "bash",
      toolArgs: JSON.stringify({ command }),
    }),
  },
  opencode: {
    event: (sample) => ({
      ...claudeForm("bash", sample),
      hook_event_name: "tool.execute.before",
      project: sample.folder,
    }),
  },
  robota: { event: (sample) => claudeForm("Bash", sample) },
  antigravity: {
    event: ({ command, folder }) => ({
      toolCall: { name: "run_command", args: { CommandLine: command, Cwd: folder } },
      workspacePaths: [folder],
    }),
  },
  grok: {
    event: ({ command, folder }) => ({
      cwd: folder,
      workspaceRoot: folder,
      toolName: "run_terminal_command",
      toolInput: { command },
      toolInputTruncated: false,
    }),
  },
  droid: {
    event: (sample) => claudeForm("Execute", sample),
    variable: "FACTORY_PROJECT_DIR",
  },
  qwen: {
    event: (sample) => claudeForm("run_shell_command", sample),
    variable: "QWEN_PROJECT_DIR",
  },
  kimi: { event: (sample) => claudeForm("Bash", sample) },
};

function claudeForm(tool: string, { command, folder }: SampleCommand): JsonObject {
  return {
    session_id: "caliban",
    cwd: folder,
    hook_event_name: "PreToolUse",
    tool_name: tool,
    tool_input: { command },
  };
}
