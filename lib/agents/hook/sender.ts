import type { JsonObject } from "../../model/call.ts";
import { hookRunners } from "../profile.ts";
import { type AgentName, loadHook } from "../registry.ts";
import type { HookProtocol } from "./hook_protocol.ts";

/** An agent, with its form of events and answers. */
export interface Sender {
  readonly agent: AgentName;
  readonly hook: HookProtocol;
}

/**
 * The agent that sent an event to the hook of an agent: another one, where that runs this one's hooks and the event is in its own
 * form.
 */
export async function senderOf(named: Sender, event: JsonObject): Promise<Sender> {
  for (const agent of hookRunners(named.agent)) {
    const hook = await loadHook(agent);
    if (hook.sends?.(event)) return { agent, hook };
  }
  return named;
}
