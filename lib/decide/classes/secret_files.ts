import type { Request } from "../../policy/compile/request.ts";
import type { CommandTraits } from "../../shell/effect.ts";
import { foldersNow } from "./searched_folders.ts";

/** Streams of the reader itself, which lead to no file of that name. */
const STREAM =
  /^\/(?:dev\/(?:null|zero|full|u?random|stdin|stdout|stderr|tty|fd\/\d+)|proc\/self\/fd\/\d+)$/;

/** A folder of a process, with the rest of the path; the others in /proc tell about the machine. */
const OF_PROCESS =
  /^\/proc\/(?!(?:sys|net|fs|irq|bus|driver|tty|acpi|scsi|asound|sysvipc|pressure|dynamic_debug)(?:\/|$))[^/]+(?:\/task\/[^/]+)?\/(.+)$/s;

/** Files about a process that hold nothing of its environment and memory, and lead to no file that it has. */
const ABOUT_PROCESS =
  /^(?:autogroup|cgroup|cmdline|comm|coredump_filter|cpuset|[gu]id_map|projid_map|io|limits|loginuid|mountinfo|mounts|mountstats|oom_adj|oom_score|oom_score_adj|personality|sched|schedstat|sessionid|setgroups|statm?|status|timers|timerslack_ns|wchan|(?:attr|net|ns)\/[\w/-]+)$/;

/** The environment or memory of a process of a machine whose /proc is mounted elsewhere, as in a container. */
const OF_HOST_PROCESS =
  /\/proc\/(?:\d+|self|thread-self)\/(?:task\/\d+\/)?(?:environ|mem|auxv|s?maps|smaps_rollup)$/;

/** Memory of the kernel, of programs that ended, and of a machine that sleeps. */
const MEMORY =
  /^\/(?:proc\/(?:kcore|kmem|kmsg|vmcore|kpage\w+)$|swapfile$|swap\.img$|cores\/|var\/crash\/|var\/lib\/systemd\/coredump\/|(?:private\/)?var\/vm\/)/;

/** Devices other than those of streams and of memory that is shared as files. */
const DEVICE =
  /^\/dev\/(?!(?:null|zero|full|u?random|stdin|stdout|stderr|tty)$|(?:fd|shm|mqueue)(?:\/|$))./s;

/** Names of files that hold what a person typed into a shell, a database client or an editor. */
const HISTORY =
  /^(?:\..*(?:history|histfile|_hist|hst)[\w.~-]*|\.viminfo|\.dbshell|fish_history|ConsoleHost_history\.txt)$/i;

/** Names of such files in a folder of settings and data. */
const HISTORY_OF_PROGRAM = /^[\w.-]*history(?:new|\.(?:txt|db|sqlite3?|jl|jsonl?|log)(?:-\w+)?)?$/i;

/** A folder of settings and data of programs. */
const PROGRAM_DATA =
  /(?:^|\/)\.(?:local|config|cache|julia|ipython|bash_sessions|zsh_sessions|claude|codex|gemini)(?:\/|$)/;

/** A text that each such path has. */
const MAY_BE_SECRET = /hist|hst|\/(?:proc|dev|cores|var|private)\/|^\/swap|\.viminfo|\.dbshell/i;

/** True for a path, absolute or below the home folder, of an environment, memory, a raw device or a history. */
export function isSecretPath(path: string): boolean {
  if (!MAY_BE_SECRET.test(path)) return false;
  if (STREAM.test(path)) return false;
  const rest = OF_PROCESS.exec(path)?.[1];
  if (rest !== undefined) return !ABOUT_PROCESS.test(rest);
  if (OF_HOST_PROCESS.test(path) || MEMORY.test(path) || DEVICE.test(path)) return true;
  const at = path.lastIndexOf("/");
  const name = path.slice(at + 1);
  return HISTORY.test(name) ||
    HISTORY_OF_PROGRAM.test(name) && PROGRAM_DATA.test(path.slice(0, Math.max(at, 0)));
}

/** True for a file that holds an environment, memory, a raw device or a history, links followed. */
export function isSecretFile(text: string, request: Request): boolean {
  if (STREAM.test(text)) return false;
  return isSecretPath(text) ||
    request.path(text).forms.some(({ root }) => isSecretPath(`/${root}`));
}

/** A folder that holds memory, environments and devices. */
const MACHINE =
  /^(?:|dev|proc|proc\/(?!(?:sys|net|fs|irq|bus|driver|tty|acpi|scsi|asound|sysvipc|pressure)(?:\/|$)).*)$/s;

/** True if a command reads a file that holds an environment, memory, a raw device or a history. */
export function readsSecrets(traits: CommandTraits, request: Request): boolean {
  const { reads } = traits;
  const isRead = reads.some(({ text, isGlob }) =>
    isGlob
      ? isSecretPath(text) || request.expand(text)?.some((name) => isSecretFile(name, request))
      : isSecretFile(text, request)
  );
  return isRead || traits.searches !== undefined && traits.searches.length > 0 &&
      foldersNow(traits, request)?.some(({ path, inRepository }) =>
          inRepository === undefined && (isSecretFile(path, request) ||
            request.path(path === "" ? "." : path).forms.some(({ root }) => MACHINE.test(root)))
        ) === true;
}

/** A folder of the home folders of a machine, or below it. */
const HOMES = /^(?:root|home|Users)(?:\/|$)/;

/** True for a folder below which histories may lie: a home folder, one above it, or one in it outside of the workspace. */
export function mayHoldHistories(folder: string, request: Request): boolean {
  const homes = request.path("~").forms.filter(({ home }) => home === "").map(({ root }) => root);
  return request.path(folder).forms.some(({ root, home, workspace }) =>
    root === "" || homes.some((each) => each === root || each.startsWith(`${root}/`)) ||
    workspace === undefined && (home !== undefined || HOMES.test(root))
  );
}
