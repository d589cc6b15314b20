/** What a hook wrote on one of its streams. */
export interface HookOutput {
  /** The bytes, from the first. */
  readonly bytes: Uint8Array;
  /** Whether there was more, or was still to come when nobody waited any longer. */
  readonly isCut: boolean;
}

/** How the run of a hook ended. */
export type HookEnd =
  /** By itself, with that exit status. */
  | { readonly kind: "exited"; readonly status: number }
  /** By a signal, as `SIGKILL`. */
  | { readonly kind: "killed"; readonly signal: string }
  /** It took longer than it may; it was killed with all that it had started. */
  | { readonly kind: "timed-out"; readonly limitMs: number }
  /** Nobody wanted to know any more; it was killed likewise. */
  | { readonly kind: "cancelled" }
  /** It did not start, and why, without a final full stop. */
  | { readonly kind: "not-started"; readonly detail: string };

/** One run of a hook, before anyone says what it means. */
export interface HookRun {
  /** How it ended. */
  readonly end: HookEnd;
  /** Its standard output. */
  readonly stdout: HookOutput;
  /** Its standard error. */
  readonly stderr: HookOutput;
  /** How long it took, in ms. */
  readonly tookMs: number;
}

/** What the operating systems' shells answer when it was not the hook that ended: statuses are read by it. */
export type HookPlatform = "linux" | "darwin" | "windows";

/**
 * Why a run is no answer of the hook: it did not start or did not come to its own end, the shell's word for it included;
 * undefined for an exit status of its own.
 */
export function failureOf(end: HookEnd, platform: HookPlatform): string | undefined {
  switch (end.kind) {
    case "exited":
      return platform === "windows" ? windowsFailure(end.status) : posixFailure(end.status);
    case "killed":
      return `it was killed by ${end.signal}`;
    case "timed-out":
      return `it took longer than ${end.limitMs / 1000} s and was killed`;
    case "cancelled":
      return "it was cancelled";
    case "not-started":
      return `it could not be started: ${end.detail}`;
  }
}

/** POSIX.1-2024, XCU 2.8.2: 126 and 127 are commands that could not be run, above 128 stands the signal that killed one. */
function posixFailure(status: number): string | undefined {
  if (status === 126) return "it could not be started: the shell may not run it (status 126)";
  if (status === 127) {
    return "it could not be started: the shell finds no such command (status 127)";
  }
  const signal = status - 128;
  return signal >= 1 && signal <= 64 ? `it was killed by signal ${signal}` : undefined;
}

/** From here on a status is an NTSTATUS of severity error: the process was ended, not by itself. */
const NTSTATUS_ERROR = 0xc0000000;

/** cmd.exe answers 1, in batch files 9009, for a program that is not there; a hook's own 1 cannot be told from it. */
function windowsFailure(status: number): string | undefined {
  if (status === 1 || status === 9009) {
    return `it failed or could not be started (status ${status})`;
  }
  const code = status >>> 0;
  return code >= NTSTATUS_ERROR ? `it was killed (status 0x${code.toString(16)})` : undefined;
}
