/** Runs command lines with real shells and says which programs they started. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import {
  notFound,
  type RealPrograms,
  writePrograms,
  writeScratch,
  zshStart,
} from "./shell_recorder_programs.ts";
import { said } from "./process.ts";
import { withTempDir } from "./temp_dir.ts";

/** The shells that lines are run with. */
export type RealShell = "bash" | "zsh" | "dash" | "busybox";

/** The programs that a shell started for a line. */
export interface Recorded {
  /** The line. */
  readonly line: string;
  /** The names under which programs were started or looked for, in that order, without folders. */
  readonly started: readonly string[];
  /** The programs that were started, each with its arguments, joined by single spaces. */
  readonly commands: readonly string[];
  /** `stopped` if anything that the line started had to be stopped. */
  readonly ended: "itself" | "stopped";
}

/** Runs lines. */
export interface ShellRecorder {
  /** Runs each line on its own, with an empty input, for two seconds at most; the answers are in the lines' order. */
  record(lines: readonly string[]): Promise<readonly Recorded[]>;
}

/** The number of lines that run at the same time. */
const WORKERS = 2;
/** Of a user that has nothing, for a test that root runs. */
const NOBODY = 65534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/**
 * Runs the NUL-terminated lines of its input. Everything a line starts holds the pipe open, so that its end is the end of
 * them all; each line is a process group of its own, because of which what is left of it can be stopped. Limits: seconds of
 * computing, 512-byte blocks of a file, and (unless processes of others would count) processes.
 */
const DRIVER = `set -m
log=$1 pipe=$2 processes=$3
shift 3
index=0
while IFS= read -r -d '' line; do
  printf '#%s\\0' "$index" >>"$log"
  index=$((index + 1))
  { ulimit -c 0 -f 4096 -t 2; [ -z "$processes" ] || ulimit -u "$processes"
    exec "$@" "$line" shell 250>"$pipe" >/dev/null 2>&1 </dev/null; } &
  group=$!
  IFS= read -r -d '' -t 2 _ <"$pipe"
  [ $? -gt 128 ] && printf '!\\0' >>"$log"
  kill -9 -- "-$group"
  wait "$group"
done
printf '.\\0' >>"$log"
`;

let found: RealPrograms | string | undefined;
const shells = new Map<RealShell, string | undefined>();

/** The programs that are needed, or why there is no test without them. */
function realPrograms(): RealPrograms | string {
  const script = 'echo "$BASH"; echo "${BASH_VERSINFO[0]}"; type -P sh xargs find mkfifo';
  const { stdout, status } = spawnSync("bash", ["-c", script], { encoding: "utf8", ...identity });
  const [bash = "", version = "", sh = "", xargs = "", find = ""] = (stdout ?? "").split("\n");
  if (status === null) return "needs bash on the PATH";
  if (status !== 0) return "needs sh, xargs, find and mkfifo on the PATH";
  return Number(version) >= 5 ? { bash, sh, xargs, find } : `needs bash 5, not ${version}`;
}

/** Why lines cannot be run here with a shell; false when they can. */
export function withoutShell(shell: RealShell): string | false {
  found ??= realPrograms();
  if (typeof found === "string") return said(found);
  return said(shellPath(shell, found) === undefined ? `needs ${shell} on the PATH` : false);
}

function shellPath(shell: RealShell, { bash }: RealPrograms): string | undefined {
  if (shell === "bash") return bash;
  if (!shells.has(shell)) {
    const { stdout } = spawnSync(bash, ["-c", `type -P ${shell}`], { encoding: "utf8" });
    shells.set(shell, stdout?.trim() || undefined);
  }
  return shells.get(shell);
}

/** The words before a line that a shell runs. */
function commandOf(shell: RealShell, path: string): readonly string[] {
  if (shell === "busybox") return [path, "sh", "-c"];
  return shell === "dash" ? [path, "-c"] : [path, "-c", "--"];
}

/** Runs `use` with a recorder of a shell; its folder is removed afterwards. */
export function withShellRecorder<T>(
  shell: RealShell,
  use: (recorder: ShellRecorder) => Promise<T>,
): Promise<T> {
  return withTempDir((top) => {
    const real = found ??= realPrograms();
    if (typeof real === "string") throw new Error(`Cannot run ${shell}: ${real}`);
    const path = shellPath(shell, real);
    if (path === undefined) throw new Error(`Cannot run ${shell}: it is not on the PATH`);
    chmodSync(top, 0o755);
    const command = commandOf(shell, path);
    const workers = Array.from(
      { length: WORKERS },
      (_, index) => worker(join(top, `${index}`), { real, command }),
    );
    return use({
      async record(lines) {
        const size = Math.max(1, Math.ceil(lines.length / WORKERS));
        const parts = workers.map((each, index) =>
          each(lines.slice(index * size, (index + 1) * size))
        );
        return (await Promise.all(parts)).flat();
      },
    });
  });
}

type Worker = (lines: readonly string[]) => Promise<readonly Recorded[]>;

function worker(
  folder: string,
  { real, command }: { real: RealPrograms; command: readonly string[] },
): Worker {
  const [programs, log, pipe] = [join(folder, "bin"), join(folder, "log"), join(folder, "pipe")];
  const scratch = join(folder, "work");
  mkdirSync(folder);
  writePrograms(programs, log, real);
  writeFileSync(join(folder, ".zshenv"), zshStart(log));
  const { status } = spawnSync("mkfifo", ["-m", "666", pipe]);
  if (status !== 0) throw new Error(`Cannot make the pipe "${pipe}": mkfifo ended with ${status}`);
  return async (lines) => {
    if (lines.length === 0) return [];
    writeScratch(scratch, programs);
    writeFileSync(log, "");
    chmodSync(log, 0o666);
    const env = {
      PATH: programs,
      HOME: scratch,
      ZDOTDIR: folder,
      LC_ALL: "C.UTF-8",
      // No function calls itself often enough to fill the machine.
      FUNCNEST: "6",
      "BASH_FUNC_command_not_found_handle%%": notFound(log),
    };
    const limit = "uid" in identity ? "200" : "";
    const args = ["-c", DRIVER, "driver", log, pipe, limit, ...command];
    const input = lines.map((line) => `${line}\0`).join("");
    await ended(
      spawn(real.bash, args, {
        cwd: scratch,
        env,
        stdio: ["pipe", "ignore", "ignore"],
        ...identity,
      }),
      input,
    );
    return readLog(readFileSync(log, "utf8"), lines);
  };
}

function ended(child: ReturnType<typeof spawn>, input: string): Promise<void> {
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}

function readLog(text: string, lines: readonly string[]): readonly Recorded[] {
  const entries = text.split("\0");
  if (entries.at(-2) !== ".") {
    throw new Error(`Cannot run ${lines.length} lines: the driver ended early`);
  }
  const recorded = lines.map((line) => ({
    line,
    started: [] as string[],
    commands: [] as string[],
    ended: "itself" as Recorded["ended"],
  }));
  let current = -1;
  for (const entry of entries) {
    if (entry.startsWith("#")) current = Number(entry.slice(1));
    const one = recorded[current];
    if (entry === "!" && one) one.ended = "stopped";
    if (!entry.startsWith("n")) continue;
    const [name = "", command = ""] = entry.slice(1).split("\x1f");
    one?.started.push(name.slice(name.lastIndexOf("/") + 1));
    one?.commands.push(command);
  }
  return recorded;
}
