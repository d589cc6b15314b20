import type { DecideOptions } from "../engine/decide.ts";
import type { LoadedPolicy } from "../io/load_policy.ts";
import type { Runtime } from "../io/runtime.ts";
import type { Json, JsonObject, ToolCall } from "../model/call.ts";
import type { ModeName } from "../model/settings.ts";
import { modeNamed } from "../modes/registry.ts";
import { isValueNotBuilt } from "../policy/not_built.ts";
import { decisionJson } from "../report/decision_json.ts";
import { decideCall } from "../suggest/decide_call.ts";
import { EXIT } from "./exit_status.ts";
import { jsonLines, type Line } from "./json_lines.ts";

interface Stream {
  readonly policy: LoadedPolicy;
  readonly options: DecideOptions;
}

/**
 * Decides one call a line, in order, one result a line; waits for the reader, so memory stays constant. 0, or 65 after a
 * line that could not be read.
 */
export async function checkStream(runtime: Runtime, stream: Stream): Promise<number> {
  let status: number = EXIT.ok;
  for await (const line of jsonLines(runtime.stdin())) {
    const result = resultOf(line, { ...stream, now: runtime.now() });
    if ("error" in result) status = EXIT.badInput;
    if (!await runtime.write("stdout", JSON.stringify(result) + "\n")) return status;
  }
  return status;
}

function resultOf(
  line: Line,
  { policy, options, now }: Stream & { readonly now: number },
): Record<string, unknown> {
  if (!line.ok) return { id: null, error: `line ${line.number}: ${line.detail}` };
  const { value } = line;
  const id = value.id ?? null;
  const call = callOf(value);
  if (typeof call === "string") return { id, error: `line ${line.number}: ${call}` };
  const mode = modeOf(value, options);
  if (mode === undefined) {
    const name = JSON.stringify(value.mode);
    const isLater = typeof value.mode === "string" && isValueNotBuilt("default_mode", value.mode);
    const detail = isLater ? `the mode ${name} is not built yet` : `there is no mode ${name}`;
    return { id, error: `line ${line.number}: ${detail}` };
  }
  const decision = decideCall(policy.policy, call, { ...options, mode, now });
  return { ...(value.id === undefined ? {} : { id }), ...decisionJson(call, decision) };
}

/** The call of a line, or what is wrong with it. */
function callOf(value: JsonObject): ToolCall | string {
  const tool = either(value, ["tool", "tool_name"]);
  const input = either(value, ["input", "tool_input"]);
  if (tool === TWICE || input === TWICE) return "the call is there twice, and differs";
  if (typeof tool !== "string" || tool === "") return '"tool" is missing or not a string';
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return '"input" is missing or not an object';
  }
  const { cwd } = value;
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "")) return '"cwd" is not a path';
  return { tool, input: input as JsonObject, ...(cwd === undefined ? {} : { cwd }) };
}

const TWICE = Symbol("two spellings that differ");

function either(value: JsonObject, names: readonly string[]): Json | undefined | typeof TWICE {
  const found = names.flatMap((name) => Object.hasOwn(value, name) ? [value[name]!] : []);
  const texts = new Set(found.map((each) => JSON.stringify(each)));
  return texts.size > 1 ? TWICE : found[0];
}

/** A line's own mode; the mode of the command line where it names none, and always when permissions are off. */
function modeOf(value: JsonObject, options: DecideOptions): DecideOptions["mode"] | undefined {
  if (value.mode === undefined || options.mode.name === "disabled") return options.mode;
  return typeof value.mode === "string" ? modeNamed(value.mode as ModeName) : undefined;
}
