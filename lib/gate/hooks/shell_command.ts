import type { HookPlatform } from "./hook_run.ts";

/** A program and what it is given. */
export interface ProgramCall {
  /** The program's absolute path: Windows would look for a bare name in the current folder first. */
  readonly program: string;
  /** Its arguments. */
  readonly args: readonly string[];
}

/** What starts and ends a hook. */
export interface ShellCommand extends ProgramCall {
  /** Whether the arguments are one text already, with quotes as the program wants them (Windows). */
  readonly isVerbatim: boolean;
  /** What kills a process with all below it; absent where a signal reaches the whole process group. */
  readonly killer?: (pid: number) => ProgramCall;
}

/** The shell that runs a hook's command line; `systemRoot` is Windows' own folder. */
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
