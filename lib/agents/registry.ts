import type { Format } from "./convert/format.ts";
import type { HookProtocol } from "./hook/hook_protocol.ts";
import type { AgentSettings } from "./settings/agent_settings.ts";

/** The modules of an agent. Each is loaded only when it is needed: a tool call needs one hook. */
export interface AgentModules {
  readonly hook: () => Promise<{ readonly hook: HookProtocol }>;
  readonly settings: () => Promise<{ readonly settings: AgentSettings }>;
  /** Absent where caliban converts no rules of the agent. */
  readonly format?: FormatModule;
}

/** Loads a format of rules. */
export type FormatModule = () => Promise<{ readonly format: Format }>;

/** The coding agents that caliban can be a hook of, in the order of help and of docs/cli.md. */
export const AGENTS = {
  claude: {
    hook: () => import("./claude/hook.ts"),
    settings: () => import("./claude/settings.ts"),
    format: () => import("./claude/import.ts"),
  },
  codex: {
    hook: () => import("./codex/hook.ts"),
    settings: () => import("./codex/settings.ts"),
    format: () => import("./codex/import.ts"),
  },
  gemini: {
    hook: () => import("./gemini/hook.ts"),
    settings: () => import("./gemini/settings.ts"),
    format: () => import("./gemini/import.ts"),
  },
  cursor: {
    hook: () => import("./cursor/hook.ts"),
    settings: () => import("./cursor/settings.ts"),
    format: () => import("./cursor/import.ts"),
  },
  copilot: {
    hook: () => import("./copilot/hook.ts"),
    settings: () => import("./copilot/settings.ts"),
    format: () => import("./copilot/import.ts"),
  },
  opencode: {
    hook: () => import("./opencode/hook.ts"),
    settings: () => import("./opencode/settings.ts"),
    format: () => import("./opencode/import.ts"),
  },
  robota: {
    hook: () => import("./robota/hook.ts"),
    settings: () => import("./robota/settings.ts"),
    format: () => import("./robota/import.ts"),
  },
  antigravity: {
    hook: () => import("./antigravity/hook.ts"),
    settings: () => import("./antigravity/settings.ts"),
  },
  grok: {
    hook: () => import("./grok/hook.ts"),
    settings: () => import("./grok/settings.ts"),
  },
  droid: {
    hook: () => import("./droid/hook.ts"),
    settings: () => import("./droid/settings.ts"),
    format: () => import("./droid/import.ts"),
  },
  qwen: {
    hook: () => import("./qwen/hook.ts"),
    settings: () => import("./qwen/settings.ts"),
    format: () => import("./qwen/import.ts"),
  },
  kimi: {
    hook: () => import("./kimi/hook.ts"),
    settings: () => import("./kimi/settings.ts"),
    format: () => import("./kimi/import.ts"),
  },
  kilo: {
    hook: () => import("./kilo/hook.ts"),
    settings: () => import("./kilo/settings.ts"),
  },
  pi: {
    hook: () => import("./pi/hook.ts"),
    settings: () => import("./pi/settings.ts"),
  },
  cline: {
    hook: () => import("./cline/hook.ts"),
    settings: () => import("./cline/settings.ts"),
  },
  crush: {
    hook: () => import("./crush/hook.ts"),
    settings: () => import("./crush/settings.ts"),
  },
  qoder: {
    hook: () => import("./qoder/hook.ts"),
    settings: () => import("./qoder/settings.ts"),
  },
  auggie: {
    hook: () => import("./auggie/hook.ts"),
    settings: () => import("./auggie/settings.ts"),
  },
} as const satisfies Readonly<Record<string, AgentModules>>;

/** The name of a coding agent, as it is typed. */
export type AgentName = keyof typeof AGENTS;

/** The names of all agents, in the order of help. */
export const AGENT_NAMES = Object.keys(AGENTS) as readonly string[] as readonly AgentName[];

/** True if a word names an agent; case-sensitive. */
export function isAgentName(word: string | undefined): word is AgentName {
  return AGENT_NAMES.some((name) => name === word);
}

/** Loads the hook protocol of an agent. */
export async function loadHook(name: AgentName): Promise<HookProtocol> {
  return (await AGENTS[name].hook()).hook;
}

export async function loadSettings(name: AgentName): Promise<AgentSettings> {
  return (await AGENTS[name].settings()).settings;
}

/** Loads one thing of several agents, by name. */
export async function loadEach<T>(
  names: readonly AgentName[],
  load: (name: AgentName) => Promise<T>,
): Promise<Readonly<Record<AgentName, T>>> {
  const pairs = names.map(async (name) => [name, await load(name)] as const);
  return Object.fromEntries(await Promise.all(pairs)) as Record<AgentName, T>;
}
