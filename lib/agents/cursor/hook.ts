import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import type { AgentEvent, Capabilities, EventSurroundings, Reply, Saying, Wire } from "../agent.ts";
import { checkEvent } from "../claude_event.ts";
import { EventFault } from "../event_fault.ts";
import { fieldOf, isObject, objectOf, optionalText, textOf, textsOf } from "../event_fields.ts";
import { type ForeignCall, mapCall, type MappedCall, MOST_CALLS } from "../map_call.ts";
import { jsonReply, stopReply } from "../replies.ts";
import { UNNAMED } from "../unnamed_server.ts";

const EVENTS = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];

const CAPABILITIES: Capabilities = {
  allow: "nothing",
  ask: "nothing",
  silence: "judges",
  exitTwo: "stops",
  waitMs: 30_000,
  folder: "project",
  unseen: [{ what: "the command line has no event for every tool that the editor has one for" }],
};

/** Cursor's hooks. Its command line heeds a deny alone, so that is all that is said. */
export const wire: Wire = { capabilities: CAPABILITIES, read, reply };

function read(event: JsonObject, { env }: EventSurroundings): AgentEvent {
  const name = textOf(event, ["hook_event_name", "hookEventName"]);
  checkEvent(name, EVENTS);
  const roots = textsOf(event, ["workspace_roots", "workspaceRoots"]);
  const project = env("CURSOR_PROJECT_DIR") ?? "";
  const folders = roots.length > 0 || project === "" ? roots : [project];
  const cwd = optionalText(event, ["cwd"]) ?? folders[0];
  const { calls, readings } = callsOf(name, { event, cwd });
  return { name, calls, readings, folders, ...(cwd === undefined ? {} : { cwd }) };
}

interface Reading {
  readonly event: JsonObject;
  readonly cwd: string | undefined;
}

function callsOf(name: string, { event, cwd }: Reading): MappedCall {
  switch (name) {
    case "beforeShellExecution":
      return mapped({ tool: "Shell", input: { command: textOf(event, ["command"]) }, cwd });
    case "beforeReadFile":
      return { calls: reads(event, cwd), readings: [] };
    case "beforeMCPExecution":
      return mapped({ tool: serverTool(toolOf(event)), input: inputOf(event), cwd });
    default: {
      const tool = toolOf(event);
      const isServers = tool.startsWith("MCP:");
      return mapped({ tool: isServers ? serverTool(tool) : tool, input: inputOf(event), cwd });
    }
  }
}

function mapped(call: ForeignCall): MappedCall {
  return mapCall("cursor", call);
}

function toolOf(event: JsonObject): string {
  return textOf(event, ["tool_name", "toolName"]);
}

function inputOf(event: JsonObject): JsonObject {
  return objectOf(event, ["tool_input", "toolInput"]);
}

/** `MCP:server:tool`, or the tool alone: then the server is not known. */
function serverTool(name: string): string {
  if (name.startsWith("mcp__")) return name;
  const [first = "", ...rest] = name.replace(/^MCP:/, "").split(":");
  return rest.length === 0 ? `${UNNAMED}${first}` : `mcp__${first}__${rest.join(":")}`;
}

/** The file that is read, and those that come with it. */
function reads(event: JsonObject, cwd: string | undefined): readonly ToolCall[] {
  const attached = fieldOf(event, ["attachments"]) ?? [];
  if (!Array.isArray(attached)) throw new EventFault('"attachments" is not a list');
  if (attached.length >= MOST_CALLS) throw new EventFault(`it names more than ${MOST_CALLS} files`);
  const more = attached.map((each: Json) => {
    if (!isObject(each)) throw new EventFault('"attachments" holds what is no object');
    return textOf(each, ["file_path", "filePath"]);
  });
  const paths = [textOf(event, ["file_path", "filePath"]), ...more];
  return paths.map((path) => ({
    tool: "Read",
    input: { path },
    ...(cwd === undefined ? {} : { cwd }),
  }));
}

function reply(saying: Saying): Reply {
  if (saying.event === undefined) return stopReply(saying);
  const { emission, reason } = saying;
  if (emission !== "deny") return jsonReply({});
  return jsonReply({
    permission: "deny",
    user_message: reason,
    agent_message: reason,
    userMessage: reason,
    agentMessage: reason,
  });
}
