import type { AgentName } from "../../../lib/agents/registry.ts";
import type { ScriptedCall } from "../model/script.ts";

/** The folders, model and server of a run of a real agent. */
export interface Place {
  readonly home: string;
  readonly project: string;
  /** The address of the scripted model, without a path. */
  readonly model: string;
  /** The words that start an MCP server of the name `t`; absent where the run has none. */
  readonly server?: readonly string[];
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
  /**
   * A call that makes a file in the project, given by its absolute path; absent where it offers no such tool to a model that it
   * does not know.
   */
  write?(path: string): ScriptedCall;
  /** Calls that run a command by another tool, after those that make it known. */
  otherShell?(command: string): readonly ScriptedCall[];
  /** Calls of a tool of the MCP server `t`, after those that make it known. */
  serverTool?(name: string): readonly ScriptedCall[];
  /** Files of a project that switch its hooks off, or may. */
  readonly switches?: Readonly<Record<string, string>>;
  /** Calls that make it offer the tools that it keeps back at first; none where it has no such tools. */
  readonly findTools?: readonly ScriptedCall[];
  /** Arguments of a run in which it asks nobody. */
  readonly args: readonly string[];
  /** Variables besides HOME and PATH. */
  env?(place: Place): Readonly<Record<string, string>>;
  /** A package of its own version that it would install in a folder of the home, which has no network here. */
  readonly library?: { readonly package: string; readonly into: string };
  /** Its settings by their path below the home, written before the hook is installed. */
  files?(place: Place): Readonly<Record<string, string>>;
}

/** The server in the form of most agents. */
function mcpServers({ server }: Place): object {
  if (server === undefined) return {};
  const [command, ...args] = server;
  return { mcpServers: { t: { command, args } } };
}

