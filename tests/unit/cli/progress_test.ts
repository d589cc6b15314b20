import assert from "node:assert/strict";
import { test } from "node:test";
import { startProgress } from "../../../lib/cli/output/progress.ts";
import type { Runtime } from "../../../lib/io/runtime/runtime.ts";

/** A terminal, or a pipe, with a clock that a test sets. */
function machine(isTerminal: boolean) {
  const state = { now: 0, written: "" };
  const runtime = {
    isTerminal: (stream: string) => stream === "stderr" && isTerminal,
    now: () => state.now,
    write(stream: string, text: string) {
      assert.equal(stream, "stderr");
      state.written += text;
      return Promise.resolve(true);
    },
  } as unknown as Runtime;
  return { state, runtime };
}

/** The text that a progress writes which ticks every 100 ms. */
async function written(
  times: number,
  { isTerminal = true, isOff = false, part }: {
    isTerminal?: boolean;
    isOff?: boolean;
    part?: () => number;
  } = {},
): Promise<string> {
  const { state, runtime } = machine(isTerminal);
  const options = { noun: "rules", stride: 1, isOff, ...(part ? { part } : {}) };
  const progress = startProgress(runtime, options);
  for (let count = 1; count <= times; count++) {
    state.now += 100;
    progress.tick(count);
  }
  await progress.clear();
  return state.written;
}

test("nothing is shown within a second", async () => {
  assert.equal(await written(9), "");
});

test("one line is written again and again, and removed at the end", async () => {
  assert.equal(await written(13), "\r\x1b[K10 rules\r\x1b[K12 rules\r\x1b[K");
  assert.equal(
    await written(10, { part: () => 0.5 }),
    "\r\x1b[K[############            ]  50 %  10 rules\r\x1b[K",
  );
});

test("a pipe and a format that is not for people show nothing", async () => {
  assert.equal(await written(50, { isTerminal: false }), "");
  assert.equal(await written(50, { isOff: true }), "");
});
