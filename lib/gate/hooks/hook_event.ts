import type { HookEventName, Json, ToolCall } from "../../model/call.ts";

/** The fields of every event. */
export interface HookScene {
  /** The session's id, for hooks with state. */
  readonly sessionId: string;
  /** The absolute path of the folder that the agent works in. */
  readonly cwd: string;
  /** The mode, or `disabled`. */
  readonly mode?: string;
}

/** A tool is about to be called. */
export interface PreToolUse extends HookScene {
  /** The kind of event. */
  readonly event: "PreToolUse";
  /** The tool call that is about to run. */
  readonly call: ToolCall;
  /** The agent's id of this call. */
  readonly callId?: string;
}

/** A tool has been called. */
export interface PostToolUse extends HookScene {
  /** The kind of event. */
  readonly event: "PostToolUse";
  /** The tool call that ran. */
  readonly call: ToolCall;
  /** The tool's response. */
  readonly response: Json;
  /** The agent's id of this call. */
  readonly callId?: string;
}

/** The context is about to be compacted. */
export interface PreCompact extends HookScene {
  /** The kind of event. */
  readonly event: "PreCompact";
  /** The origin of the request. */
  readonly trigger?: "manual" | "auto";
  /** The person's instructions for the summary. */
  readonly instructions?: string;
}

/** The context has been compacted. */
export interface PostCompact extends HookScene {
  /** The kind of event. */
  readonly event: "PostCompact";
  /** The origin of the request. */
  readonly trigger?: "manual" | "auto";
  /** The compacted context. */
  readonly summary: string;
}

/** A session begins. */
export interface SessionStart extends HookScene {
  /** The kind of event. */
  readonly event: "SessionStart";
  /** The kind of start: `startup`, `resume`, … */
  readonly origin?: string;
}

/** The agent is about to stop. */
export interface Stop extends HookScene {
  /** The kind of event. */
  readonly event: "Stop";
  /** True if the agent continues because of a Stop hook. */
  readonly isContinued?: boolean;
}

/** An event that hooks run for. */
export type HookEvent = PreToolUse | PostToolUse | PreCompact | PostCompact | SessionStart | Stop;

/** True if the event is about a tool, so that its hooks can have a matcher. */
export function isToolEvent(event: HookEventName): boolean {
  return event === "PreToolUse" || event === "PostToolUse";
}

/** The JSON text for a hook's standard input: one line that ends in a newline. */
export function eventText(event: HookEvent): string {
  return JSON.stringify({
    session_id: event.sessionId,
    cwd: "call" in event ? event.call.cwd ?? event.cwd : event.cwd,
    permission_mode: event.mode,
    hook_event_name: event.event,
    ...fieldsOf(event),
  }) + "\n";
}

/** The event's own fields, by their names in the protocol. */
function fieldsOf(event: HookEvent): Readonly<Record<string, unknown>> {
  switch (event.event) {
    case "PreToolUse":
      return callFields(event);
    case "PostToolUse":
      return { ...callFields(event), tool_response: event.response };
    case "PreCompact":
      return { trigger: event.trigger, custom_instructions: event.instructions };
    case "PostCompact":
      return { trigger: event.trigger, compact_summary: event.summary };
    case "SessionStart":
      return { source: event.origin };
    case "Stop":
      return { stop_hook_active: event.isContinued };
  }
}

function callFields({ call, callId }: PreToolUse | PostToolUse): Readonly<Record<string, unknown>> {
  return { tool_name: call.tool, tool_input: call.input, tool_use_id: callId };
}
