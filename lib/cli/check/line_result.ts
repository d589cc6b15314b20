import { printedJson } from "../../text/printed_json.ts";
import type { AutoMode } from "../../gate/auto/opinion.ts";
import { evaluateCall, type Evaluation } from "../../decide/evaluate.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { RememberedLooks } from "../../io/load/remembered_looks.ts";
import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import { type Mode, modeNamed } from "../../decide/modes.ts";
import type { Decision } from "../../model/verdict.ts";
import { decisionLine } from "../../report/decision_json.ts";
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

/** Decides the call of one line. A promise only where something has to be waited for, which few lines need. */
export function lineResult(line: Line, deciding: Deciding): LineResult | Promise<LineResult> {
  const { policy: { policy, isTrusted }, start, auto, looks } = deciding;
  if (!line.ok) return fault(null, line);
  const { value } = line;
  const call = callOf(value);
  if (typeof call === "string") return fault(value.id ?? null, { ...line, detail: call });
  const mode = modeOf(value, start);
  if (typeof mode === "string") return fault(value.id ?? null, { ...line, detail: mode });
  const now = looks.runtime.now();
  const evaluation = evaluateCall(policy, call, { now });
  const again = () => {
    looks.forget();
    return evaluateCall(policy, call, { now });
  };
  const decided = decideCall(evaluation, { policy, start, auto, again, mode });
  const { asksModel = false } = mode ?? start.options.mode;
  const about = { id: value.id, call, evaluation, now, mode, asksModel };
  return isTrusted && !(decided instanceof Promise) && decided.decidedBy !== "headless"
    ? { text: decisionLine(call, decided, about), isRead: true, asksModel }
    : laterResult(decided, { ...about, deciding });
}

interface Decided {
  readonly id: Json | undefined;
  readonly call: ToolCall;
  readonly evaluation: Evaluation;
  readonly now: number;
  readonly mode: Mode | undefined;
  readonly asksModel: boolean;
  readonly deciding: Deciding;
}

/** The result of a decision that is waited for, or that has more to say. */
async function laterResult(
  given: Decision | Promise<Decision>,
  { id, call, evaluation, now, mode, asksModel, deciding }: Decided,
): Promise<LineResult> {
  const { policy: loaded, start } = deciding;
  const { policy } = loaded;
  const decided = await given;
  const decision = decided.decidedBy === "headless"
    ? (await headlessWays(evaluation, { policy, now, mode: mode ?? start.options.mode, decided }))
      .decision
    : decided;
  const warnings = [...decision.warnings, ...await trustWarnings(loaded, { call, now })];
  return {
    text: decisionLine(call, { ...decision, warnings }, { id }),
    isRead: true,
    asksModel,
  };
}

function fault(
  id: Json,
  { number, detail }: { readonly number: number; readonly detail: string },
): LineResult {
  return { text: printedJson({ id, error: `line ${number}: ${detail}` }), isRead: false };
}

/** The call of a line, or what is wrong with it. */
function callOf(value: JsonObject): ToolCall | string {
  const tool = either(value, TOOL);
  const input = either(value, INPUT);
  if (tool === TWICE || input === TWICE) return "the call is given twice, with different values";
  if (typeof tool !== "string" || tool === "") return '"tool" is missing or not a string';
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return '"input" is missing or not an object';
  }
  const { cwd } = value;
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "")) return '"cwd" is not a path';
  return cwd === undefined
    ? { tool, input: input as JsonObject }
    : { tool, input: input as JsonObject, cwd };
}

const TOOL = ["tool", "tool_name"] as const;
const INPUT = ["input", "tool_input"] as const;

const TWICE = Symbol("two spellings that differ");

function either(
  value: JsonObject,
  [name, other]: readonly [string, string],
): Json | undefined | typeof TWICE {
  if (!Object.hasOwn(value, other)) return Object.hasOwn(value, name) ? value[name] : undefined;
  if (!Object.hasOwn(value, name)) return value[other];
  const isSame = JSON.stringify(value[name]) === JSON.stringify(value[other]);
  return isSame ? value[name] : TWICE;
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
