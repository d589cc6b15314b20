import type { Wire } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";
import { wire as antigravity } from "./antigravity/wire.ts";
import { wire as claude } from "./claude/wire.ts";
import { wire as codex } from "./codex/wire.ts";
import { wire as copilot } from "./copilot/wire.ts";
import { wire as cursor } from "./cursor/wire.ts";
import { wire as droid } from "./droid/wire.ts";
import { wire as gemini } from "./gemini/wire.ts";
import { wire as grok } from "./grok/wire.ts";
import { wire as kimi } from "./kimi/wire.ts";
import { wire as opencode } from "./opencode/wire.ts";
import { wire as qwen } from "./qwen/wire.ts";
import { wire as robota } from "./robota/wire.ts";

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
