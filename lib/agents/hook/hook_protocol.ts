import type { JsonObject, ModeName, ToolCall } from "../../model/call.ts";
import type { PathReading } from "../../pattern/path/path_readings.ts";

/** The form of an agent's events and of the answers to them. */
export interface HookProtocol {
  /** Reads an event. Throws EventFault for anything ambiguous. */
  read(event: JsonObject, surroundings: EventSurroundings): AgentEvent;
  /** True for an event that this agent alone sends; needed of an agent that runs the hooks of others. */
  sends?(event: JsonObject): boolean;
  /** Renders an answer in the agent's own form. */
  render(response: HookResponse): HookOutput;
}

/** An event of an agent: the calls that it asks about. */
export interface AgentEvent {
  readonly name: string;
  /** The calls in our names, at least one; the strictest answer counts for all. */
  readonly calls: readonly ToolCall[];
  /** Other readings of the same call. Their written rules count too, but they decide nothing by themselves. */
  readonly readings: readonly ToolCall[];
  /** The call in the agent's own names, where its tool has another name here: rules that name that tool deny it or ask. */
  readonly own?: ToolCall;
  /** The reading of paths by the agent's tool; any change where it is left out. */
  readonly reading?: PathReading;
  /** The agent's project folders, the call's own first; empty where the event names none. */
  readonly folders: readonly string[];
  /** The folder that the call runs in; absent where the event has none. */
  readonly cwd?: string;
  /** The mode here that the agent's mode corresponds to; absent where the event names none. */
  readonly mode?: ModeName;
  /** Set in a mode of the agent in which it asks no person. */
  readonly nobodyAsked?: true;
}

/** The environment of a hook. */
export interface EventSurroundings {
  /** Returns an environment variable; undefined when it is not set. */
  readonly env: (name: string) => string | undefined;
}

/** The answer of a hook to its agent. */
export type HookDecision = "allow" | "ask" | "deny" | "silence";

/** An answer with its reason. */
export interface HookResponse {
  readonly decision: HookDecision;
  /** For the model, or for the person asked; one line, never empty. */
  readonly reason: string;
  /** The name of the event; absent where it could not be read. */
  readonly event?: string;
  /** For the person alone, beside a silence; one line. Protocols that cannot show it leave it out. */
  readonly note?: string;
  /** The command that may run without a further question in this session; only with an allow. */
  readonly exactCommand?: string;
}

export interface HookOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit status. */
  readonly status: 0 | 2;
}

/** The error for an event that cannot be read: its call is unknown. The message is a clause without a full stop. */
export class EventFault extends Error {
  override readonly name = "EventFault";
}
