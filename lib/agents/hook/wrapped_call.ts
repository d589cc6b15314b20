import type { AgentProfile, Wrapper } from "../profile.ts";
import { objectOf, textOf } from "./fields.ts";
import type { ForeignCall } from "./map_call.ts";

/**
 * The call that a call of a wrapping tool makes; undefined for a call of any other tool. Some events have the name of the tool
 * that is called beside the input of the wrapper. Throws EventFault where the tool or its input is not clear.
 */
export function calledBy(call: ForeignCall, { tools }: AgentProfile): ForeignCall | undefined {
  const own = Object.hasOwn(tools, call.tool) ? tools[call.tool]?.calls : undefined;
  if (own !== undefined) return inner(call, own);
  const named = Object.values(tools).flatMap(({ calls }) => calls ?? [])
    .find((calls) => isNamedIn(call, calls));
  return named === undefined ? undefined : inner(call, named);
}

function inner({ input, ...rest }: ForeignCall, calls: Wrapper): ForeignCall {
  return { ...rest, tool: textOf(input, [calls.tool]), input: objectOf(input, [calls.input]) };
}

/** True for the input of a wrapper that names the tool of its own event. */
function isNamedIn({ tool, input }: ForeignCall, calls: Wrapper): boolean {
  return Object.hasOwn(input, calls.input) && Object.hasOwn(input, calls.tool) &&
    input[calls.tool] === tool;
}
