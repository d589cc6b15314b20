import type { JsonObject } from "../../model/call.ts";
import type { Hook } from "./hook.ts";
import type { HookEvent } from "./hook_event.ts";
import type { HookRun } from "./hook_run.ts";

/** What hooks say: `proceed` is no opinion. For an event other than PreToolUse only `deny` means something: it blocks. */
export type HookDecision = "proceed" | "allow" | "ask" | "deny";

/** What one hook says. */
export interface HookAnswer {
  /** Its decision. */
  readonly decision: HookDecision;
  /** Why, without a final full stop where it is ours; a deny's is for the model. */
  readonly reason?: string;
  /** What the call's input should be instead; PreToolUse only, and never beside a deny. */
  readonly updatedInput?: JsonObject;
  /** What a person should know besides. */
  readonly warnings: readonly string[];
}

/** What came of one hook. */
export interface HookResult extends HookAnswer {
  /** The hook. */
  readonly hook: Hook;
  /** Its run. */
  readonly run: HookRun;
}

/** What all hooks of an event say together: the strictest of their answers. */
export interface HookOutcome extends HookAnswer {
  /** What each said, in the order of the hooks. */
  readonly results: readonly HookResult[];
}

/** How hooks are run. */
export interface HookOptions {
  /** Ends the hooks that still run; those of a PreToolUse then ask. */
  readonly signal?: AbortSignal;
}

/** Runs hooks. */
export interface HookRunner {
  /**
   * Runs every hook for the event, all at once on the same text, and waits for them. Never rejects: what fails is an ask
   * for PreToolUse, else a warning. An `updatedInput` was seen by no other hook, and an allow beside it is for the input
   * that it replaces: who takes it judges it from the start.
   */
  run(event: HookEvent, options?: HookOptions): Promise<HookOutcome>;
}