/** The server as a table of TOML. */
function mcpTable({ server }: Place): string {
  if (server === undefined) return "";
  const [command, ...args] = server;
  return `[mcp_servers.t]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
}

/** A text of JSON. */
const json = (value: unknown) => JSON.stringify(value);
const OFF = json({ disableAllHooks: true });

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
    write: (path) => ({ name: "Write", input: { file_path: path, content: "x" } }),
    otherShell: (command) => [
      { name: "ToolSearch", input: { query: "select:Monitor", max_results: 3 } },
      {
        name: "Monitor",
        input: { command, description: "x", timeout_ms: 5000, persistent: false },
      },
    ],
    serverTool: (name) => [
      { name: "ToolSearch", input: { query: `select:mcp__t__${name}`, max_results: 3 } },
      { name: `mcp__t__${name}`, input: {} },
    ],
    switches: { ".claude/settings.json": OFF },
    findTools: [
      "Monitor,WebFetch,WebSearch,NotebookEdit,PowerShell,LSP,RemoteTrigger,PushNotification,SendMessage,TaskStop",
      "TodoWrite,TaskCreate,TaskGet,TaskList,TaskUpdate,TaskOutput,AskUserQuestion,EnterPlanMode,ExitPlanMode",
      "CronCreate,CronDelete,CronList,EnterWorktree,ExitWorktree,ListMcpResourcesTool,ReadMcpResourceTool,Artifact",
    ].map((names) => ({
      name: "ToolSearch",
      input: { query: `select:${names}`, max_results: 50 },
    })),
    args: [
      "-p",
      "go",
      "--allowedTools",
      "Bash,Monitor,Read,Edit,Write,Grep,Glob,NotebookEdit,mcp__t",
    ],
    env: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    }),
    files: (place) => ({ ".claude.json": json(mcpServers(place)) }),
  },
  {
    agent: "codex",
    package: "@openai/codex",
    version: "0.169.0",
    folder: "../engines/node_modules",
    program: "@openai/codex/bin/codex.js",
    isScript: true,
    shell: (command) => ({ name: "exec_command", input: { cmd: command } }),
    serverTool: (name) => [{ name, namespace: "mcp__t", input: {} }],
    switches: { ".codex/config.toml": "[features]\nhooks = false\n" },
    args: [
      "exec",
      "--sandbox=danger-full-access",
      "--skip-git-repo-check",
      "--dangerously-bypass-hook-trust",
      "go",
    ],
    files: ({ model, ...place }) => ({
      ".codex/config.toml": [
        'model = "gpt-5.5"',
        'model_provider = "local"',
        "[model_providers.local]",
        'name = "local"',
        `base_url = "${model}/v1"`,
        'wire_api = "responses"',
        mcpTable({ model, ...place }),
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
    write: (path) => ({ name: "write_file", input: { file_path: path, content: "x" } }),
    serverTool: (name) => [{ name: `mcp_t_${name}`, input: {} }],
    switches: { ".gemini/settings.json": json({ hooksConfig: { enabled: false } }) },
    args: ["--yolo", "--model=gemini-2.5-pro", "--prompt=go"],
    env: ({ model }) => ({
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_API_KEY: "none",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_TELEMETRY_ENABLED: "false",
    }),
    files: (place) => ({
      ".gemini/settings.json": json({
        ...mcpServers(place),
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
    write: (path) => ({ name: "create", input: { path, file_text: "x" } }),
    serverTool: (name) => [{ name: `t-${name}`, input: {} }],
    switches: { ".github/hooks/off.json": json({ version: 1, disableAllHooks: true, hooks: {} }) },
    files: ({ server: [command, ...args] = [] }) =>
      command === undefined ? {} : {
        ".copilot/mcp-config.json": json({
          mcpServers: { t: { type: "local", command, args, tools: ["*"] } },
        }),
      },
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
    write: (path) => ({ name: "write", input: { filePath: path, content: "x" } }),
    serverTool: (name) => [{ name: `t_${name}`, input: {} }],
    switches: { "opencode.json": json({ plugin: [] }) },
    args: ["run", "--model=local/m", "go"],
    env: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    }),
    files: ({ model, server }) => ({
      ".config/opencode/opencode.json": json({
        ...(server && { mcp: { t: { type: "local", command: server } } }),
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
    write: (path) => ({ name: "write", input: { file_path: path, content: "x" } }),
    otherShell: (command) => [{ name: "monitor", input: { command, description: "x" } }],
    serverTool: (name) => [
      { name: "use_tool", input: { tool_name: `t__${name}`, tool_input: {} } },
    ],
    switches: { ".grok/settings.json": OFF, ".claude/settings.json": OFF },
    args: ["-p", "go", "--always-approve", "-m", "m"],
    env: () => ({ XAI_API_KEY: "none", GROK_DISABLE_TELEMETRY: "1" }),
    files: ({ model, ...place }) => ({
      ".grok/config.toml": [
        "[model.m]",
        'model = "m"',
        `base_url = "${model}/v1"`,
        'api_key = "none"',
        'api_backend = "chat_completions"',
        mcpTable({ model, ...place }),
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
    write: (path) => ({ name: "Create", input: { file_path: path, content: "x" } }),
    serverTool: (name) => [
      { name: "ToolSearch", input: { query: `select:t___${name}`, max_results: 3 } },
      { name: `t___${name}`, input: {} },
    ],
    switches: { ".factory/settings.json": json({ hooksDisabled: true }) },
    findTools: [
      "cron loop prompt",
      "web fetch url search",
      "patch notebook file",
      "ask user plan todo",
    ]
      .map((query) => ({ name: "ToolSearch", input: { query, max_results: 50 } })),
    args: ["exec", "--auto", "high", "--model", "custom:m", "go"],
    env: () => ({ FACTORY_AIRGAP_ENABLED: "true", FACTORY_API_KEY: "fk-none" }),
    files: ({ model, ...place }) => ({
      ".factory/mcp.json": json(mcpServers({ model, ...place })),
      ".factory/settings.json": json({
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
    write: (path) => ({ name: "write_file", input: { file_path: path, content: "x" } }),
    otherShell: (command) => [
      { name: "tool_search", input: { query: "select:monitor" } },
      { name: "tool_call", input: { name: "monitor", arguments: { command, description: "x" } } },
    ],
    serverTool: (name) => [
      { name: "tool_search", input: { query: `select:mcp__t__${name}` } },
      { name: "tool_call", input: { name: `mcp__t__${name}`, arguments: {} } },
    ],
    switches: { ".qwen/settings.json": OFF },
    findTools: [
      "monitor cron",
      "web fetch search url",
      "todo task plan question",
      "send message agent team",
      "worktree mode directory file",
      "mcp resource artifact report loop",
    ].map((query) => ({ name: "tool_search", input: { query, max_results: 20 } })),
    args: ["--yolo", "--auth-type=openai", "--prompt", "go"],
    env: ({ model }) => ({
      OPENAI_BASE_URL: `${model}/v1`,
      OPENAI_API_KEY: "none",
      OPENAI_MODEL: "m",
      QWEN_CODE_SUPPRESS_YOLO_WARNING: "1",
    }),
    files: (place) => ({
      ".qwen/settings.json": json({
        ...mcpServers(place),
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
    write: (path) => ({ name: "Write", input: { path, content: "x" } }),
    serverTool: (name) => [{ name: `mcp__t__${name}`, input: {} }],
    args: ["--prompt", "go"],
    files: ({ model, ...place }) => ({
      ".kimi-code/mcp.json": json(mcpServers({ model, ...place })),
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
  {
    agent: "kilo",
    package: "@kilocode/cli",
    version: "7.7.7",
    program: "@kilocode/cli-{os}-{cpu}/bin/kilo",
    shell: (command) => ({
      name: "bash",
      input: { command, description: "x" },
    }),
    write: (path) => ({ name: "write", input: { filePath: path, content: "x" } }),
    otherShell: (command) => [{ name: "background_process", input: { action: "start", command } }],
    serverTool: (name) => [{ name: `t_${name}`, input: {} }],
    args: ["run", "--auto", "--model=local/m", "go"],
    env: () => ({
      KILO_DISABLE_AUTOUPDATE: "1",
      KILO_DISABLE_MODELS_FETCH: "1",
      KILO_TELEMETRY_LEVEL: "off",
    }),
    files: ({ model, server }) => ({
      // As if it had installed the types of its plugins, which it would wait for.
      ".config/kilo/node_modules/.keep": "",
      ".config/kilo/package-lock.json": JSON.stringify({
        packages: { "": { dependencies: { "@kilocode/plugin": "7.7.7" } } },
      }),
      ".config/kilo/kilo.json": json({
        ...(server && { mcp: { t: { type: "local", command: server } } }),
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
    agent: "pi",
    package: "@earendil-works/pi-coding-agent",
    version: "0.87.1",
    program: "@earendil-works/pi-coding-agent/dist/cli.js",
    isScript: true,
    shell: (command) => ({ name: "bash", input: { command } }),
    write: (path) => ({ name: "write", input: { path, content: "x" } }),
    args: ["-p", "--provider", "local", "--model", "m", "go"],
    env: () => ({ PI_OFFLINE: "1", PI_TELEMETRY: "0" }),
    files: ({ model }) => ({
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          local: {
            baseUrl: `${model}/v1`,
            api: "openai-completions",
            apiKey: "none",
            models: [{ id: "m" }],
          },
        },
      }),
    }),
  },
  {
    agent: "cline",
    package: "cline",
    version: "3.0.65",
    program: "@cline/cli-{os}-{cpu}/bin/cline",
    shell: (command) => ({
      name: "run_commands",
      input: { commands: [command] },
    }),
    write: (path) => ({ name: "editor", input: { path, new_text: "x" } }),
    args: ["--provider", "openai-compatible", "--model", "m", "go now"],
    env: () => ({ CLINE_NO_AUTO_UPDATE: "1", CLINE_SESSION_BACKEND_MODE: "local" }),
    files: ({ model }) => ({
      ".cline/data/settings/providers.json": JSON.stringify({
        version: 1,
        lastUsedProvider: "openai-compatible",
        modes: {},
        providers: {
          "openai-compatible": {
            settings: {
              provider: "openai-compatible",
              apiKey: "none",
              model: "m",
              baseUrl: `${model}/v1`,
            },
            updatedAt: "2026-01-01T00:00:00.000Z",
            tokenSource: "manual",
          },
        },
      }),
    }),
  },
];
