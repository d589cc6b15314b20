import type { Wire } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";

/** Each agent's wire, loaded when it is needed: a hook needs one of them. */
const WIRES: Readonly<Record<AgentName, () => Promise<{ readonly wire: Wire }>>> = {
  claude: () => import("./claude/wire.ts"),
  codex: () => import("./codex/wire.ts"),
  gemini: () => import("./gemini/wire.ts"),
  cursor: () => import("./cursor/wire.ts"),
  copilot: () => import("./copilot/wire.ts"),
  opencode: () => import("./opencode/wire.ts"),
  robota: () => import("./robota/wire.ts"),
  antigravity: () => import("./antigravity/wire.ts"),
  grok: () => import("./grok/wire.ts"),
  droid: () => import("./droid/wire.ts"),
  qwen: () => import("./qwen/wire.ts"),
  kimi: () => import("./kimi/wire.ts"),
};

/** How an agent speaks with its hooks. */
export async function wireOf(name: AgentName): Promise<Wire> {
  return (await WIRES[name]()).wire;
}
