import type { JsonObject } from "../../model/call.ts";
import { quoted } from "../../text/problems.ts";
import type { HookOutcome, HookResult } from "./hook_outcome.ts";
import { isStricter } from "./read_decision.ts";
import { isSameJson } from "../../text/same_json.ts";

/** What the results say together: the strictest decision, with the reasons of all that made it. */
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

/** Which of several inputs was meant, nobody can tell. */
function conflict(
  inputs: readonly JsonObject[],
  { reason }: { readonly reason?: string },
): { readonly decision: "ask"; readonly reason: string } {
  const detail = `${inputs.length} hooks want different inputs for the call`;
  return { decision: "ask", reason: reason === undefined ? detail : `${detail}; ${reason}` };
}

/** Each reason once, in the order of the hooks. */
function joined(reasons: readonly string[]): { readonly reason?: string } {
  return reasons.length === 0 ? {} : { reason: [...new Set(reasons)].join("; ") };
}
