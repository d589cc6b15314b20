import type { AgentProfile, Wrapper } from "../profile.ts";
import { objectOf, textOf } from "./fields.ts";
import type { ForeignCall } from "./map_call.ts";

/**
 * The call that a call of a wrapping tool makes; undefined for a call of any other tool. Some events have the name of the tool
 * that is called beside the input of the wrapper, and nothing else. Throws EventFault where the tool or its input is not clear.
 */
export function calledBy(call: ForeignCall, { tools }: AgentProfile): ForeignCall | undefined {
  if (Object.hasOwn(tools, call.tool)) {
    const own = tools[call.tool]?.calls;
    return own === undefined ? undefined : inner(call, own);
  }
  const named = Object.values(tools).flatMap(({ calls }) => calls ?? [])
    .find((calls) => isNamedIn(call, calls));
  return named === undefined ? undefined : inner(call, named);
}

function inner({ input, ...rest }: ForeignCall, calls: Wrapper): ForeignCall {
  return { ...rest, tool: textOf(input, [calls.tool]), input: objectOf(input, [calls.input]) };
}

/** INVARIANT: a tool that takes these fields itself, beside others, is not judged by what stands in them. */
function isNamedIn({ tool, input }: ForeignCall, calls: Wrapper): boolean {
  return calls.names === true && input[calls.tool] === tool && Object.hasOwn(input, calls.input) &&
    Object.keys(input).length === 2;
}
