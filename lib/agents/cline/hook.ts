import type { Json, JsonObject } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";
import { agentProfile } from "../profile.ts";
import { checkEvent } from "../hook/claude_form.ts";
import { objectOf, textOf, textsOf } from "../hook/fields.ts";
import { jsonOutput } from "../hook/hook_output.ts";
import {
  type AgentEvent,
  EventFault,
  type HookOutput,
  type HookProtocol,
  type HookResponse,
} from "../hook/hook_protocol.ts";
import { MOST_CALLS } from "../hook/listed_files.ts";
import { type ForeignCall, mapCall, type MappedCall } from "../hook/map_call.ts";

/** Cline's hooks. It goes by what is printed alone, and knows no answer but one that ends the task: it ignores `review`. */
export const hook: HookProtocol = { read, render };

function read(event: JsonObject): AgentEvent {
  const name = textOf(event, ["hookName"]);
  checkEvent(name, ["tool_call"]);
  const folders = textsOf(event, ["workspaceRoots"]);
  const call = objectOf(event, ["tool_call"]);
  const tool = textOf(call, ["name"]);
  const [cwd] = folders;
  const mapped = inputsOf(tool, objectOf(call, ["input"]))
    .map((input) => mapOne({ tool, input, cwd }));
  const calls = mapped.flatMap((each) => each.calls);
  if (calls.length > MOST_CALLS) throw new EventFault(`it has more than ${MOST_CALLS} calls`);
  return {
    name,
    calls,
    readings: mapped.flatMap(({ readings }) => readings),
    folders,
    ...(cwd === undefined ? {} : { cwd }),
  };
}

/** The fields of a tool that takes a list of calls. */
interface ListForm {
  /** The field with the list. */
  readonly list: string;
  /** The fields of each call; a text is the first of them. */
  readonly fields: readonly [string, ...string[]];
}

const LISTS: ReadonlyMap<string, ListForm> = new Map([
  ["run_commands", { list: "commands", fields: ["command", "cmd"] }],
  ["read_files", { list: "files", fields: ["path", "file_path", "filePath"] }],
  ["search_codebase", { list: "queries", fields: ["pattern"] }],
  ["fetch_web_content", { list: "requests", fields: ["url"] }],
]);

/** The inputs of the calls in one, at least one. Throws EventFault for a list in another form. */
function inputsOf(tool: string, input: JsonObject): readonly JsonObject[] {
  const form = LISTS.get(tool);
  const listed = form && input[form.list];
  if (form === undefined || listed === undefined) return [whole(input)];
  const all: readonly Json[] = Array.isArray(listed) ? listed : [listed];
  if (all.length === 0) throw new EventFault(`"${form.list}" is empty`);
  const listedInputs = all.map((each) => {
    if (typeof each === "string") return { [form.fields[0]]: each };
    if (isJsonObject(each)) return whole(each);
    throw new EventFault(`"${form.list}" has a value that is not a call`);
  });
  // Another field may count in the place of a list that has a fault.
  const [other] = Object.keys(input).filter((name) =>
    name !== form.list && !form.fields.includes(name)
  );
  if (other !== undefined) {
    throw new EventFault(`${JSON.stringify(other)} is beside "${form.list}"`);
  }
  // Beside a list it ignores a call; that is not certain for every list.
  const isBeside = form.fields.some((field) => Object.hasOwn(input, field));
  const { [form.list]: _, ...rest } = input;
  return isBeside ? [...listedInputs, whole(rest)] : listedInputs;
}

/** Throws EventFault for a command with its words apart: the shell may read them as one line or not. */
function whole(input: JsonObject): JsonObject {
  if (!Object.hasOwn(input, "args") || !Object.hasOwn(input, "command")) return input;
  throw new EventFault("its command and its arguments are apart");
}

function mapOne({ tool, input, cwd }: ForeignCall): MappedCall {
  // A server's tool is `server__tool` there.
  const isServers = tool.includes("__") && !Object.hasOwn(agentProfile("cline").tools, tool);
  const mapped = mapCall("cline", { tool: isServers ? `mcp__${tool}` : tool, input, cwd });
  // A text that takes the place of nothing makes a file.
  const makes = tool === "editor" && (input["old_text"] ?? input["insert_line"] ?? null) === null;
  return makes
    ? { ...mapped, calls: mapped.calls.map((call) => ({ ...call, tool: "Write" })) }
    : mapped;
}

function render({ decision, reason }: HookResponse): HookOutput {
  return jsonOutput(
    decision === "deny" || decision === "ask" ? { cancel: true, errorMessage: reason } : {},
  );
}
