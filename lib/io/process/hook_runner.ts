import { type Hook, hooksFor } from "../../gate/hooks/hook.ts";
import { eventText, type HookEvent } from "../../gate/hooks/hook_event.ts";
import {
  foldResults,
  type HookOptions,
  type HookResult,
  type HookRunner,
} from "../../gate/hooks/hook_outcome.ts";
import {
  type HookEnd,
  type HookOutput,
  type HookPlatform,
  type HookRun,
  shellCommand,
} from "../../gate/hooks/hook_run.ts";
import { readRun } from "../../gate/hooks/read_run.ts";
import type { Runtime } from "../runtime/runtime.ts";
import { type HookProcess, hookStarter, type StartHook } from "./hook_process.ts";

export interface HookRunnerOptions {
  /** The machine. */
  readonly runtime: Pick<Runtime, "name" | "platform" | "env">;
  /**
   * The folder they run in: the workspace. Never a call's own folder, or a call could choose where a hook's relative path
   * is looked up.
   */
  readonly folder: string;
  /** The time limit of each, in ms; 10 s by default. */
  readonly limitMs?: number;
  /** Starts processes; by default as the runtime does. */
  readonly start?: StartHook;
}

/** Runs the given hooks. Their folder is in `CALIBAN_PROJECT_DIR` too. */
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

/** The run of a hook that failed on our side, as for an event that is not JSON: a hook without an answer. */
function notStarted(error: unknown): HookRun {
  const nothing = { bytes: new Uint8Array(), isCut: false };
  const detail = error instanceof Error ? error.message : String(error);
  return { end: { kind: "not-started", detail }, stdout: nothing, stderr: nothing, tookMs: 0 };
}

/** The time limit of a hook, in ms. */
const HOOK_LIMIT_MS = 10_000;
/** The most bytes of each stream that are kept; the rest is read and dropped, so that no process blocks. */
export const HOOK_OUTPUT_LIMIT = 1_048_576;

/** One run of a hook. */
interface HookJob {
  /** The command line. */
  readonly command: string;
  /** The text of its standard input. */
  readonly input: string;
  /** The folder it runs in. */
  readonly cwd: string;
  /** Variables beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** The platform, which determines the shell. */
  readonly platform: HookPlatform;
  /** Windows' own folder. */
  readonly systemRoot?: string | undefined;
  /** The time limit, in ms. */
  readonly limitMs: number;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command line to its end or its time limit. Never rejects because of the hook. */
export async function runHook(start: StartHook, job: HookJob): Promise<HookRun> {
  const began = performance.now();
  const outputs = { stdout: new Kept(), stderr: new Kept() };
  const end = await followed(start, { job, outputs });
  return {
    end,
    stdout: outputs.stdout.output(),
    stderr: outputs.stderr.output(),
    tookMs: Math.round(performance.now() - began),
  };
}

interface Outputs {
  readonly stdout: Kept;
  readonly stderr: Kept;
}

async function followed(
  start: StartHook,
  { job, outputs }: { readonly job: HookJob; readonly outputs: Outputs },
): Promise<HookEnd> {
  if (job.signal?.aborted === true) return { kind: "cancelled" };
  const { command, cwd, env } = job;
  let process: HookProcess;
  try {
    process = start({ ...shellCommand(command, job), cwd, env }, {
      onOutput: (stream, bytes) => outputs[stream].add(bytes),
      onClosed: (stream, how) => outputs[stream].close(how),
    });
  } catch (error) {
    return { kind: "not-started", detail: error instanceof Error ? error.message : String(error) };
  }
  process.write(new TextEncoder().encode(job.input));
  const end = await endOf(process, job);
  if (end.kind === "exited" || end.kind === "killed") await settled(outputs);
  process.release();
  return end;
}

/** The process's own end, its time limit, or the abort of the signal. */
function endOf(process: HookProcess, { limitMs, signal }: HookJob): Promise<HookEnd> {
  return new Promise((resolve) => {
    const settle = (end: HookEnd) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      resolve(end);
    };
    let isOver = false;
    const stop = (end: HookEnd) => {
      if (!isOver) process.killAll();
      isOver = true;
      settle(end);
    };
    const cancel = () => stop({ kind: "cancelled" });
    const timer = setTimeout(() => stop({ kind: "timed-out", limitMs }), limitMs);
    signal?.addEventListener("abort", cancel, { once: true });
    void process.ended.then((end) => {
      isOver = true;
      settle(end);
    });
  });
}

/** The interval at which the output is checked, in ms. */
const TICK_MS = 50;
/** The ticks without new output after which all of the process's own output has arrived. */
const IDLE_TICKS = 5;
/** The most ticks, even if other processes go on writing. */
const MOST_TICKS = 20;

/**
 * Waits until all output that the process wrote before it ended is read. Usually its pipes close with it. If a child keeps
 * them open, the output is already in the pipes, and every tick reads from them, however busy this process is.
 */
async function settled({ stdout, stderr }: Outputs): Promise<void> {
  const closed = Promise.all([stdout.closed, stderr.closed]).then(() => "closed" as const);
  let idle = 0;
  for (let tick = 0; tick < MOST_TICKS; tick++) {
    const before = stdout.size + stderr.size;
    if (await Promise.race([closed, pause()]) === "closed") return;
    idle = stdout.size + stderr.size === before ? idle + 1 : 0;
    if (idle === IDLE_TICKS) return;
  }
  for (const output of [stdout, stderr]) output.cut();
}

function pause(): Promise<"tick"> {
  return new Promise((resolve) => setTimeout(() => resolve("tick"), TICK_MS));
}

/** The output of a stream, up to the limit. */
class Kept {
  /** Resolves when nothing more comes. */
  readonly closed: Promise<void>;
  /** The number of bytes that arrived. */
  size = 0;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #isCut = false;
  #isClosed = false;
  #resolve: () => void = () => {};

  constructor() {
    this.closed = new Promise((resolve) => this.#resolve = resolve);
  }

  /** Adds what came. */
  add(bytes: Uint8Array): void {
    this.size += bytes.length;
    const part = bytes.subarray(0, HOOK_OUTPUT_LIMIT - this.#kept);
    if (part.length < bytes.length) this.#isCut = true;
    if (part.length === 0) return;
    this.#chunks.push(part.slice());
    this.#kept += part.length;
  }

  /** Ends the stream. */
  close(how: "end" | "broken"): void {
    if (how === "broken") this.#isCut = true;
    this.#isClosed = true;
    this.#resolve();
  }

  /** Stops waiting for the rest. */
  cut(): void {
    if (!this.#isClosed) this.#isCut = true;
  }

  /** All that is kept. */
  output(): HookOutput {
    const bytes = new Uint8Array(this.#kept);
    let at = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return { bytes, isCut: this.#isCut };
  }
}
