import type { HookOutcome } from "../hooks/hook_outcome.ts";
import { isObject, isSameJson } from "../../text/same_json.ts";
import type { JsonObject, ToolCall } from "../../model/call.ts";
import { frozenJson } from "../frozen_json.ts";
import type { Opinion, Passing, Scene, Stage, StageResult } from "./stage.ts";

/** How often a call goes through from the start, the first time included. */
export const MOST_ROUNDS = 3;

/**
 * The hooks of PreToolUse. Their deny ends it, in every mode. Another input sends the call back to the start; an ask of
 * any round stays, an allow holds only for the input that it was said about.
 */
export const runHooks: Stage = {
  name: "hooks",
  concerns: (_passing, { hooks }) => hooks !== undefined,
  async run(passing, scene) {
    const outcome = await outcomeFor(passing.call, scene);
    const warnings = [...passing.warnings, ...outcome.warnings];
    const told = { ...passing, warnings };
    const reason = outcome.reason ?? `a hook says ${outcome.decision}`;
    switch (outcome.decision) {
      case "deny":
        return { kind: "denied", passing: told, by: "hook", reason };
      case "ask":
        return after(asked(told, reason), outcome);
      case "allow":
        return after({ ...told, hooks: told.hooks ?? { decision: "allow", reason } }, outcome);
      case "proceed":
        return after(told, outcome);
    }
    const unknown = "the hooks gave no answer that is understood";
    return { kind: "denied", passing: told, by: "hook", reason: unknown };
  },
};

async function outcomeFor(call: ToolCall, scene: Scene): Promise<HookOutcome> {
  const { hooks, policy, session, callId, signal } = scene;
  const event = {
    event: "PreToolUse",
    sessionId: session,
    cwd: policy.request({ tool: call.tool, input: {} }).cwd,
    mode: scene.mode(),
    call,
    ...(callId === undefined ? {} : { callId }),
  } as const;
  const outcome = await hooks?.run(event, signal === undefined ? {} : { signal });
  if (outcome === undefined) throw new TypeError("The hook runner gave no outcome");
  return outcome;
}

function asked(passing: Passing, reason: string): Passing {
  const before = passing.hooks?.decision === "ask" ? [passing.hooks.reason] : [];
  const all = [...new Set([...before, reason])].join("; ");
  return { ...passing, hooks: { decision: "ask", reason: all } };
}

/** Where the call goes from here. */
function after(passing: Passing, { updatedInput }: HookOutcome): StageResult {
  const { call, round, hooks } = passing;
  const input = updatedInput === undefined ? undefined : frozenJson(updatedInput);
  if (updatedInput !== undefined && !isObject(input)) {
    const reason = "a hook wants an input that is no JSON object";
    return { kind: "denied", passing, by: "hook", reason };
  }
  if (!isObject(input) || isSameJson(input, call.input)) return goesOn(passing);
  if (round >= MOST_ROUNDS) {
    return goesOn(asked(passing, `hooks still change the input after ${MOST_ROUNDS} rounds`));
  }
  return {
    kind: "begins-anew",
    passing: anew(passing, { input, hooks }),
    reason: "a hook changes the input",
  };
}

function goesOn(passing: Passing): StageResult {
  const { hooks } = passing;
  const result = hooks?.decision ?? "passes";
  return { kind: "goes-on", passing, result, reason: hooks?.reason ?? "" };
}

/** The call at the start with another input: all that is left is what a person must know or answer. */
function anew(
  { call, round, warnings }: Passing,
  { input, hooks }: { readonly input: JsonObject; readonly hooks: Opinion | undefined },
): Passing {
  return {
    call: Object.freeze({ ...call, input }),
    round: round + 1,
    warnings,
    ...(hooks?.decision === "ask" ? { hooks } : {}),
  };
}
