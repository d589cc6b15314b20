/** Real hooks, run as the gate runs them. */
import type { Hook } from "../../lib/gate/hooks/hook.ts";
import type { PreToolUse } from "../../lib/gate/hooks/hook_event.ts";
import type { HookOptions, HookOutcome } from "../../lib/gate/hooks/hook_outcome.ts";
import { EVERY_TOOL } from "../../lib/gate/hooks/hook.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { hookRunner, type HookRunnerOptions } from "../../lib/io/process/hook_runner.ts";

/** The machine that the tests run on. */
export const runtime = await chooseRuntime();

/** A hook of every tool. */
export function hookOf(command: string, more: Partial<Hook> = {}): Hook {
  const source = { kind: "user", path: "user.toml", line: 1, column: 1 } as const;
  return { event: "PreToolUse", matcher: EVERY_TOOL, command, source, ...more };
}

/** A call that is about to be made. */
export const EVENT: PreToolUse = {
  event: "PreToolUse",
  sessionId: "s",
  cwd: "/",
  call: { tool: "Bash", input: { command: "git push" } },
};

/** The options of hooks that run in a test. */
export interface Running extends HookOptions, Partial<HookRunnerOptions> {
  /** The folder they run in. */
  readonly folder: string;
  /** The event; that of a Bash call when left out. */
  readonly event?: PreToolUse;
}

/** Runs commands as hooks of a call. */
export function runHooks(commands: readonly string[], running: Running): Promise<HookOutcome> {
  const { event = EVENT, signal, ...options } = running;
  const hooks = commands.map((command) => hookOf(command));
  return hookRunner(hooks, { runtime, ...options }).run(
    event,
    signal === undefined ? {} : { signal },
  );
}
