import type { HookOutcome } from "../hooks/hook_outcome.ts";
import { isJsonObject, isSameJson } from "../../text/json_value.ts";
import type { JsonObject, ToolCall } from "../../model/call.ts";
import { frozenJson } from "../frozen_json.ts";
import type { CallState, GateContext, Opinion, Stage, StageResult } from "./stage.ts";

/** The most rounds of a call through the stages. */
export const MOST_ROUNDS = 3;

/**
 * The hooks of PreToolUse. Their deny ends it, in every mode. Another input sends the call back to the start; an ask of
 * any round stays, an allow holds only for its own input.
 */
export const runHooks: Stage = {
  name: "hooks",
  concerns: (_passing, { hooks }) => hooks !== undefined,
  async run(passing, context) {
    const outcome = await outcomeFor(passing.call, context);
    const warnings = [...passing.warnings, ...outcome.warnings];
    const noted = { ...passing, warnings };
    const reason = outcome.reason ?? `a hook says ${outcome.decision}`;
    switch (outcome.decision) {
      case "deny":
        return { kind: "denied", passing: noted, by: "hook", reason };
      case "ask":
        return after(asked(noted, reason), outcome);
      case "allow":
        return after({ ...noted, hooks: noted.hooks ?? { decision: "allow", reason } }, outcome);
      case "proceed":
        return after(noted, outcome);
    }
    const unknown = "the hooks gave no valid answer";
    return { kind: "denied", passing: noted, by: "hook", reason: unknown };
  },
};

async function outcomeFor(call: ToolCall, context: GateContext): Promise<HookOutcome> {
  const { hooks, policy, session, callId, signal } = context;
  const event = {
    event: "PreToolUse",
    sessionId: session,
    cwd: policy.cwd,
    mode: context.mode(),
    call,
    ...(callId === undefined ? {} : { callId }),
  } as const;
  const outcome = await hooks?.run(event, signal === undefined ? {} : { signal });
  if (outcome === undefined) throw new TypeError("The hook runner gave no outcome");
  return outcome;
}

function asked(passing: CallState, reason: string): CallState {
  const before = passing.hooks?.decision === "ask" ? [passing.hooks.reason] : [];
  const all = [...new Set([...before, reason])].join("; ");
  return { ...passing, hooks: { decision: "ask", reason: all } };
}

/** The next step of the call. */
function after(passing: CallState, { updatedInput }: HookOutcome): StageResult {
  const { call, round, hooks } = passing;
  const input = updatedInput === undefined ? undefined : frozenJson(updatedInput);
  if (updatedInput !== undefined && !isJsonObject(input)) {
    const reason = "a hook sets an input that is not a JSON object";
    return { kind: "denied", passing, by: "hook", reason };
  }
  if (!isJsonObject(input) || isSameJson(input, call.input)) return goesOn(passing);
  if (round >= MOST_ROUNDS) {
    return goesOn(asked(passing, `hooks still change the input after ${MOST_ROUNDS} rounds`));
  }
  return {
    kind: "restart",
    passing: anew(passing, { input, hooks }),
    reason: "a hook changes the input",
  };
}

function goesOn(passing: CallState): StageResult {
  const { hooks } = passing;
  const result = hooks?.decision ?? "passes";
  return { kind: "next", passing, result, reason: hooks?.reason ?? "" };
}

/** The call at the start with another input: all that is left is what a person must know or answer. */
function anew(
  { call, round, warnings }: CallState,
  { input, hooks }: { readonly input: JsonObject; readonly hooks: Opinion | undefined },
): CallState {
  return {
    call: Object.freeze({ ...call, input }),
    round: round + 1,
    warnings,
    ...(hooks?.decision === "ask" ? { hooks } : {}),
  };
}
