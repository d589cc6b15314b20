import type { JsonObject } from "../../model/call.ts";
import { isSameJson } from "../../text/json_value.ts";
import { quoted } from "../../model/problem.ts";
import type { Hook } from "./hook.ts";
import type { HookEvent } from "./hook_event.ts";
import type { HookRun } from "./hook_run.ts";
import { isStricter } from "./read_decision.ts";

/** A decision of hooks. `proceed` is no opinion. For events other than PreToolUse only `deny` has an effect: it blocks. */
export type HookDecision = "proceed" | "allow" | "ask" | "deny";

/** The answer of one hook, or of several folded into the strictest. */
export interface HookAnswer {
  /** The strictest where several answer. */
  readonly decision: HookDecision;
  /** The reason, without a final full stop if it is ours; that of a deny is for the model. */
  readonly reason?: string;
  /** A new input for the call; PreToolUse only, and never with a deny. */
  readonly updatedInput?: JsonObject;
  /** Warnings for a person. */
  readonly warnings: readonly string[];
}

/** One hook's answer, and the run that it was read from. */
export interface HookResult extends HookAnswer {
  /** The hook as its file has it. */
  readonly hook: Hook;
  /** Exit, output and time of its process. */
  readonly run: HookRun;
}

/** The strictest of the answers of all hooks of an event. */
export interface HookOutcome extends HookAnswer {
  /** The result of each hook, in their order. */
  readonly results: readonly HookResult[];
}

/** Options for running hooks. */
export interface HookOptions {
  /** Ends hooks that are still running; the outcome of a PreToolUse is then an ask. */
  readonly signal?: AbortSignal;
}

/** Runs hooks. */
export interface HookRunner {
  /**
   * Runs every hook for the event, all at once on the same text, and waits for them. Never rejects: a failure is an ask for
   * PreToolUse, else a warning. No other hook has seen an `updatedInput`, and an allow with it is for the replaced input: the
   * caller decides the new input from the start.
   */
  run(event: HookEvent, options?: HookOptions): Promise<HookOutcome>;
}

/** Combines the results: the strictest decision, with the reasons of all hooks that made it. */
export function foldResults(results: readonly HookResult[]): HookOutcome {
  const decision = results.reduce<HookResult["decision"]>(
    (strictest, result) => isStricter(result.decision, strictest) ? result.decision : strictest,
    "proceed",
  );
  const warnings = results.flatMap(({ hook, warnings }) =>
    warnings.map((warning) => `hook ${quoted(hook.command)}: ${warning}`)
  );
  const reason = joined(
    results.flatMap((result) => result.decision === decision ? result.reason ?? [] : []),
  );
  if (decision === "deny") return { decision, ...reason, warnings, results };
  const inputs = results.flatMap(({ updatedInput }) =>
    updatedInput === undefined ? [] : [updatedInput]
  );
  const [updatedInput] = inputs;
  if (updatedInput === undefined) return { decision, ...reason, warnings, results };
  if (inputs.every((input) => isSameJson(input, updatedInput))) {
    return { decision, ...reason, updatedInput, warnings, results };
  }
  return { ...conflict(inputs, reason), warnings, results };
}

/** Asks a person, because hooks want different inputs. */
function conflict(
  inputs: readonly JsonObject[],
  { reason }: { readonly reason?: string },
): { readonly decision: "ask"; readonly reason: string } {
  const detail = `${inputs.length} hooks set different inputs for the call`;
  return { decision: "ask", reason: reason === undefined ? detail : `${detail}; ${reason}` };
}

/** Each reason once, in the order of the hooks. */
function joined(reasons: readonly string[]): { readonly reason?: string } {
  return reasons.length === 0 ? {} : { reason: [...new Set(reasons)].join("; ") };
}
