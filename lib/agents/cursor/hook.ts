import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import { checkEvent } from "../hook/claude_form.ts";
import { fieldOf, objectOf, optionalText, textOf, textsOf } from "../hook/fields.ts";
import { jsonOutput, stopOutput } from "../hook/hook_output.ts";
import {
  type AgentEvent,
  EventFault,
  type EventSurroundings,
  type HookOutput,
  type HookProtocol,
  type HookResponse,
} from "../hook/hook_protocol.ts";
import { MOST_CALLS } from "../hook/listed_files.ts";
import { mapCall, type MappedCall, UNNAMED_SERVER } from "../hook/map_call.ts";
import { isJsonObject } from "../../text/json_value.ts";

const EVENTS = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];

/** Cursor's hooks. Its command line honours only a deny, so silence stands for every other answer. */
export const hook: HookProtocol = { read, render };

function read(event: JsonObject, { env }: EventSurroundings): AgentEvent {
  const name = textOf(event, ["hook_event_name", "hookEventName"]);
  checkEvent(name, EVENTS);
  const roots = textsOf(event, ["workspace_roots", "workspaceRoots"]);
  const project = env("CURSOR_PROJECT_DIR") ?? "";
  const folders = roots.length > 0 || project === "" ? roots : [project];
  const cwd = optionalText(event, ["cwd"]) ?? folders[0];
  const mapped = mapEvent(name, { event, cwd });
  return { name, ...mapped, folders, ...(cwd === undefined ? {} : { cwd }) };
}

function mapEvent(
  name: string,
  { event, cwd }: { readonly event: JsonObject; readonly cwd: string | undefined },
): MappedCall {
  switch (name) {
    case "beforeShellExecution":
      return mapCall("cursor", {
        tool: "Shell",
        input: { command: textOf(event, ["command"]) },
        cwd,
      });
    case "beforeReadFile":
      return { calls: fileReads(event, cwd), readings: [] };
    default: {
      const tool = textOf(event, ["tool_name", "toolName"]);
      const isServers = name === "beforeMCPExecution" || tool.startsWith("MCP:");
      const input = objectOf(event, ["tool_input", "toolInput"]);
      return mapCall("cursor", { tool: isServers ? serverTool(tool) : tool, input, cwd });
    }
  }
}

/** Reads `MCP:server:tool`, or the tool alone: then the server is unknown. */
function serverTool(name: string): string {
  if (name.startsWith("mcp__")) return name;
  const [first = "", ...rest] = name.replace(/^MCP:/, "").split(":");
  return rest.length === 0 ? `${UNNAMED_SERVER}${first}` : `mcp__${first}__${rest.join(":")}`;
}

/** The reads of a file and of its attachments. */
function fileReads(event: JsonObject, cwd: string | undefined): readonly ToolCall[] {
  const attached = fieldOf(event, ["attachments"]) ?? [];
  if (!Array.isArray(attached)) throw new EventFault('"attachments" is not a list');
  if (attached.length >= MOST_CALLS) throw new EventFault(`it names more than ${MOST_CALLS} files`);
  const more = attached.map((each: Json) => {
    if (!isJsonObject(each)) {
      throw new EventFault('"attachments" holds a value that is not an object');
    }
    return textOf(each, ["file_path", "filePath"]);
  });
  const paths = [textOf(event, ["file_path", "filePath"]), ...more];
  return paths.map((path) => ({
    tool: "Read",
    input: { path },
    ...(cwd === undefined ? {} : { cwd }),
  }));
}

function render(response: HookResponse): HookOutput {
  if (response.event === undefined) return stopOutput(response);
  const { decision, reason } = response;
  if (decision !== "deny") return jsonOutput({});
  return jsonOutput({
    permission: "deny",
    user_message: reason,
    agent_message: reason,
    userMessage: reason,
    agentMessage: reason,
  });
}
