import type { JsonObject, ModeName } from "../../model/call.ts";
import type { AgentName } from "../registry.ts";
import { objectOf, optionalText, textOf } from "./fields.ts";
import { claudeDecision, jsonOutput, requestOutput, silence, stopOutput } from "./hook_output.ts";
import {
  type AgentEvent,
  EventFault,
  type EventSurroundings,
  type HookOutput,
  type HookProtocol,
  type HookResponse,
} from "./hook_protocol.ts";
import { eventOfCall } from "./map_call.ts";

/** The differences between agents whose events have the form of Claude Code's. */
export interface ClaudeForm {
  readonly agent: AgentName;
  /** The names of the events that are answered. */
  readonly events: readonly string[];
  /** The variable with the project folder; absent where there is none. */
  readonly projectVariable?: string;
  /** The modes here that its modes correspond to; any other counts as the default mode. */
  readonly modes: Readonly<Record<string, ModeName | "nobody">>;
}

/** The modes of Claude Code. Its `dontAsk` denies, and its `auto` judges by itself what rules leave open. */
export const CLAUDE_MODES: ClaudeForm["modes"] = {
  default: "default",
  plan: "plan",
  acceptEdits: "acceptEdits",
  auto: "default",
  dontAsk: "nobody",
  bypassPermissions: "bypassPermissions",
};

/** The protocol of an agent with events in Claude Code's form. `render` is Claude Code's by default: JSON, or status 2. */
export function claudeHook(
  form: ClaudeForm,
  render: HookProtocol["render"] = renderClaude,
): HookProtocol {
  return { read: (event, { env }) => readClaudeEvent(event, { form, env }), render };
}

/** Reads an event with `hook_event_name`, `tool_name`, `tool_input` and `cwd`, in either spelling. Throws EventFault. */
export function readClaudeEvent(
  event: JsonObject,
  { form, env }: { readonly form: ClaudeForm } & EventSurroundings,
): AgentEvent {
  const name = textOf(event, ["hook_event_name", "hookEventName"]);
  checkEvent(name, form.events);
  const project = form.projectVariable === undefined ? undefined : env(form.projectVariable);
  const read = eventOfCall(form.agent, {
    name,
    cwd: optionalText(event, ["cwd"]),
    tool: textOf(event, ["tool_name", "toolName"]),
    input: objectOf(event, ["tool_input", "toolInput"]),
    folders: project === undefined || project === "" ? [] : [project],
  });
  const mode = optionalText(event, ["permission_mode", "permissionMode"]);
  return { ...read, ...modeOf(mode, form.modes) };
}

/** Throws EventFault for an event that does not ask about a tool call. */
export function checkEvent(name: string, known: readonly string[]): void {
  if (known.includes(name)) return;
  throw new EventFault(`the event "${name}" is not ${known.join(" or ")}`);
}

function modeOf(
  name: string | undefined,
  modes: ClaudeForm["modes"],
): Pick<AgentEvent, "mode" | "nobodyAsked"> {
  if (name === undefined) return {};
  const mode = Object.hasOwn(modes, name) ? modes[name] : undefined;
  if (mode === "nobody") return { mode: "default", nobodyAsked: true };
  return { mode: mode ?? "default" };
}

function renderClaude(response: HookResponse): HookOutput {
  if (response.event === undefined) return stopOutput(response);
  if (response.event === "PermissionRequest") return requestOutput(response);
  return response.decision === "silence"
    ? silence(response)
    : jsonOutput(claudeDecision(response.decision, response.reason));
}
