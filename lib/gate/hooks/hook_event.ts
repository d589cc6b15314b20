import type { Json, ToolCall } from "../../model/call.ts";
import type { HookEventName } from "../../model/hook.ts";

/** What is the same for every event. */
export interface HookScene {
  /** The session, for hooks that keep something about it. */
  readonly sessionId: string;
  /** The absolute path of the folder that the agent works in. */
  readonly cwd: string;
  /** The mode, or `disabled`. */
  readonly mode?: string;
}

/** A tool is about to be called. */
export interface PreToolUse extends HookScene {
  /** Tells it from the other events. */
  readonly event: "PreToolUse";
  /** The call. */
  readonly call: ToolCall;
  /** The agent's own name for this call. */
  readonly callId?: string;
}

/** A tool has been called. */
export interface PostToolUse extends HookScene {
  /** Tells it from the other events. */
  readonly event: "PostToolUse";
  /** The call. */
  readonly call: ToolCall;
  /** What the tool answered. */
  readonly response: Json;
  /** The agent's own name for this call. */
  readonly callId?: string;
}

/** The context is about to be compacted. */
export interface PreCompact extends HookScene {
  /** Tells it from the other events. */
  readonly event: "PreCompact";
  /** Who asked for it. */
  readonly trigger?: "manual" | "auto";
  /** What the person asked to be kept. */
  readonly instructions?: string;
}

/** The context has been compacted. */
export interface PostCompact extends HookScene {
  /** Tells it from the other events. */
  readonly event: "PostCompact";
  /** Who asked for it. */
  readonly trigger?: "manual" | "auto";
  /** What is left of the context. */
  readonly summary: string;
}

/** A session begins. */
export interface SessionStart extends HookScene {
  /** Tells it from the other events. */
  readonly event: "SessionStart";
  /** What it begins with: `startup`, `resume`, … */
  readonly origin?: string;
}

/** The agent is about to stop. */
export interface Stop extends HookScene {
  /** Tells it from the other events. */
  readonly event: "Stop";
  /** Whether the agent goes on because a Stop hook wanted it to. */
  readonly isContinued?: boolean;
}

/** Something that hooks run for. */
export type HookEvent = PreToolUse | PostToolUse | PreCompact | PostCompact | SessionStart | Stop;

/** Whether the event is about a tool, so that its hooks can have a matcher. */
export function isToolEvent(event: HookEventName): boolean {
  return event === "PreToolUse" || event === "PostToolUse";
}

/** The JSON text that hooks read from standard input, in one line that ends in a newline. */
export function eventText(event: HookEvent): string {
  return JSON.stringify({
    session_id: event.sessionId,
    cwd: "call" in event ? event.call.cwd ?? event.cwd : event.cwd,
    permission_mode: event.mode,
    hook_event_name: event.event,
    ...fieldsOf(event),
  }) + "\n";
}

/** What an event has of its own, as the agents that hooks are written for call it. */
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
