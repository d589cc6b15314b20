import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { watchedByAnswer, watchedByStatus } from "../../lib/agents/settings/watchdog.ts";
import { withTempDir } from "../support/temp_dir.ts";

const MESSAGE = "caliban gave no answer, so the call is stopped";
const DENIAL = '{"permissionDecision":"deny"}';
/** The time that an agent waits: the watchdog's is one second. */
const SHORT_MS = 1200;
/** The same, for a program that answers. */
const LONG_MS = 60_000;

/** POSIX shells that an agent may call by the name `sh`. */
const SHELLS = ["dash", "bash", "zsh", "busybox"].flatMap((name) => {
  const { stdout } = spawnSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" });
  return stdout.startsWith("/") ? [{ name, path: stdout.trim() }] : [];
});
const NEEDS = { skip: SHELLS.length === 0 ? "no shell is there" : false, timeout: 60_000 };

/** A program in place of caliban's, as a script for sh, and its answer if it gives one. */
interface Case {
  readonly name: string;
  readonly script: string;
  readonly answered?: { readonly status: 0 | 2; readonly stdout: string; readonly stderr: string };
}

const CASES: readonly Case[] = [
  {
    name: "an answer",
    script: "echo allowed; exit 42",
    answered: { status: 0, stdout: "allowed\n", stderr: "" },
  },
  {
    name: "an answer of several lines that looks like a format",
    script: String.raw`printf '%s\n\n' '%s \n' x; exit 42`,
    answered: { status: 0, stdout: "%s \\n\n\nx\n\n", stderr: "" },
  },
  { name: "no words", script: "exit 42", answered: { status: 0, stdout: "", stderr: "" } },
  {
    name: "a denial by status",
    script: "echo no >&2; exit 2",
    answered: { status: 2, stdout: "", stderr: "no\n" },
  },
  {
    name: "a program that reads its input",
    script: "wc -c | tr -d ' '; exit 42",
    answered: { status: 0, stdout: "300000\n", stderr: "" },
  },
  { name: "an empty file in place of the program", script: "" },
  { name: "another program, which ends well", script: "echo allowed; exit 0" },
  { name: "a status that is no answer", script: "echo allowed; exit 1" },
  { name: "a status for a bug", script: "echo allowed; exit 70" },
  { name: "a program that is killed", script: "echo allowed; kill -9 $$" },
  { name: "a program that is stopped", script: "kill -STOP $$; echo allowed" },
  { name: "a program that sleeps", script: "exec sleep 600" },
  {
    name: "a program that ignores signals and works on",
    script: "trap '' TERM HUP INT QUIT; while :; do :; done",
  },
  { name: "an answer, and then no end", script: "echo allowed; exec sleep 600" },
];

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

/** Runs a command line as an agent does: with an event on standard input, until all its output is closed. */
function run(
  shell: string,
  line: string,
  { kill }: { readonly kill?: { readonly signal: NodeJS.Signals; readonly word: string } } = {},
): Promise<Outcome> {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(shell, ["-c", line], { stdio: "pipe", cwd: dirname(shell) });
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => printed[name] += text);
    }
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, ...printed, ms: performance.now() - from }));
    child.stdin.on("error", () => {});
    child.stdin.end("x".repeat(300_000));
    if (kill !== undefined) {
      const timer = setInterval(() => {
        if (processesWith(kill.word).length === 0) return;
        clearInterval(timer);
        process.kill(child.pid!, kill.signal);
      }, 100);
    }
  });
}

/** The processes whose command line has a word; ` sleep` is one that begins with it. */
function processesWith(word: string): readonly string[] {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" });
  const isMeant = (line: string) =>
    word.startsWith(" ") ? /^ *\d+( .*)/.exec(line)?.[1]?.startsWith(word) : line.includes(word);
  return stdout.split("\n").filter((line) => isMeant(line) && !/\bps -A\b/.test(line));
}

/** Waits until no process has a word in its command line: one that has its signal may need a moment to end. */
async function noneWith(word: string): Promise<void> {
  const last = performance.now() + 10_000;
  while (processesWith(word).length > 0 && performance.now() < last) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.deepEqual(processesWith(word), [], "no process is left behind");
}

for (const { name, path } of SHELLS) {
  /** Runs `use` with the shell as `sh`, and a file that is there. */
  const inShell = (use: (shell: string, file: string) => Promise<void>) =>
    withTempDir(async (folder) => {
      const shell = join(folder, "sh");
      symlinkSync(path, shell);
      // Names that a shell or an agent could replace, and files whose names look like words of the script.
      const file = join(folder, "a $HOME `x` 'y' \"z\" \\ % é \u202e ");
      for (const path of [file, join(folder, "r=$x;"), join(folder, "[")]) writeFileSync(path, "");
      await use(shell, file);
      await noneWith(folder);
    });

  test(
    `under ${name}, only an answer in time is an answer`,
    NEEDS,
    () =>
      inShell(async (shell, file) => {
        await Promise.all(CASES.map(async ({ name, script, answered }) => {
          const waitMs = answered ? LONG_MS : SHORT_MS;
          const program = { words: ["/bin/sh", "-c", script, file], file, waitMs };
          const byStatus = watchedByStatus(program, MESSAGE).replaceAll("/bin/sh", shell);
          const outcome = await run(shell, byStatus);
          assert.equal(outcome.status, answered?.status ?? 2, name);
          assert.equal(outcome.stderr, answered?.stderr ?? `${MESSAGE}\n`, name);
          if (answered) assert.equal(outcome.stdout, answered.stdout, name);

          const byAnswer = watchedByAnswer(program, DENIAL).replaceAll("/bin/sh", shell);
          const printed = await run(shell, byAnswer);
          assert.equal(printed.status, 0, name);
          const answer = answered?.status === 0 ? answered.stdout.trimEnd() : DENIAL;
          assert.equal(printed.stdout.trimEnd(), answer, name);
        }));
      }),
  );

  test(
    `under ${name}, a file or a program that is gone stops the call at once`,
    NEEDS,
    () =>
      inShell(async (shell, file) => {
        const gone = `${file}.gone`;
        for (
          const program of [
            { words: ["/bin/sh", "-c", "echo allowed"], file: gone, waitMs: 30_000 },
            { words: [gone, "hook"], file, waitMs: 30_000 },
          ]
        ) {
          const { status, stdout, ms } = await run(shell, watchedByStatus(program, MESSAGE));
          assert.equal(status, 2);
          assert.equal(stdout, "");
          assert.ok(ms < 20_000, `${ms} ms`);
          const answer = await run(shell, watchedByAnswer(program, DENIAL));
          assert.equal(answer.stdout, `${DENIAL}\n`);
        }
      }),
  );

  test(
    `under ${name}, an agent that gives up leaves no process behind`,
    NEEDS,
    () =>
      inShell(async (shell, file) => {
        const program = {
          words: ["sleep", "601"],
          file,
          waitMs: 60_000,
        };
        for (const signal of ["SIGTERM", "SIGHUP"] as const) {
          const kill = { signal, word: " sleep 601" };
          const line = watchedByStatus(program, MESSAGE).replaceAll("/bin/sh", shell);
          const { status, ms } = await run(shell, `exec ${line.replace(/ \|\| exit 2$/, "")}`, {
            kill,
          });
          assert.equal(status, 2);
          assert.ok(ms < 30_000, `${ms} ms`);
        }
        await noneWith(" sleep 601");
      }),
  );
}
