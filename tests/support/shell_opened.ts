/** Runs command lines with real shells under strace, and says which files of their folder they opened. */
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { said } from "./process.ts";
import { policyOf, type TestRule } from "./policy.ts";
import { needsSh } from "./shell_differential.ts";
import { FILE_PROGRAMS, FILES } from "./shell_files.ts";
import type { RealShell } from "./shell_recorder.ts";
import { withTempDir } from "./temp_dir.ts";

/** A file that a line opened. */
export interface Opened {
  /** Its path. */
  readonly path: string;
  /** The way that it was opened. */
  readonly access: "read" | "write";
}

/** The files that a line opened in its folder. */
export interface OpenedBy {
  readonly line: string;
  /** The folder that it ran in. */
  readonly folder: string;
  readonly opened: readonly Opened[];
}

/** A line that opens a file and is allowed, although a rule denies just this file. */
export interface Opening {
  readonly line: string;
  readonly file: string;
  readonly access: Opened["access"];
}

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const TRACED = "trace=open,openat,openat2,creat,truncate,rename,renameat,renameat2,unlink,unlinkat";

/** Runs each line that stands in its folder's file `line`; its log stands beside the folder. */
const DRIVER = `shell=$1; shift
for index; do
  cd "$index/work" || exit
  IFS= read -r -d '' line < ../line
  HOME=$PWD timeout -s KILL 5 strace -f -qq -y -s 4096 -e ${TRACED} -o ../log $shell "$line" </dev/null >/dev/null 2>&1
  cd ../..
done
`;

let missing: string | false | undefined;

/** Why no line can be watched here; false when they can. */
export function withoutWatch(shell: RealShell): string | false {
  missing ??= withoutStrace();
  if (missing !== false) return said(missing);
  const { status } = spawnSync("sh", ["-c", `command -v ${shell}`]);
  return said(status === 0 ? false : `needs ${shell} on the PATH`);
}

function withoutStrace(): string | false {
  const { status } = spawnSync("strace", ["-o", "/dev/null", "true"], identity);
  return status === 0 ? false : "needs strace on the PATH, and a machine that lets it trace";
}

/** Runs lines, each in a folder of its own, for five seconds at most, and says what each opened. */
export function filesOpened(
  shell: RealShell,
  lines: readonly string[],
): Promise<readonly OpenedBy[]> {
  return withTempDir(async (top) => {
    chmodSync(top, 0o755);
    const programs = join(top, "bin");
    mkdirSync(programs);
    for (const name of [...FILE_PROGRAMS, "bash", "sh", "ls", "printf", "diff", "strace"]) {
      const path = onPath(name);
      if (path !== undefined) symlinkSync(path, join(programs, name));
    }
    const folders = lines.map((line, index) => sceneOf(join(top, `${index}`), line));
    const command = {
      bash: "bash --norc --noprofile -c",
      zsh: "zsh -f -c",
      dash: "dash -c",
      busybox: "busybox sh -c",
    }[shell];
    const [name = "", ...rest] = command.split(" ");
    const half = Math.ceil(folders.length / 2);
    const run = (part: readonly string[]) =>
      new Promise<void>((resolve, reject) => {
        const child = spawn("/bin/bash", [
          "-c",
          DRIVER,
          "driver",
          [onPath(name), ...rest].join(" "),
          ...part,
        ], {
          cwd: top,
          env: { PATH: programs, LC_ALL: "C" },
          stdio: "ignore",
          ...identity,
        });
        child.on("error", reject);
        child.on("close", () => resolve());
      });
    await Promise.all([run(folders.slice(0, half)), run(folders.slice(half))]);
    return folders.map((folder, index) => ({
      line: lines[index]!,
      folder: join(folder, "work"),
      opened: openedIn(folder),
    }));
  });
}

const paths = new Map<string, string | undefined>();

function onPath(name: string): string | undefined {
  if (!paths.has(name)) {
    const { stdout } = spawnSync("bash", ["-c", `type -P ${name}`], { encoding: "utf8" });
    paths.set(name, stdout.trim() || undefined);
  }
  return paths.get(name);
}

/** The folder of a line, with its files. */
function sceneOf(folder: string, line: string): string {
  const work = join(folder, "work");
  const made = [folder, work, ...new Set(FILES.map((file) => dirname(join(work, file))))];
  for (const each of made) if (!existsSync(each)) mkdirSync(each, { recursive: true });
  writeFileSync(join(folder, "line"), `${line}\0`);
  for (const file of FILES) writeFileSync(join(work, file), "f1\nx\n");
  if (isRoot) {
    for (const path of [...made, ...FILES.map((file) => join(work, file))]) {
      chownSync(path, NOBODY, NOBODY);
    }
  }
  return folder;
}

const OPEN =
  /^\d+ +open(?:at2?)?\((?:AT_FDCWD<[^>]*>, |\d+<[^>]*>, )?"(?:[^"\\]|\\.)*", (?:\{flags=)?([A-Z_|0-9]+)[^=]*= \d+<([^>]*)>/;

/** The files of the folder in its log, each once; folders that are listed do not count. */
function openedIn(folder: string): readonly Opened[] {
  const log = existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8") : "";
  const found = new Map<string, Opened>();
  for (const entry of joined(log)) {
    const [, flags = "", path = ""] = OPEN.exec(entry) ?? [];
    if (!path.startsWith(join(folder, "work/")) || flags.includes("O_DIRECTORY")) continue;
    // The program makes the file it puts in the place of another.
    if (/\/(?:sed|sort|sh-thd)[\w.]*$|\(deleted\)$/.test(path)) continue;
    const kinds: readonly Opened["access"][] = flags.includes("O_WRONLY")
      ? ["write"]
      : flags.includes("O_RDWR")
      ? ["read", "write"]
      : ["read"];
    for (const access of kinds) found.set(`${access} ${path}`, { path, access });
  }
  return [...found.values()];
}

/** The entries of a log; a call that another process interrupted stands in two lines. */
function joined(log: string): readonly string[] {
  const begun = new Map<string, string>();
  return log.split("\n").flatMap((line) => {
    const pid = line.slice(0, line.indexOf(" "));
    if (line.endsWith("<unfinished ...>")) {
      begun.set(pid, line.slice(0, -"<unfinished ...>".length));
      return [];
    }
    const rest = /^\d+ +<\.\.\. \w+ resumed>(.*)$/.exec(line)?.[1];
    return [rest === undefined ? line : `${begun.get(pid) ?? pid}${rest}`];
  });
}

/** The files that a line opens and may open, where every command is allowed and just this file is denied. */
export function openings(shell: RealShell, all: readonly OpenedBy[]): readonly Opening[] {
  return all.flatMap(({ line, folder, opened }) => {
    const isSh = (shell === "dash" || shell === "busybox") && needsSh(line);
    const options = {
      context: { workspace: [folder], home: [folder] },
      cwd: folder,
      tools: isSh ? { Bash: { shell: "sh" } } as const : {},
    };
    const call = { tool: "Bash", input: { command: line }, cwd: folder };
    return opened.flatMap(({ path, access }) => {
      const file = path.replaceAll(/[\\*?[\]{}]/g, "\\$&");
      const rules: readonly TestRule[] = [
        { pattern: `${access === "read" ? "Read" : "Write"}:${file}`, action: "deny" },
        { pattern: "Bash", action: "allow" },
      ];
      const { action } = evaluate(policyOf(rules, options), call);
      return action === "allow" ? [{ line, file: path.slice(folder.length + 1), access }] : [];
    });
  });
}
