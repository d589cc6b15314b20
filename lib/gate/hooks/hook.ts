import type { HookEventName } from "../../model/call.ts";
import type { RuleSource } from "../../model/rule.ts";
import type { HookEvent } from "./hook_event.ts";

/** The tools that a hook is for. */
export interface Matcher {
  /** The written text; empty for every tool. */
  readonly text: string;
  /** True if the hook is for the tool of that name. Linear in the name's length for every matcher. */
  fits(tool: string): boolean;
}

/** The matcher of every tool. */
export const EVERY_TOOL: Matcher = { text: "", fits: () => true };

/** A hook that can run. */
export interface Hook {
  /** The event that it runs for. */
  readonly event: HookEventName;
  /** The tools that it is for. */
  readonly matcher: Matcher;
  /** The command line for the shell. */
  readonly command: string;
  /** Its place. */
  readonly source: RuleSource;
}

/** The hooks that run for an event, in their order. */
export function hooksFor(hooks: readonly Hook[], event: HookEvent): readonly Hook[] {
  return hooks.filter((hook) =>
    hook.event === event.event && (!("call" in event) || hook.matcher.fits(event.call.tool))
  );
}
