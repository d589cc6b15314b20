import { printedJson } from "../../text/printed_json.ts";
import type { AutoMode } from "../../gate/auto/opinion.ts";
import { evaluateCall } from "../../decide/evaluate.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { RememberedLooks } from "../../io/load/remembered_looks.ts";
import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import { type Mode, modeNamed } from "../../decide/modes.ts";
import { decisionJson } from "../../report/decision_json.ts";
import { decideCall, headlessWays } from "../input/decide_with_model.ts";
import { trustWarnings } from "../input/open_policy.ts";
import type { Line } from "../../text/json_lines.ts";
import type { ModeSettings } from "../input/start_mode.ts";

/** The policy and the settings by which a stream of calls is decided. */
export interface Stream {
  readonly policy: LoadedPolicy;
  readonly start: ModeSettings;
  readonly auto: () => Promise<AutoMode>;
}

/** A stream with the looks at files that its lines may share. */
export interface Deciding extends Stream {
  readonly looks: RememberedLooks;
}

/** The result of one line. */
export interface LineResult {
  /** Its JSON, without a newline. */
  readonly text: string;
  /** True if the line could be read; otherwise the text is about its error. */
  readonly isRead: boolean;
  /** True if a model may have been asked, which takes its time. */
  readonly asksModel?: boolean;
}

/** Decides the call of one line. */
export async function lineResult(
  line: Line,
  { policy: loaded, start, auto, looks }: Deciding,
): Promise<LineResult> {
  const { policy } = loaded;
  if (!line.ok) return fault(null, line);
  const { value } = line;
  const id = value.id ?? null;
  const call = callOf(value);
  if (typeof call === "string") return fault(id, { ...line, detail: call });
  const own = modeOf(value, start);
  if (typeof own === "string") return fault(id, { ...line, detail: own });
  const now = looks.runtime.now();
  const mode = own === undefined ? {} : { mode: own };
  const evaluation = evaluateCall(policy, call, { now });
  const again = () => {
    looks.forget();
    return evaluateCall(policy, call, { now });
  };
  const decided = await decideCall(evaluation, { policy, start, auto, again, ...mode });
  const decision = decided.decidedBy === "headless"
    ? (await headlessWays(evaluation, { policy, now, mode: own ?? start.options.mode, decided }))
      .decision
    : decided;
  const warnings = [...decision.warnings, ...await trustWarnings(loaded, { call, now })];
  const result = {
    ...(value.id === undefined ? {} : { id }),
    ...decisionJson(call, { ...decision, warnings }),
  };
  const { asksModel = false } = own ?? start.options.mode;
  return { text: printedJson(result), isRead: true, asksModel };
}

function fault(
  id: Json,
  { number, detail }: { readonly number: number; readonly detail: string },
): LineResult {
  return { text: printedJson({ id, error: `line ${number}: ${detail}` }), isRead: false };
}

/** The call of a line, or what is wrong with it. */
function callOf(value: JsonObject): ToolCall | string {
  const tool = either(value, ["tool", "tool_name"]);
  const input = either(value, ["input", "tool_input"]);
  if (tool === TWICE || input === TWICE) return "the call is given twice, with different values";
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
  const found = names.filter((name) => Object.hasOwn(value, name)).map((name) => value[name]!);
  if (found.length < 2) return found[0];
  const texts = new Set(found.map((each) => JSON.stringify(each)));
  return texts.size > 1 ? TWICE : found[0];
}

/**
 * A line's own mode, or its problem; undefined if the line names none, if a managed file sets the mode, and
 * where permissions are off.
 */
function modeOf(
  value: JsonObject,
  { options, isManaged, bypass }: ModeSettings,
): Mode | string | undefined {
  if (value.mode === undefined || isManaged || options.mode.name === "disabled") return undefined;
  const name = JSON.stringify(value.mode);
  const mode = typeof value.mode === "string" ? modeNamed(value.mode) : undefined;
  if (!mode) return `unknown mode ${name}`;
  if (mode.liftsDenials && bypass === "refused") {
    return `the mode ${name} needs --allow-dangerously-skip-permissions`;
  }
  return mode;
}
