import type { Action } from "../../model/action.ts";
import { isAction } from "../../model/action.ts";
import type { Invocation } from "./verb.ts";

/** The value of a flag that can be given once; undefined when it was not. */
export function flagValue(invocation: Invocation, name: string): string | undefined {
  return invocation.flags.find((flag) => flag.name === name)?.value;
}

/** All values of a repeatable flag, in order; empty when it was not given. */
export function flagValues(invocation: Invocation, name: string): readonly string[] {
  return invocation.flags.flatMap((flag) =>
    flag.name === name && flag.value !== undefined ? [flag.value] : []
  );
}

/** True if a flag was given. */
export function hasFlag(invocation: Invocation, name: string): boolean {
  return invocation.flags.some((flag) => flag.name === name);
}

/** The rules of `--allow`, `--deny` and `--ask`, in the order of the line. */
export function ruleFlags(
  invocation: Invocation,
): readonly { readonly action: Action; readonly pattern: string }[] {
  return invocation.flags.flatMap(({ name, value }) =>
    isAction(name) && value !== undefined ? [{ action: name, pattern: value }] : []
  );
}
