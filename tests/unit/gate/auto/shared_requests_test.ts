import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedRequests } from "../../../../lib/gate/auto/shared_requests.ts";

/** Requests that wait for `answer`, and how many were begun and ended. */
function held() {
  const seen = { begun: 0, ended: 0 };
  const { promise, resolve: answer, reject: fail } = Promise.withResolvers<string>();
  const start = (signal: AbortSignal) => {
    seen.begun++;
    signal.addEventListener("abort", () => seen.ended++);
    return promise;
  };
  return { seen, start, answer, fail };
}

test("one who gives up gets nothing, the others the answer, and the request goes on", async () => {
  const { seen, start, answer } = held();
  const requests = new SharedRequests<string>();
  const giveUp = new AbortController();
  const first = requests.join("k", { start, signal: giveUp.signal });
  const second = requests.join("k", { start });
  giveUp.abort();
  assert.equal(await first, undefined);
  assert.deepEqual(seen, { begun: 1, ended: 0 });
  answer("yes");
  assert.equal(await second, "yes");
});

test("when the last one gives up the request is ended, and the next begins another", async () => {
  const { seen, start, answer } = held();
  const requests = new SharedRequests<string>();
  const giveUp = new AbortController();
  const both = [1, 2].map(() => requests.join("k", { start, signal: giveUp.signal }));
  giveUp.abort();
  assert.deepEqual(await Promise.all(both), [undefined, undefined]);
  assert.deepEqual(seen, { begun: 1, ended: 1 });
  const next = requests.join("k", { start });
  answer("yes");
  assert.equal(await next, "yes");
  assert.equal(seen.begun, 2);
});

test("all who wait see a failure, and what was forgotten is not joined", async () => {
  const { seen, start, fail } = held();
  const requests = new SharedRequests<string>();
  const before = requests.join("k", { start });
  requests.forget();
  const after = [1, 2].map(() => requests.join("k", { start }));
  assert.equal(seen.begun, 2);
  fail(new Error("no"));
  for (const waiting of [before, ...after]) await assert.rejects(waiting, /no/);
});

test("who has an answer, or a failure, listens to the signal no longer", async () => {
  for (const ends of ["answer", "fail"] as const) {
    const { signal } = new AbortController();
    const listening = new Set<unknown>();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
      listening.add(args[1]);
      addEventListener.apply(signal, args);
    };
    signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
      listening.delete(args[1]);
      removeEventListener.apply(signal, args);
    };
    const request = held();
    const waiting = new SharedRequests<string>().join("k", { start: request.start, signal });
    assert.equal(listening.size, 1);
    if (ends === "answer") request.answer("yes");
    else request.fail(new Error("no"));
    await Promise.allSettled([waiting]);
    assert.equal(listening.size, 0, ends);
  }
});
