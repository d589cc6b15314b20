import { foldResults } from "../../gate/hooks/fold_results.ts";
import type { Hook } from "../../gate/hooks/hook.ts";
import { eventText, type HookEvent } from "../../gate/hooks/hook_event.ts";
import type { HookOptions, HookResult, HookRunner } from "../../gate/hooks/hook_outcome.ts";
import type { HookRun } from "../../gate/hooks/hook_run.ts";
import { hooksFor } from "../../gate/hooks/hooks_for.ts";
import { readRun } from "../../gate/hooks/read_run.ts";
import { hookStarter, type StartHook } from "./hook_process.ts";
import { HOOK_LIMIT_MS, runHook } from "./run_hook.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** Where hooks run. */
export interface HookRunnerOptions {
  /** The machine. */
  readonly runtime: Pick<Runtime, "name" | "platform" | "env">;
  /**
   * The folder they run in: the workspace. Never a call's own, or a call could choose the folder that a hook's relative
   * path is looked up in.
   */
  readonly folder: string;
  /** How long each may take, in ms; 10 s when left out. */
  readonly limitMs?: number;
  /** How processes are started; the runtime's own way when left out. */
  readonly start?: StartHook;
}

/** Runs the hooks given, which are those that count. They are told their folder as `CALIBAN_PROJECT_DIR` too. */
export function hookRunner(hooks: readonly Hook[], options: HookRunnerOptions): HookRunner {
  return {
    async run(event, { signal } = {}) {
      const results = hooksFor(hooks, event).map((hook) =>
        resultOf(hook, { event, options, signal })
      );
      return foldResults(await Promise.all(results));
    },
  };
}

interface Job {
  readonly event: HookEvent;
  readonly options: HookRunnerOptions;
  readonly signal: HookOptions["signal"];
}

async function resultOf(hook: Hook, job: Job): Promise<HookResult> {
  const { event, options } = job;
  const run = await runOf(hook, job).catch(notStarted);
  return { hook, run, ...readRun(run, { event, platform: options.runtime.platform }) };
}

async function runOf(hook: Hook, { event, options, signal }: Job): Promise<HookRun> {
  const { runtime, folder, limitMs = HOOK_LIMIT_MS } = options;
  const { platform } = runtime;
  const start = options.start ?? await hookStarter(runtime);
  return await runHook(start, {
    command: hook.command,
    input: eventText(event),
    cwd: folder,
    env: { CALIBAN_PROJECT_DIR: folder },
    platform,
    systemRoot: platform === "windows" ? runtime.env("SystemRoot") : undefined,
    limitMs,
    signal,
  });
}

/** What fails on our side, as an event that is no JSON, leaves a hook without an answer, and not a call without a hook. */
function notStarted(error: unknown): HookRun {
  const nothing = { bytes: new Uint8Array(), isCut: false };
  const detail = error instanceof Error ? error.message : String(error);
  return { end: { kind: "not-started", detail }, stdout: nothing, stderr: nothing, tookMs: 0 };
}
