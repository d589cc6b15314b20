import type { Wire } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";
import { wire as antigravity } from "./antigravity/hook.ts";
import { wire as claude } from "./claude/hook.ts";
import { wire as codex } from "./codex/hook.ts";
import { wire as copilot } from "./copilot/hook.ts";
import { wire as cursor } from "./cursor/hook.ts";
import { wire as droid } from "./droid/hook.ts";
import { wire as gemini } from "./gemini/hook.ts";
import { wire as grok } from "./grok/hook.ts";
import { wire as kimi } from "./kimi/hook.ts";
import { wire as opencode } from "./opencode/hook.ts";
import { wire as qwen } from "./qwen/hook.ts";
import { wire as robota } from "./robota/hook.ts";

/** Every agent's wire at once, for what compares agents; a hook loads its own alone. */
export const WIRES: Readonly<Record<AgentName, Wire>> = {
  claude,
  codex,
  gemini,
  cursor,
  copilot,
  opencode,
  robota,
  antigravity,
  grok,
  droid,
  qwen,
  kimi,
};
