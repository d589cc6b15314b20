import type { Wire } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";

/** Each agent's wire, loaded when it is needed: a hook needs one of them. */
const WIRES: Readonly<Record<AgentName, () => Promise<{ readonly wire: Wire }>>> = {
  claude: () => import("./claude/hook.ts"),
  codex: () => import("./codex/hook.ts"),
  gemini: () => import("./gemini/hook.ts"),
  cursor: () => import("./cursor/hook.ts"),
  copilot: () => import("./copilot/hook.ts"),
  opencode: () => import("./opencode/hook.ts"),
  robota: () => import("./robota/hook.ts"),
  antigravity: () => import("./antigravity/hook.ts"),
  grok: () => import("./grok/hook.ts"),
  droid: () => import("./droid/hook.ts"),
  qwen: () => import("./qwen/hook.ts"),
  kimi: () => import("./kimi/hook.ts"),
};

/** How an agent speaks with its hooks. */
export async function wireOf(name: AgentName): Promise<Wire> {
  return (await WIRES[name]()).wire;
}
