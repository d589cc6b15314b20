/** A program under strace, judged: did it only read files of the system and print? */

/** Folders of the sandbox in which a program may look at nothing: they stand for a workspace and a home. */
export const WORK = "/srv/top/work";
export const HOME = "/home/user";

/** System calls that strace shows; `%file` has those that name a file. */
export const CALLS = [
  "%file",
  "%network",
  ...[
    "kill",
    "reboot",
    "sethostname",
    "setdomainname",
    "settimeofday",
    "clock_settime",
    "adjtimex",
  ],
  ...["init_module", "finit_module", "delete_module", "ptrace", "fchmod", "fchown", "ftruncate"],
  ...["setpriority", "syslog", "bpf", "perf_event_open", "keyctl", "add_key", "shmget", "msgget"],
];

const CHANGES =
  /^(?:creat|unlink|rename|mkdir|rmdir|link|symlink|mknod|chmod|chown|lchown|fchmod|fchown|truncate|ftruncate|utime|setxattr|lsetxattr|removexattr|mount|umount|swapon|swapoff|acct|chroot|pivot_root|quotactl|fanotify_mark|inotify_add_watch)/;
const SOCKETS = /^(?:socket|connect|bind|listen|accept|sendto|sendmsg|sendmmsg)$/;
const NAMES_NOTHING =
  /^(?:getcwd|socketpair|getsockname|getsockopt|setsockopt|getpeername|shutdown|recvfrom|recvmsg|fstatfs)$/;
const LOOKS = /^(?:l?stat|newfstatat|statx|access|faccessat2?|readlink|readlinkat|statfs|chdir)$/;

/** Folders of packages that an interpreter looks for in the home folder, whatever it runs. */
const OF_INTERPRETERS =
  /^\/home\/user\/\.(?:local\/lib\/python3|local\/share\/gem|local\/share\/ruby|gem)(?:\/|[\d.]*\/|$)/;
const DEVICES = /^\/dev\/(?:null|zero|full|tty|u?random|stdin|stdout|stderr|fd|pts|shm$|$)/;
const PROCESSES =
  /^\/proc(?:$|\/(?:self|thread-self|sys|filesystems|cpuinfo|meminfo|mounts|stat|version|uptime|loadavg|cmdline)(?:\/|$))/;
const MACHINE =
  /^\/sys(?:$|\/(?:devices\/system\/(?:cpu|node)|fs\/(?:cgroup|selinux)|kernel\/mm)(?:\/|$))/;
const SECRETS = /^\/(?:root|etc\/(?:g?shadow|sudoers|ssl\/private|ssh\/ssh_host))/;
const NAME_SERVICE = /^\/(?:var\/)?run\/nscd\/socket$/;

/** The reason why a trace shows more than reading the system; undefined if it does not. */
export function whyMore(trace: string, isScriptOfEnv: boolean): string | undefined {
  let starts = 0;
  for (const line of trace.split("\n")) {
    if (/^\d+\s+\+\+\+ killed by/.test(line)) return "a signal ends it";
    const call = /^\d+\s+(\w+)\((.*)$/.exec(line);
    if (call === null) continue;
    const [, name = "", rest = ""] = call;
    if (NAMES_NOTHING.test(name)) continue;
    if (name.startsWith("execve")) {
      if (!/= 0$|<unfinished \.\.\.>$/.test(rest)) continue;
      if (++starts > (isScriptOfEnv ? 2 : 1)) return `starts ${textsOf(rest)[0] ?? ""}`;
      continue;
    }
    const why = whyCall(name, rest);
    if (why !== undefined) return why;
  }
  return starts === 0 ? "does not start" : undefined;
}

function whyCall(name: string, rest: string): string | undefined {
  if (SOCKETS.test(name)) {
    const isLocal = /AF_UNIX|UNIX-STREAM/.test(rest);
    if (name === "socket" && isLocal) return undefined;
    const [path = ""] = textsOf(rest);
    return name === "connect" && isLocal && NAME_SERVICE.test(path) ? undefined : `${name} ${rest}`;
  }
  const all = pathsOf(rest);
  // The second text of readlink is what the link holds.
  const paths = name.startsWith("readlink") ? all.slice(0, 1) : all;
  if (CHANGES.test(name)) {
    return paths.some((path) => !isBytecode(path)) || paths.length === 0
      ? `${name} ${rest}`
      : undefined;
  }
  const opens = /^open(?:at2?)?$/.test(name);
  if (!opens && !LOOKS.test(name)) {
    return /^(?:getxattr|lgetxattr|listxattr|inotify_init1?|name_to_handle_at)$/.test(name)
      ? paths.map(whyPath).find(Boolean)
      : `${name} ${rest}`;
  }
  if (opens && /O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)/.test(rest)) {
    return paths.every((path) => DEVICES.test(path) || isBytecode(path))
      ? undefined
      : `writes ${paths.join(" ")}`;
  }
  if (!opens && paths.every((path) => isAbove(path))) return undefined;
  return paths.map(whyPath).find(Boolean);
}

/** True for a folder on the way to the work or home folder, and for those themselves. */
function isAbove(path: string): boolean {
  return `${WORK}/`.startsWith(`${path}/`) || `${HOME}/`.startsWith(`${path}/`);
}

/** True for the bytecode of an installed module, which Python keeps beside it. */
function isBytecode(path: string): boolean {
  return /^\/usr\/.*\/__pycache__(?:\/|$)/.test(path);
}

function whyPath(path: string): string | undefined {
  if (OF_INTERPRETERS.test(path)) return undefined;
  if (/^\/(?:srv|home|tmp|var\/tmp|out|run|var\/run)(?:\/|$)/.test(path)) {
    return NAME_SERVICE.test(path) ? undefined : `looks for ${path}`;
  }
  const isFree = path.startsWith("/dev")
    ? DEVICES.test(path)
    : path.startsWith("/proc")
    ? PROCESSES.test(path)
    : path.startsWith("/sys")
    ? MACHINE.test(path)
    : !SECRETS.test(path);
  return isFree ? undefined : `looks at ${path}`;
}

/** The texts among the arguments of a call. */
function textsOf(rest: string): readonly string[] {
  return [...rest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text);
}

/** The paths among the arguments of a call, absolute. */
function pathsOf(rest: string): readonly string[] {
  const found: string[] = [];
  const argument = /(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g;
  for (const [, folder, text = ""] of rest.matchAll(argument)) {
    if (text === "") continue;
    found.push(normal(text.startsWith("/") ? text : `${folder ?? WORK}/${text}`));
  }
  return found;
}

function normal(path: string): string {
  return new URL(`file://${path.replaceAll("%", "%25").replaceAll(/[?#\\]/g, "_")}`).pathname
    .replace(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "");
}
