import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import type { HookCommand, StartHook } from "../../lib/io/process/hook_process.ts";
import { hookStarter } from "../../lib/io/process/hook_process.ts";
import { HOOK_OUTPUT_LIMIT, runHook } from "../../lib/io/process/hook_runner.ts";
import { EVENT, runHooks, runtime } from "../support/hooks.ts";
import { commandOf, finish, HERE, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const DENY = `{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"r"}}`;

/** True if the process whose number a hook wrote into a file is there and is no zombie. */
function isAlive(path: string): boolean {
  const pid = readFileSync(path, "utf8").trim();
  assert.match(pid, /^\d+$/);
  // Not read by ourselves: under Deno that takes every permission there is.
  const { status, stdout } = spawnSync("cat", [`/proc/${pid}/status`], { encoding: "utf8" });
  return status === 0 && !/^State:\s+[ZX]/m.test(stdout);
}

async function until(holds: () => boolean): Promise<void> {
  for (let tick = 0; tick < 100 && !holds(); tick++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(holds());
}

const LONG = { timeout: 60_000 } as const;
const LINUX = {
  ...LONG,
  skip: runtime.platform === "linux" ? false : "looks at /proc",
} as const;

test("what cannot be started asks", LONG, () =>
  withTempDir(async (folder) => {
    writeFileSync(join(folder, "noexec.sh"), "#!/bin/sh\nexit 0\n");
    chmodSync(join(folder, "noexec.sh"), 0o644);
    writeFileSync(join(folder, "lost.sh"), "#!/no/such/interpreter\n");
    chmodSync(join(folder, "lost.sh"), 0o755);
    const commands = [
      "./noexec.sh",
      "./lost.sh",
      "./absent.sh",
      "no-such-program-at-all",
      "sh absent.sh",
      "kill -9 $$",
      "kill -SEGV $$",
      "sh -c 'kill -9 $$'; exit $?",
    ];
    for (const command of commands) {
      const { decision, reason } = await runHooks([command], { folder });
      // A dash that cannot read a script ends with 2, which blocks.
      assert.ok(decision === "ask" || decision === "deny", `${command}: ${decision}`);
      assert.notEqual(reason ?? "", "");
    }
    const { decision } = await runHooks(["true"], { folder: join(folder, "absent") });
    assert.equal(decision, "ask");
    const long = await runHooks([`: ${"x".repeat(4_000_000)}`], { folder });
    assert.equal(long.decision, "ask");
  }));

test(
  "10 MiB of output end, and leave no answer that could be missed",
  LONG,
  () =>
    withTempDir(async (folder) => {
      const cases = [
        ["yes | head -c 10485760", "ask"],
        ["head -c 10485760 /dev/zero", "ask"],
        [`printf %s '${DENY}'; yes | head -c 10485760`, "ask"],
        [`yes | head -c 10485760; printf %s '${DENY}'`, "ask"],
        ["yes no | head -c 10485760 >&2; exit 2", "deny"],
        ["yes no | head -c 10485760 >&2", "proceed"],
        [`yes no | head -c 10485760 >&2; printf %s '${DENY}'`, "deny"],
      ] as const;
      for (const [command, expected] of cases) {
        const { decision, reason = "", results } = await runHooks([command], { folder });
        assert.equal(decision, expected, command);
        assert.ok(reason.length <= 10_000);
        const { stdout, stderr, tookMs } = results[0]!.run;
        assert.ok(
          stdout.bytes.length <= HOOK_OUTPUT_LIMIT && stderr.bytes.length <= HOOK_OUTPUT_LIMIT,
        );
        assert.equal(stdout.isCut, expected === "ask");
        assert.ok(tookMs < 9_000, `${tookMs} ms`);
      }
    }),
);

test(
  "what a hook leaves behind with its pipes holds nobody up, and its answer is read",
  LINUX,
  () =>
    withTempDir(async (folder) => {
      const cases = [
        ["sleep 60 & echo $! > pid", "proceed"],
        [`sleep 60 & echo $! > pid; printf %s '${DENY}'`, "deny"],
        [`printf %s '${DENY}'; sleep 60 & echo $! > pid; exec 1>&-`, "deny"],
        ["sleep 60 & echo $! > pid; echo no >&2; exit 2", "deny"],
        ["sleep 60 2>&1 & echo $! > pid; kill -9 $$", "ask"],
      ] as const;
      for (const [command, expected] of cases) {
        const began = performance.now();
        const { decision } = await runHooks([command], { folder });
        const took = performance.now() - began;
        const pid = join(folder, "pid");
        assert.ok(isAlive(pid), `${command}: what was left behind is gone`);
        process.kill(Number(readFileSync(pid, "utf8")), "SIGKILL");
        assert.equal(decision, expected, command);
        assert.ok(took < 5_000, `${command}: ${took} ms`);
      }
    }),
);

test(
  "what a hook leaves behind and goes on writing is an ask",
  LINUX,
  () =>
    withTempDir(async (folder) => {
      const loop = "(while :; do echo y; sleep 0.01; done) & echo $! > pid";
      const { decision, results } = await runHooks([`${loop}; exit 0`], { folder });
      assert.deepEqual([decision, results[0]?.run.stdout.isCut], ["ask", true]);
      // Its next line finds the pipe closed.
      await until(() => !isAlive(join(folder, "pid")));
    }),
);

test(
  "after its time a hook is killed with all that it has started, whatever it ignores",
  LINUX,
  () =>
    withTempDir(async (folder) => {
      const commands = [
        "echo $$ > one; trap '' TERM INT HUP; sleep 60 & echo $! > two; sleep 60",
        "echo $$ > one; (trap '' TERM; sh -c 'echo $$ > two; sleep 60'; sleep 60); true",
        `echo $$ > one; nohup sleep 60 > /dev/null 2>&1 & echo $! > two; cat > /dev/null; wait`,
      ];
      for (const command of commands) {
        const began = performance.now();
        const { decision, reason } = await runHooks([command], { folder, limitMs: 700 });
        assert.equal(decision, "ask", command);
        assert.match(reason ?? "", /took longer than 0\.7 s/);
        assert.ok(performance.now() - began < 5_000);
        await until(() => !isAlive(join(folder, "one")) && !isAlive(join(folder, "two")));
      }
    }),
);

test(
  "a hook that left its group and holds the pipes is not waited for",
  LINUX,
  () =>
    withTempDir(async (folder) => {
      const command = "setsid sh -c 'echo $$ > pid; sleep 60' & sleep 60";
      const { decision } = await runHooks([command], { folder, limitMs: 700 });
      assert.equal(decision, "ask");
      const pid = join(folder, "pid");
      assert.ok(isAlive(pid));
      process.kill(-Number(readFileSync(pid, "utf8")), "SIGKILL");
    }),
);

test("a hook need not read its input, however long", LONG, () =>
  withTempDir(async (folder) => {
    const call = { tool: "Write", input: { path: "a", content: "x".repeat(5_000_000) } };
    const event = { ...EVENT, call };
    const commands = ["exec 0<&-; sleep 0.1", "true", "sleep 0.3", "head -c 1 > /dev/null"];
    for (const command of commands) {
      assert.equal((await runHooks([command], { folder, event })).decision, "proceed", command);
    }
    const { decision } = await runHooks(["wc -c > size"], { folder, event });
    assert.equal(decision, "proceed");
    assert.ok(Number(readFileSync(join(folder, "size"), "utf8")) > 5_000_000);
  }));

test("NULs and what is no UTF-8 hide no decision", LONG, () =>
  withTempDir(async (folder) => {
    const cases = [
      [String.raw`printf '\0%s' '${DENY}'`, "ask"],
      [String.raw`printf '{"a":"\377"}'`, "ask"],
      [String.raw`printf '\377\376{\0"\0'`, "ask"],
      [String.raw`printf 'ok \377 \0 ok'`, "proceed"],
      [String.raw`printf 'no \377' >&2; exit 2`, "deny"],
    ] as const;
    for (const [command, expected] of cases) {
      assert.equal((await runHooks([command], { folder })).decision, expected, command);
    }
  }));

test(
  "50 hooks run at once, and the one that denies is heard",
  LONG,
  () =>
    withTempDir(async (folder) => {
      const commands = Array.from({ length: 50 }, (_, index) =>
        index === 31
          ? `sleep 0.5; yes | head -c 300000 >&2; printf %s '${DENY}'`
          : "sleep 0.5; yes | head -c 300000");
      const began = performance.now();
      const { decision, reason, results } = await runHooks(commands, { folder });
      assert.deepEqual([decision, reason], ["deny", "r"]);
      assert.ok(
        results.every(({ run }) =>
          run.stdout.bytes.length + run.stderr.bytes.length >= 300_000
        ),
      );
      const took = performance.now() - began;
      assert.ok(took < 15_000, `${took} ms`);
    }),
);

test("a busy program misses no answer", LINUX, () =>
  withTempDir(async (folder) => {
    const command = `sleep 60 & echo $! > pid; printf %s '${DENY}'`;
    for (const busyMs of [50, 400, 1_200]) {
      const running = runHooks([command], { folder });
      await new Promise((resolve) => setTimeout(resolve, 5));
      const end = performance.now() + busyMs;
      while (performance.now() < end);
      const { decision } = await running;
      process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
      assert.equal(decision, "deny", `${busyMs} ms`);
    }
  }));

/** A program of its own that runs hooks and prints what came of it. */
function script(body: string): string {
  return `import { EVENT, runHooks } from ${JSON.stringify(join(REPO, "tests/support/hooks.ts"))};
const folder = ".";
${body}`;
}

const FLAGS = HERE === "deno"
  ? ["run", "--quiet", "--no-prompt", "--cached-only", "--allow-read", "--allow-env"]
  : [];
const ALL = HERE === "deno" ? [...FLAGS, "--allow-run"] : [];
const NEEDS = { ...LONG, skip: without(HERE) };

test(
  "where no file descriptor is left, hooks ask and nothing crashes",
  NEEDS,
  () =>
    withTempDir(async (folder) => {
      const body =
        `const { decision, results } = await runHooks(Array(60).fill("sleep 1"), { folder });
const kinds = new Set(results.map(({ run }) => run.end.kind));
console.log(decision, results.length, [...kinds].sort().join());`;
      writeFileSync(join(folder, "script.ts"), script(body));
      const line = 'ulimit -n 100; exec "$0" "$@"';
      const words = ["sh", "-c", line, commandOf(HERE), ...ALL, "script.ts"];
      const { status, stdout, stderr } = await finish(words, { cwd: folder });
      assert.equal(status, 0, stderr);
      assert.equal(stdout, "ask 60 exited,not-started\n", stderr);
    }),
);

test(
  "what was left behind does not hold up the end of the program",
  { ...NEEDS, ...LINUX },
  () =>
    withTempDir(async (folder) => {
      const body = `const first = await runHooks(["sleep 60 & echo $! > pid"], { folder });
const second = await runHooks(["setsid sh -c 'echo $$ > other; sleep 60' & sleep 60"], { folder, limitMs: 500 });
console.log(first.decision, second.decision);`;
      writeFileSync(join(folder, "script.ts"), script(body));
      const began = performance.now();
      const { status, stdout, stderr } = await finish([commandOf(HERE), ...ALL, "script.ts"], {
        cwd: folder,
      });
      const took = performance.now() - began;
      process.kill(Number(readFileSync(join(folder, "pid"), "utf8")), "SIGKILL");
      process.kill(-Number(readFileSync(join(folder, "other"), "utf8")), "SIGKILL");
      assert.deepEqual([status, stdout], [0, "proceed ask\n"], stderr);
      assert.ok(took < 15_000, `${took} ms`);
    }),
);

test("under Deno hooks need --allow-run without a list, and ask without it", {
  ...LONG,
  skip: without("deno"),
}, () =>
  withTempDir(async (folder) => {
    const body = `const { decision, reason } = await runHooks(["touch ran"], { folder });
console.log(decision, reason);`;
    writeFileSync(join(folder, "script.ts"), script(body));
    for (const more of [[], ["--allow-run=/bin/sh"]]) {
      const flags = [
        "run",
        "--quiet",
        "--no-prompt",
        "--cached-only",
        "--allow-read",
        "--allow-env",
        ...more,
      ];
      const { status, stdout, stderr } = await finish([commandOf("deno"), ...flags, "script.ts"], {
        cwd: folder,
      });
      assert.equal(status, 0, stderr);
      assert.match(stdout, /^ask .*run with --allow-run, without a list/);
      assert.ok(!existsSync(join(folder, "ran")));
    }
  }));

const JOB = { command: "x", input: "{}\n", cwd: "C:\\w", env: {}, limitMs: 50 } as const;

test(
  "on Windows cmd.exe runs the command, and after its time its tree is killed",
  LONG,
  async () => {
    const started: HookCommand[] = [];
    let killed = 0;
    const start: StartHook = (command) => {
      started.push(command);
      return { ended: new Promise(() => {}), write() {}, killAll: () => killed++, release() {} };
    };
    const run = await runHook(start, { ...JOB, platform: "windows", systemRoot: "D:\\Win" });
    assert.deepEqual(run.end, { kind: "timed-out", limitMs: 50 });
    assert.equal(killed, 1);
    const [{ program, args, isVerbatim, killer } = {}] = started;
    assert.deepEqual([program, args, isVerbatim], ["D:\\Win\\System32\\cmd.exe", [
      "/d",
      "/s",
      "/c",
      '"x"',
    ], true]);
    assert.equal(killer?.(5).program, "D:\\Win\\System32\\taskkill.exe");
  },
);

test(
  "where a program kills, it is started, and without it the process alone is killed",
  LINUX,
  () =>
    withTempDir(async (folder) => {
      const start = await hookStarter(runtime);
      const killers = [
        (pid: number) => ({
          program: "/bin/sh",
          args: ["-c", `echo ${pid} > ${folder}/killed; kill -9 ${pid}`],
        }),
        () => ({ program: join(folder, "absent"), args: [] }),
      ];
      for (const killer of killers) {
        const command = {
          program: "/bin/sh",
          args: ["-c", "exec sleep 60"],
          isVerbatim: false,
          cwd: folder,
          env: {},
          killer,
        };
        const hook = start(command, { onOutput() {}, onClosed() {} });
        await new Promise((resolve) => setTimeout(resolve, 100));
        hook.killAll();
        assert.deepEqual(await hook.ended, { kind: "killed", signal: "SIGKILL" });
        hook.release();
      }
      assert.ok(existsSync(join(folder, "killed")));
    }),
);
