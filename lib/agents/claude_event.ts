import type { JsonObject } from "../model/call.ts";
import type { ModeName } from "../model/settings.ts";
import type { AgentEvent, EventSurroundings } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";
import { EventFault } from "./event_fault.ts";
import { objectOf, optionalText, textOf } from "./event_fields.ts";
import { mapCall } from "./map_call.ts";

/** What is different with agents whose events have the form of Claude Code's. */
export interface ClaudeForm {
  /** The agent. */
  readonly agent: AgentName;
  /** The events that are answered. */
  readonly events: readonly string[];
  /** The variable with the project folder; absent where there is none. */
  readonly projectVariable?: string;
  /** Its modes by their meaning here; one that is not there counts as the default mode. */
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

/** Reads an event with `hook_event_name`, `tool_name`, `tool_input` and `cwd`, in either spelling. Throws EventFault. */
export function readClaudeEvent(
  event: JsonObject,
  { form, env }: { readonly form: ClaudeForm } & EventSurroundings,
): AgentEvent {
  const name = textOf(event, ["hook_event_name", "hookEventName"]);
  checkEvent(name, form.events);
  const cwd = optionalText(event, ["cwd"]);
  const { calls, readings } = mapCall(form.agent, {
    tool: textOf(event, ["tool_name", "toolName"]),
    input: objectOf(event, ["tool_input", "toolInput"]),
    cwd,
  });
  const project = form.projectVariable === undefined ? undefined : env(form.projectVariable);
  return {
    name,
    calls,
    readings,
    folders: project === undefined || project === "" ? [] : [project],
    ...(cwd === undefined ? {} : { cwd }),
    ...modeOf(optionalText(event, ["permission_mode", "permissionMode"]), form.modes),
  };
}

/** Throws EventFault for an event that is not one of those at which a tool call is decided. */
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
