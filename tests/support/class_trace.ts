/** The system calls of a program, as strace tells them: the files that it opens, the programs that it starts, its connections. */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The file system calls that change something, and those that start or reach something. */
const CALLS = [
  ...[
    "open",
    "openat",
    "openat2",
    "creat",
    "unlink",
    "unlinkat",
    "rename",
    "renameat",
    "renameat2",
  ],
  ...["mkdir", "mkdirat", "rmdir", "link", "linkat", "symlink", "symlinkat", "mknod", "mknodat"],
  ...["chmod", "fchmodat", "chown", "lchown", "fchownat", "truncate", "utimensat", "setxattr"],
  ...["connect", "execve"],
];

/** The effects of a command, as its system calls show them. Paths are absolute. */
export interface Trace {
  /** Files that it opened to write, made, changed, moved or removed, or tried to. */
  readonly writes: readonly string[];
  /** Programs that it started, itself left out. */
  readonly starts: readonly string[];
  /** Addresses that it connected to, those of the machine's own sockets left out. */
  readonly reaches: readonly string[];
  /** Files that it looked for and did not find. */
  readonly missing: readonly string[];
}

/** True if this machine lets strace follow a program. */
export const canTrace: boolean =
  spawnSync("strace", ["-o", "/dev/null", "true"], { stdio: "ignore" }).status === 0;

/** Runs a line in a folder with bash and tells what its programs did. A line that runs for ten seconds is ended. */
export function traceOf(
  line: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Trace {
  const output = join(env["TMPDIR"] ?? "/tmp", `trace-${crypto.randomUUID()}`);
  const calls = CALLS.map((name) => `?${name}`).join(",");
  const words = ["-f", "-qq", "-y", "-s", "4096", "-e", `trace=${calls}`, "-o", output];
  spawnSync("timeout", ["10", "strace", ...words, "bash", "-c", `exec ${line}`], {
    cwd,
    env,
    stdio: "ignore",
  });
  const text = readFileSync(output, "utf8");
  rmSync(output, { force: true });
  return traceIn(text, cwd);
}

function traceIn(text: string, cwd: string): Trace {
  const writes = new Set<string>();
  const starts: string[] = [];
  const reaches = new Set<string>();
  const missing = new Set<string>();
  const made = new Set<string>();
  const moved = new Set<string>();
  for (const line of text.split("\n")) {
    const call = /^\d+\s+(\w+)\((.*)$/s.exec(line);
    if (!call) continue;
    const [, name = "", rest = ""] = call;
    if (name === "execve") {
      if (/= 0$/.test(rest)) starts.push(/^"([^"]*)"/.exec(rest)?.[1] ?? "?");
      continue;
    }
    if (name === "connect") {
      if (!/sa_family=AF_(?:UNIX|UNSPEC|NETLINK)/.test(rest)) reaches.add(rest);
      continue;
    }
    const paths = pathsIn(rest, cwd);
    const opens = /^(?:open|openat|openat2)$/.test(name);
    if (opens && !/O_(?:WRONLY|RDWR|CREAT|TRUNC)/.test(rest)) {
      if (/ENOENT/.test(rest)) { for (const path of paths) missing.add(path); }
      continue;
    }
    if (/O_EXCL/.test(rest)) { for (const path of paths) made.add(path); }
    if (name.startsWith("rename") && paths.length === 2) moved.add(paths[0]!);
    for (const path of paths) if (!DEVICE.test(path)) writes.add(path);
  }
  // A file that it made anew and then gave another name is a temporary one: the other name is what it writes.
  for (const path of made) if (moved.has(path)) writes.delete(path);
  // The first is bash, the second the program itself.
  return {
    writes: [...writes],
    starts: starts.slice(2),
    reaches: [...reaches],
    missing: [...missing],
  };
}

const DEVICE = /^\/dev\/(?:null|tty|stdout|stderr|pts\/\d+|shm$)|^\/proc\/self\//;

/** The paths among the arguments of a call: a text is seen from the folder before it. */
function pathsIn(rest: string, cwd: string): readonly string[] {
  const found: string[] = [];
  for (
    const [, folder, text = ""] of rest.matchAll(
      /(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/g,
    )
  ) {
    found.push(text.startsWith("/") ? text : join(folder ?? cwd, text));
  }
  return found;
}
