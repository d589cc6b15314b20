import type { Format } from "../../lib/agents/convert/format.ts";
import {
  AGENT_NAMES,
  type AgentName,
  loadEach,
  loadHook,
  loadSettings,
} from "../../lib/agents/registry.ts";
import { loadFormats } from "../../lib/agents/formats/format_registry.ts";
import type { SampleCommand, SampleEvent } from "../../lib/agents/settings/agent_settings.ts";

/** Every agent's hook protocol. */
export const HOOKS = await loadEach(AGENT_NAMES, loadHook);

/** Every agent's settings. */
export const SETTINGS = await loadEach(AGENT_NAMES, loadSettings);

/** Every format of rules. */
export const FORMATS = await loadFormats();

/** The format of that name. */
export function formatNamed(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** An event of an agent about a shell command. */
export function sampleEvent(agent: AgentName, command: SampleCommand): SampleEvent {
  return SETTINGS[agent].sample(command);
}
