import type { AgentProfile, Wrapper } from "../profile.ts";
import { objectOf, textOf } from "./fields.ts";
import type { ForeignCall } from "./map_call.ts";

/** A call that another one makes. */
export interface InnerCall {
  readonly call: ForeignCall;
  /** True if the other one may as well be what it looks like: a call of a tool that takes such fields itself. */
  readonly isOpen: boolean;
}

/**
 * The call that a call of a wrapping tool makes; undefined for a call of any other tool. Some events have the name of the tool
 * that is called beside the input of the wrapper. Throws EventFault where the tool or its input is not clear.
 */
export function calledBy(call: ForeignCall, { tools }: AgentProfile): InnerCall | undefined {
  if (Object.hasOwn(tools, call.tool)) {
    const own = tools[call.tool]?.calls;
    return own === undefined ? undefined : { call: inner(call, own), isOpen: false };
  }
  const named = Object.values(tools).flatMap(({ calls }) => calls ?? [])
    .find((calls) => isNamedIn(call, calls));
  if (named === undefined) return undefined;
  return { call: inner(call, named), isOpen: Object.keys(call.input).length > 2 };
}

function inner({ input, ...rest }: ForeignCall, calls: Wrapper): ForeignCall {
  return { ...rest, tool: textOf(input, [calls.tool]), input: objectOf(input, [calls.input]) };
}

/** True for the input of a wrapper that names the tool of its own event. */
function isNamedIn({ tool, input }: ForeignCall, calls: Wrapper): boolean {
  return calls.names === true && input[calls.tool] === tool && Object.hasOwn(input, calls.input);
}
