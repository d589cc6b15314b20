import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sample, slowCases } from "../support/cases.ts";
import { finish, type Program, start, starter, TRIED, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const LONG = { timeout: 120_000 };
const MIB = 1024 * 1024;

/** The needs of a test of a runtime. */
function needs(program: Program): { readonly timeout: number; readonly skip: string | false } {
  return { ...LONG, skip: without(program) };
}

/** Peak memory is read from /proc. */
function needsProc(program: Program): { readonly timeout: number; readonly skip: string | false } {
  return process.platform === "linux" ? needs(program) : { ...LONG, skip: "needs /proc" };
}

/** A result line. */
interface Result {
  readonly id?: unknown;
  readonly decision?: string;
  readonly error?: string;
}

interface Stream {
  /** The process. */
  readonly child: ChildProcessWithoutNullStreams;
  /** Its folder. */
  readonly cwd: string;
  /** Its next result; undefined when there are no more. */
  next(): Promise<Result | undefined>;
  /** Sends bytes, and waits while the process does not take more. */
  send(bytes: string | Uint8Array): Promise<void>;
  /** Its exit status. */
  readonly status: Promise<number | null>;
}

/** Runs `check --stdin`; nothing of what it prints is read before `next` is called. */
function withStream(
  program: Program,
  use: (stream: Stream) => Promise<void>,
  flags: readonly string[] = [],
): Promise<void> {
  return withTempDir(async (folder) => {
    const cwd = join(folder, "work");
    mkdirSync(cwd);
    const words = [...starter(program, ["read", "env"]), "check", "--stdin", ...flags];
    const child = start(words, { cwd, env: { HOME: join(folder, "home") } });
    const status = once(child, "close").then(([code]) => code as number | null);
    let lines: AsyncIterator<string> | undefined;
    await use({
      child,
      cwd,
      status,
      async next() {
        lines ??= createInterface({ input: child.stdout })[Symbol.asyncIterator]();
        const { done, value } = await lines.next();
        return done ? undefined : JSON.parse(value);
      },
      async send(bytes) {
        if (!child.stdin.write(bytes)) await once(child.stdin, "drain");
      },
    });
    child.kill("SIGKILL");
  });
}

function call(id: number, command = `git push origin ${id}`): string {
  return JSON.stringify({ id, tool: "Bash", input: { command } }) + "\n";
}

/** The most memory that a process had so far, in bytes. */
function peak({ child }: Stream): number {
  const { stdout } = spawnSync("grep", ["VmHWM", `/proc/${child.pid}/status`], {
    encoding: "utf8",
  });
  const kib = Number(/\d+/.exec(stdout)?.[0]);
  assert.ok(kib > 0, `no peak: ${stdout}`);
  return kib * 1024;
}

/** Reads `count` results and asserts that they are those of the calls from `first` on. */
async function readCalls(stream: Stream, range: { first: number; count: number }): Promise<void> {
  for (let id = range.first; id < range.first + range.count; id++) {
    const result = await stream.next();
    assert.deepEqual([result?.id, result?.decision], [id, "ask"]);
  }
}

for (const program of sample(TRIED, 1, 1)) {
  test(
    `ten times the lines take no more memory (${program})`,
    needsProc(program),
    () =>
      withStream(program, async (stream) => {
        const text = "x".repeat(10_000);
        const write = async (range: { first: number; count: number }) => {
          for (let id = range.first; id < range.first + range.count; id += 20) {
            const ids = Array.from({ length: 20 }, (_, index) => id + index);
            await stream.send(ids.map((each) => call(each, `git push ${text}`)).join(""));
          }
        };
        // The memory of a runtime grows to its working size with the first lines.
        const few = { first: 0, count: 20 * slowCases(50) };
        await Promise.all([write(few), readCalls(stream, few)]);
        const before = peak(stream);
        const many = { first: few.count, count: 9 * few.count };
        await Promise.all([write(many), readCalls(stream, many)]);
        const after = peak(stream);
        // With all cases 95 MiB come in, and far more goes out.
        assert.ok(after - before < 150 * MIB, `${before / MIB} MiB, then ${after / MIB} MiB`);
        assert.ok(after < 300 * MIB, `${after / MIB} MiB`);
        stream.child.stdin.end();
        assert.equal(await stream.next(), undefined);
        assert.equal(await stream.status, 0);
      }),
  );
}

/** One thread, and several. */
const JOBS: readonly (readonly string[])[] = [[], ["--jobs", "2"]];

for (
  const [program, flags] of TRIED.flatMap((each) => JOBS.map((flags) => [each, flags] as const))
) {
  test(
    `a reader that stops reading stops the stream, and loses nothing (${
      [program, ...flags].join(" ")
    })`,
    needsProc(program),
    () =>
      withStream(program, async (stream) => {
        const text = "x".repeat(10_000);
        let sent = 0;
        let taken = 0;
        while (sent - taken < 500 && sent < 20_000) {
          stream.child.stdin.write(call(sent++, text), () => taken++);
          if (sent % 50 === 0) await sleep(1);
        }
        await sleep(1000);
        assert.ok(sent < 20_000, "200 MB were taken, and nobody read a result");
        assert.ok(taken * 10_000 < 16 * MIB, `${taken} lines were taken`);
        assert.ok(peak(stream) < 192 * MIB, `${peak(stream) / MIB} MiB`);
        stream.child.stdin.end();
        await readCalls(stream, { first: 0, count: sent });
        assert.equal(await stream.next(), undefined);
        assert.equal(await stream.status, 0);
      }, flags),
  );

  test(
    `each line is answered before the next is there (${[program, ...flags].join(" ")})`,
    needs(program),
    () =>
      withStream(program, async (stream) => {
        for (let id = 0; id < 5; id++) {
          await stream.send(call(id));
          await readCalls(stream, { first: id, count: 1 });
        }
        stream.child.stdin.end();
        assert.equal(await stream.status, 0);
      }, flags),
  );

  test(
    `a reader that goes away ends the stream quietly (${[program, ...flags].join(" ")})`,
    needs(program),
    () =>
      withTempDir(async (cwd) => {
        const line = call(1).trimEnd();
        const script = 'yes "$0" | "$@" | head -n 1; echo "${PIPESTATUS[1]}"';
        const words = [...starter(program, ["read", "env"]), "check", "--stdin", ...flags];
        const { status, stdout, stderr } = await finish(["bash", "-c", script, line, ...words], {
          cwd,
          env: { HOME: cwd },
        });
        const [first = "", ended] = stdout.split("\n");
        assert.equal(JSON.parse(first).id, 1);
        assert.deepEqual([ended, stderr, status], ["0", "", 0]);
      }),
  );
}

for (const program of TRIED) {
  test(
    `a bad line says so in its place, and the others are answered (${program})`,
    needs(program),
    () =>
      withStream(program, async (stream) => {
        const bad: readonly (readonly [string | Uint8Array, RegExp])[] = [
          ["not JSON", /^line 2: not JSON/],
          [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), /^line 4: not UTF-8$/],
          [`{"tool":"${"x".repeat(20 * MIB)}"}`, /^line 6: longer than 8388608 bytes$/],
          [
            `{"input":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
            /^line 8: nested deeper than 200$/,
          ],
          ["[1]", /^line 10: not a JSON object$/],
          ["[".repeat(3 * MIB), /^line 12: nested deeper than 200$/],
          ['{"tool":"Bash"}', /^line 14: "input" is missing/],
        ];
        const wrote = (async () => {
          for (const [index, [line]] of bad.entries()) {
            await stream.send(call(index).replace("\n", index % 2 === 0 ? "\r\n" : "\n"));
            await stream.send(line);
            await stream.send("\n");
          }
          await stream.send("\r\n\n" + call(bad.length).trimEnd());
          stream.child.stdin.end();
        })();
        for (const [index, [, error]] of bad.entries()) {
          await readCalls(stream, { first: index, count: 1 });
          const result = await stream.next();
          assert.deepEqual(Object.keys(result ?? {}), ["id", "error"]);
          assert.equal(result?.id, null);
          assert.match(result?.error ?? "", error);
        }
        await readCalls(stream, { first: bad.length, count: 1 });
        await wrote;
        assert.equal(await stream.next(), undefined);
        assert.equal(await stream.status, 65);
      }),
  );

  test(
    `a folder that is removed while the stream runs changes no answer (${program})`,
    needs(program),
    () =>
      withStream(program, async (stream) => {
        const write = { id: 0, tool: "Write", input: { path: "a/b.md" } };
        await stream.send(JSON.stringify(write) + "\n");
        const before = await stream.next();
        rmSync(stream.cwd, { recursive: true });
        await stream.send(JSON.stringify(write) + "\n");
        assert.deepEqual(await stream.next(), before);
        assert.equal(before?.decision, "ask");
        stream.child.stdin.end();
        assert.equal(await stream.status, 0);
      }),
  );
}

for (const program of TRIED) {
  const words = [...starter(program, ["read", "env"]), "check", "--stdin", "--no-user", "--trust"];

  test(
    `several threads print and answer what one does (${program})`,
    needs(program),
    () =>
      withTempDir(async (cwd) => {
        const bad = [
          "not JSON",
          "",
          '{"tool":"Bash"}',
          `{"id":"long","tool":"${"x".repeat(9 * MIB)}"}`,
        ];
        const lines = Array.from({ length: 500 }, (_, id) =>
          call(id, `git log -${id % 7} | head -${id}`));
        const input = lines.map((line, at) =>
          at % 90 === 7 ? `${bad[at % 4]}\n${line}` : line
        ).join("");
        const place = { cwd, env: { HOME: cwd }, input };
        const one = await finish(words, place);
        assert.equal(one.status, 65);
        assert.ok(one.stdout.split("\n").length > 500, one.stderr);
        assert.deepEqual(await finish([...words, "--jobs", "3"], place), one);
      }),
  );

  test(
    `a fault that a thread meets is reported once, as without threads (${program})`,
    needs(program),
    () =>
      withTempDir(async (cwd) => {
        mkdirSync(join(cwd, ".caliban"));
        writeFileSync(join(cwd, ".caliban/permissions.toml"), "");
        writeFileSync(join(cwd, ".caliban/auto-mode.toml"), "x = [");
        const line = { id: 1, tool: "Bash", input: { command: "frob" }, mode: "auto" };
        const place = { cwd, env: { HOME: cwd }, input: `${JSON.stringify(line)}\n` };
        const one = await finish(words, place);
        assert.equal(one.status, 65);
        assert.match(one.stderr, /auto-mode\.toml:1:5: error/);
        assert.deepEqual(await finish([...words, "--jobs", "2"], place), one);
      }),
  );

  test(
    `threads end with the process that a signal ends (${program})`,
    needsProc(program),
    () =>
      withStream(program, async (stream) => {
        await stream.send(call(0));
        await readCalls(stream, { first: 0, count: 1 });
        const children = spawnSync("pgrep", ["-P", String(stream.child.pid)], { encoding: "utf8" });
        assert.deepEqual(
          [children.error, children.stdout],
          [undefined, ""],
          "a process was started",
        );
        stream.child.kill("SIGINT");
        await stream.status;
        assert.equal(stream.child.signalCode, "SIGINT");
        assert.equal(await stream.next(), undefined);
      }, ["--jobs", "2"]),
  );
}

test(
  "a thread that Deno may not load names the flag, and the whole command",
  needs("deno"),
  () =>
    withTempDir(async (cwd) => {
      const [deno = "", run = "", ...rest] = starter("deno", ["read", "env"]);
      const words = [deno, run, `--deny-read=${REPO}/cli.ts`, ...rest];
      const command = [...words, "check", "--stdin", "--jobs", "2", "--no-user"];
      const ended = await finish(command, { cwd, env: { HOME: cwd }, input: call(1) });
      assert.equal(ended.status, 64, ended.stderr);
      assert.match(
        ended.stderr,
        /^error: Cannot start a thread of "[^"]+": run with --allow-read\n/,
      );
      assert.match(
        ended.stderr,
        /deno run --no-prompt --allow-read --allow-env \S+ check --stdin --jobs 2/,
      );
    }),
);
