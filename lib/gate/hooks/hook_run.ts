/** The output of a hook on one of its streams. */
export interface HookOutput {
  /** The bytes, from the first. */
  readonly bytes: Uint8Array;
  /** True if there was more, or the stream was still open when the wait ended. */
  readonly isCut: boolean;
}

/** The end of a hook's run. */
export type HookEnd =
  /** It exited. */
  | { readonly kind: "exited"; readonly status: number }
  /** A signal killed it: `SIGKILL`. */
  | { readonly kind: "killed"; readonly signal: string }
  /** It reached the time limit; it was killed with all its children. */
  | { readonly kind: "timed-out"; readonly limitMs: number }
  /** The caller cancelled it; it was killed likewise. */
  | { readonly kind: "cancelled" }
  /** It did not start; the reason is without a final full stop. */
  | { readonly kind: "not-started"; readonly detail: string };

/** One run of a hook, not yet interpreted. */
export interface HookRun {
  /** Exit status, signal, time-out or failed start. */
  readonly end: HookEnd;
  /** Its standard output. */
  readonly stdout: HookOutput;
  /** Its standard error. */
  readonly stderr: HookOutput;
  /** Its duration, in ms. */
  readonly tookMs: number;
}

/** The platform, whose shell has its own exit statuses for a hook that did not run. */
export type HookPlatform = "linux" | "darwin" | "windows";

/**
 * The reason why a run is no answer of the hook: it did not start or did not exit by itself, as far as the shell's status
 * shows; undefined for a status of the hook's own.
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

/** POSIX.1-2024, XCU 2.8.2: 126 and 127 are commands that could not be run, above 128 is 128 plus the killing signal. */
function posixFailure(status: number): string | undefined {
  if (status === 126) return "it could not be started: the shell may not run it (status 126)";
  if (status === 127) {
    return "it could not be started: the shell finds no such command (status 127)";
  }
  const signal = status - 128;
  return signal >= 1 && signal <= 64 ? `it was killed by signal ${signal}` : undefined;
}

/** The first NTSTATUS of severity error: the process did not exit by itself. */
const NTSTATUS_ERROR = 0xc0000000;

/** cmd.exe exits with 1, in batch files 9009, for a missing program; a hook's own 1 looks the same. */
function windowsFailure(status: number): string | undefined {
  if (status === 1 || status === 9009) {
    return `it failed or could not be started (status ${status})`;
  }
  const code = status >>> 0;
  return code >= NTSTATUS_ERROR ? `it was killed (status 0x${code.toString(16)})` : undefined;
}

/** A program with its arguments. */
interface ProgramCall {
  /** The program's absolute path: Windows would look for a bare name in the current folder first. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

/** The program that runs a hook, and the one that ends it. */
export interface ShellCommand extends ProgramCall {
  /** True if the arguments are one text already, quoted for the program (Windows). */
  readonly isVerbatim: boolean;
  /** Kills a process with all its children; absent where a signal reaches the whole process group. */
  readonly killer?: (pid: number) => ProgramCall;
}

/** The shell call for a hook's command line; `systemRoot` is the folder of Windows. */
export function shellCommand(
  command: string,
  { platform, systemRoot }: {
    readonly platform: HookPlatform;
    readonly systemRoot?: string | undefined;
  },
): ShellCommand {
  if (platform !== "windows") {
    return { program: "/bin/sh", args: ["-c", command], isVerbatim: false };
  }
  const folder = `${systemRoot || "C:\\Windows"}\\System32`;
  return {
    program: `${folder}\\cmd.exe`,
    // With /s cmd.exe takes the outer quotes away and nothing else.
    args: ["/d", "/s", "/c", `"${command}"`],
    isVerbatim: true,
    killer: (pid) => ({ program: `${folder}\\taskkill.exe`, args: ["/t", "/f", "/pid", `${pid}`] }),
  };
}
