import type { HookEnd, HookOutput, HookPlatform, HookRun } from "../../gate/hooks/hook_run.ts";
import { shellCommand } from "../../gate/hooks/shell_command.ts";
import type { HookProcess, StartHook } from "./hook_process.ts";

/** How long a hook may take, in ms. */
export const HOOK_LIMIT_MS = 10_000;
/** How much of each stream is kept, in bytes; the rest is read and dropped, so that nobody waits for us. */
export const HOOK_OUTPUT_LIMIT = 1_048_576;

/** One run of a hook. */
export interface HookJob {
  /** The command line. */
  readonly command: string;
  /** What stands on its standard input. */
  readonly input: string;
  /** The folder it runs in. */
  readonly cwd: string;
  /** Variables beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** The platform, which says what the shell is. */
  readonly platform: HookPlatform;
  /** Windows' own folder. */
  readonly systemRoot?: string | undefined;
  /** How long it may take, in ms. */
  readonly limitMs: number;
  /** Ends it. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs a command line to its end, or to the end of its time. Never rejects for what the hook does. */
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

/** The process's own end, that of its time, or that of our interest. */
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

/** How often it is asked whether more was written, in ms. */
const TICK_MS = 50;
/** So many ticks without anything new: what the process wrote is there, and others hold the pipe. */
const QUIET_TICKS = 5;
/** And no longer than that, whatever others write. */
const MOST_TICKS = 20;

/**
 * Waits until everything is read that the process wrote before it ended. Mostly its pipes close with it. Where something
 * that it left behind holds them, what was written stands in the pipe already, and every tick of the clock comes with a
 * look at the pipes, however busy we are.
 */
async function settled({ stdout, stderr }: Outputs): Promise<void> {
  const closed = Promise.all([stdout.closed, stderr.closed]).then(() => "closed" as const);
  let quiet = 0;
  for (let tick = 0; tick < MOST_TICKS; tick++) {
    const before = stdout.size + stderr.size;
    if (await Promise.race([closed, pause()]) === "closed") return;
    quiet = stdout.size + stderr.size === before ? quiet + 1 : 0;
    if (quiet === QUIET_TICKS) return;
  }
  for (const output of [stdout, stderr]) output.cut();
}

function pause(): Promise<"tick"> {
  return new Promise((resolve) => setTimeout(() => resolve("tick"), TICK_MS));
}

/** What came on a stream, as much of it as is kept. */
class Kept {
  /** Resolves when nothing more comes. */
  readonly closed: Promise<void>;
  /** How many bytes came. */
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

  /** Says that nothing more comes. */
  close(how: "end" | "broken"): void {
    if (how === "broken") this.#isCut = true;
    this.#isClosed = true;
    this.#resolve();
  }

  /** Says that nobody waits for the rest. */
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
