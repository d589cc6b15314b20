import type { Hook } from "../../gate/hooks/hook.ts";
import type { HookEvent } from "../../gate/hooks/hook_event.ts";
import type { HookOutcome, HookResult } from "../../gate/hooks/hook_outcome.ts";
import type { HookEnd } from "../../gate/hooks/hook_run.ts";

/** What came of trying the hooks of an event. */
export interface TriedHooks {
  /** The event. */
  readonly event: HookEvent;
  /** What the hooks said that ran. */
  readonly outcome: HookOutcome;
  /** The hooks of the event that are for other tools. */
  readonly others: readonly Hook[];
}

/** The same as a JSON object. */
export function hookJson({ event, outcome, others }: TriedHooks): object {
  const { results, ...answer } = outcome;
  return {
    event: event.event,
    ...("call" in event ? { tool: event.call.tool, input: event.call.input } : {}),
    ...answer,
    hooks: results.map(resultJson),
    others: others.map(({ command, matcher, source }) => ({
      command,
      matcher: matcher.text,
      source,
    })),
  };
}

function resultJson({ hook, run, ...answer }: HookResult): object {
  const { command, matcher, source } = hook;
  return {
    command,
    matcher: matcher.text,
    source,
    ...endJson(run.end),
    tookMs: run.tookMs,
    ...answer,
    stdout: new TextDecoder().decode(run.stdout.bytes),
    stderr: new TextDecoder().decode(run.stderr.bytes),
    cut: run.stdout.isCut || run.stderr.isCut,
  };
}

function endJson(end: HookEnd): object {
  const { kind, ...more } = end;
  return { end: kind, ...more };
}
