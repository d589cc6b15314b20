import type { Hook } from "./hook.ts";
import type { HookEvent } from "./hook_event.ts";

/** The hooks that run for an event, in their order. */
export function hooksFor(hooks: readonly Hook[], event: HookEvent): readonly Hook[] {
  return hooks.filter((hook) =>
    hook.event === event.event && (!("call" in event) || hook.matcher.fits(event.call.tool))
  );
}
