import type { AgentName } from "../../../lib/agents/registry.ts";
import type { ScriptedCall } from "../model/script.ts";

/** Where a real agent runs. */
export interface Place {
  readonly home: string;
  readonly project: string;
  /** The address of the scripted model, without a path. */
  readonly model: string;
}

/** A coding agent's package of npm, and the way to drive it without a person and without its own questions. */
export interface RealAgent {
  readonly agent: AgentName;
  readonly package: string;
  /** The agent's version, which the facts about it were read from. */
  readonly version: string;
  /** The program below `node_modules` on this system; `{os}` and `{cpu}` stand for Node's names of them. */
  readonly program: string;
  /** The folder with the package, from here, where something else installs it. */
  readonly folder?: string;
  /** True if the program is for Node. */
  readonly isScript?: boolean;
  /** A call of its tool for shell commands. */
  shell(command: string): ScriptedCall;
  /** Arguments of a run in which it asks nobody. */
  readonly args: readonly string[];
  /** Variables besides HOME and PATH. */
  env?(place: Place): Readonly<Record<string, string>>;
  /** A package of its own version that it would install in a folder of the home, which has no network here. */
  readonly library?: { readonly package: string; readonly into: string };
  /** Its settings by their path below the home, written before the hook is installed. */
  files?(place: Place): Readonly<Record<string, string>>;
}

/** The agents that npm has. */
export const REAL_AGENTS: readonly RealAgent[] = [
  {
    agent: "claude",
    package: "@anthropic-ai/claude-agent-sdk",
    version: "2.1.330",
    folder: "../node_modules",
    program: "@anthropic-ai/claude-agent-sdk-{os}-{cpu}/claude",
    shell: (command) => ({
      name: "Bash",
      input: { command, description: "x" },
    }),
    args: [
      "-p",
      "go",
      "--allowedTools",
      "Bash,Read,Edit,Write,Grep,Glob,NotebookEdit",
    ],
    env: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
  },
  {
    agent: "codex",
    package: "@openai/codex",
    version: "0.169.0",
    folder: "../engines/node_modules",
    program: "@openai/codex/bin/codex.js",
    isScript: true,
    shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
    args: [
      "exec",
      "--sandbox=danger-full-access",
      "--skip-git-repo-check",
      "--dangerously-bypass-hook-trust",
      "go",
    ],
    files: ({ model }) => ({
      ".codex/config.toml": [
        'model = "gpt-5.5"',
        'model_provider = "local"',
        "[model_providers.local]",
        'name = "local"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        "",
      ].join("\n"),
    }),
  },
  {
    agent: "gemini",
    package: "@google/gemini-cli",
    version: "0.61.0",
    program: "@google/gemini-cli/bundle/gemini.js",
    isScript: true,
    shell: (command) => ({
      name: "run_shell_command",
      input: { command, description: "x" },
    }),
    args: ["--yolo", "--model=gemini-2.5-pro", "--prompt=go"],
    env: ({ model }) => ({
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_API_KEY: "none",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_TELEMETRY_ENABLED: "false",
    }),
    files: () => ({
      ".gemini/settings.json": JSON.stringify({
        security: { auth: { selectedType: "gemini-api-key" } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        model: { disableLoopDetection: true },
      }),
    }),
  },
  {
    agent: "copilot",
    package: "@github/copilot",
    version: "1.0.102",
    program: "@github/copilot-{os}-{cpu}/copilot",
    shell: (command) => ({
      name: "bash",
      input: { command, description: "x" },
    }),
    args: [
      "-p",
      "go",
      "--allow-all-tools",
      "--allow-all-paths",
      "--no-auto-update",
    ],
    env: ({ model }) => ({
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_API_KEY: "none",
      COPILOT_MODEL: "m",
      COPILOT_OFFLINE: "true",
    }),
  },
  {
    agent: "opencode",
    package: "opencode-ai",
    version: "1.18.33",
    program: "opencode-{os}-{cpu}/bin/opencode",
    library: { package: "@opencode-ai/plugin", into: ".config/opencode" },
    shell: (command) => ({
      name: "bash",
      input: { command, description: "x" },
    }),
    args: ["run", "--model=local/m", "go"],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    }),
    files: ({ model }) => ({
      ".config/opencode/opencode.json": JSON.stringify({
        provider: {
          local: {
            npm: "@ai-sdk/openai-compatible",
            name: "local",
            options: { baseURL: `${model}/v1`, apiKey: "none" },
            models: { m: { name: "m", tool_call: true } },
          },
        },
        permission: "allow",
        share: "disabled",
        autoupdate: false,
      }),
    }),
  },
  {
    agent: "grok",
    package: "@xai-official/grok",
    version: "1.0.41",
    program: "@xai-official/grok-{os}-{cpu}/bin/grok",
    shell: (command) => ({
      name: "run_terminal_command",
      input: { command, description: "x" },
    }),
    args: ["-p", "go", "--always-approve", "-m", "m"],
    env: () => ({ XAI_API_KEY: "none", GROK_DISABLE_TELEMETRY: "1" }),
    files: ({ model }) => ({
      ".grok/config.toml": [
        "[model.m]",
        'model = "m"',
        `base_url = "${model}/v1"`,
        'api_key = "none"',
        'api_backend = "chat_completions"',
        "",
      ].join("\n"),
    }),
  },
  {
    agent: "droid",
    package: "droid",
    version: "0.215.0",
    program: "@factory/cli-{os}-{cpu}/bin/droid",
    shell: (command) => ({
      name: "Execute",
      input: { command, summary: "x", riskLevel: "low", riskLevelReason: "x" },
    }),
    args: ["exec", "--auto", "high", "--model", "custom:m", "go"],
    env: () => ({ FACTORY_AIRGAP_ENABLED: "true", FACTORY_API_KEY: "fk-none" }),
    files: ({ model }) => ({
      ".factory/settings.json": JSON.stringify({
        customModels: [{
          model: "m",
          displayName: "m",
          baseUrl: `${model}/v1`,
          apiKey: "none",
          provider: "generic-chat-completion-api",
          maxOutputTokens: 1000,
        }],
      }),
    }),
  },
  {
    agent: "qwen",
    package: "@qwen-code/qwen-code",
    version: "0.24.4",
    program: "@qwen-code/qwen-code/cli.js",
    isScript: true,
    shell: (command) => ({
      name: "run_shell_command",
      input: { command, is_background: false },
    }),
    args: ["--yolo", "--auth-type=openai", "--prompt", "go"],
    env: ({ model }) => ({
      OPENAI_BASE_URL: `${model}/v1`,
      OPENAI_API_KEY: "none",
      OPENAI_MODEL: "m",
      QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
    }),
    files: () => ({
      ".qwen/settings.json": JSON.stringify({
        model: { skipLoopDetection: true },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      }),
    }),
  },
  {
    agent: "kimi",
    package: "@moonshot-ai/kimi-code",
    version: "2.1.0",
    program: "@moonshot-ai/kimi-code/dist/main.mjs",
    isScript: true,
    shell: (command) => ({ name: "Bash", input: { command } }),
    args: ["--prompt", "go"],
    files: ({ model }) => ({
      ".kimi-code/config.toml": [
        'default_model = "m"',
        "telemetry = false",
        "[providers.local]",
        'type = "openai"',
        `base_url = "${model}/v1"`,
        'api_key = "none"',
        "[models.m]",
        'provider = "local"',
        'model = "m"',
        "max_context_size = 100000",
        "",
      ].join("\n"),
    }),
  },
];
