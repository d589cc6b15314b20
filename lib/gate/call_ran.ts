import { evaluate } from "../engine/evaluate.ts";
import type { HookOutcome } from "../hooks/hook_outcome.ts";
import type { ToolCall } from "../model/call.ts";
import { abortable } from "./abortable.ts";
import type { Agent } from "./decide_call.ts";
import { editsFiles } from "./edits_files.ts";
import type { RanOptions } from "./gate.ts";

const NOTHING: HookOutcome = { decision: "proceed", warnings: [], results: [] };

/** Tells that a call of an agent ran, as `ChildGate.ran` says. Throws TypeError for a call that is none. */
export async function callRan(
  { parts, state: { policy }, mode }: Agent,
  call: ToolCall,
  { response = null, callId, signal }: RanOptions,
): Promise<HookOutcome> {
  const { classifier, hooks, session = "" } = parts;
  if (classifier !== undefined && editsFiles(evaluate(policy, call), policy)) {
    classifier.edited();
  }
  if (hooks === undefined) return NOTHING;
  const event = {
    event: "PostToolUse",
    sessionId: session,
    cwd: policy.facts({ tool: call.tool, input: {} }).cwd,
    mode: mode.current,
    call,
    response,
    ...(callId === undefined ? {} : { callId }),
  } as const;
  return await abortable(signal, () => hooks.run(event, signal === undefined ? {} : { signal }));
}
