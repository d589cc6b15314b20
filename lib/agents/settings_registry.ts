import type { AgentSettings } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";
import { settings as antigravity } from "./antigravity/settings.ts";
import { settings as claude } from "./claude/settings.ts";
import { settings as codex } from "./codex/settings.ts";
import { settings as copilot } from "./copilot/settings.ts";
import { settings as cursor } from "./cursor/settings.ts";
import { settings as droid } from "./droid/settings.ts";
import { settings as gemini } from "./gemini/settings.ts";
import { settings as grok } from "./grok/settings.ts";
import { settings as kimi } from "./kimi/settings.ts";
import { settings as opencode } from "./opencode/settings.ts";
import { settings as qwen } from "./qwen/settings.ts";
import { settings as robota } from "./robota/settings.ts";

/** Where and how hooks stand in each agent's settings. Loaded only where settings are read or written. */
export const SETTINGS: Readonly<Record<AgentName, AgentSettings>> = {
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
