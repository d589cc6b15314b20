import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../support/seeded.ts";
import { MODES } from "../../../../lib/decide/modes.ts";
import { createSharedMode, type ModeChange } from "../../../../lib/decide/shared_mode.ts";

const NAMES = MODES.map(({ name }) => name);

test("it is cycled forward and back in the order of the table", () => {
  const mode = createSharedMode({ allowBypass: true });
  const forward = NAMES.map(() => mode.cycle().to);
  assert.deepEqual(forward, [...NAMES.slice(1), "default"]);
  const back = NAMES.map(() => mode.cycle("back").to);
  assert.deepEqual(back, [...NAMES.toReversed()]);
});

test("without allowBypass bypassPermissions ends in default, with a warning", () => {
  const warning = "the mode bypassPermissions needs --allow-dangerously-skip-permissions";
  const mode = createSharedMode({ start: "dontAsk" });
  assert.equal(mode.bypassAllowed, false);
  assert.deepEqual(mode.cycle(), { from: "dontAsk", to: "default", warning });
  assert.deepEqual(mode.cycle("back"), { from: "default", to: "default", warning });
  mode.set("plan");
  assert.deepEqual(mode.set("bypassPermissions"), { from: "plan", to: "default", warning });
  assert.equal(mode.current, "default");
});

test("it has the name of the mode and its badge", () => {
  const mode = createSharedMode();
  assert.deepEqual([mode.current, mode.badge], ["default", ""]);
  mode.set("acceptEdits");
  assert.deepEqual([mode.current, mode.badge], [
    "acceptEdits",
    "✎ accept edits",
  ]);
});

test("listeners are told of every change until they end it", () => {
  const mode = createSharedMode();
  const told: ModeChange[] = [];
  const end = mode.subscribe((change) => told.push(change));
  mode.set("plan");
  mode.set("plan");
  mode.set("bypassPermissions");
  end();
  end();
  mode.set("auto");
  assert.deepEqual(told.map(({ from, to }) => `${from} -> ${to}`), [
    "default -> plan",
    "plan -> default",
  ]);
  assert.ok(told[1]?.warning);
});

test("one function that subscribes twice is called twice, and ended once each", () => {
  const mode = createSharedMode();
  let calls = 0;
  const listener = () => void calls++;
  const end = mode.subscribe(listener);
  mode.subscribe(listener);
  mode.set("plan");
  assert.equal(calls, 2);
  end();
  mode.set("auto");
  assert.equal(calls, 3);
});

test("a listener that fails keeps nobody from being told, and the change stands", () => {
  const mode = createSharedMode();
  const told: string[] = [];
  mode.subscribe(() => {
    throw new Error("no");
  });
  mode.subscribe(({ to }) => told.push(to));
  assert.throws(() => mode.set("plan"), AggregateError);
  assert.deepEqual([mode.current, told], ["plan", ["plan"]]);
  assert.throws(() => mode.cycle(), AggregateError);
  assert.deepEqual(told, ["plan", "auto"]);
});

test("a listener may change the mode: all are told in the order of the changes", () => {
  const mode = createSharedMode();
  const told: string[] = [];
  mode.subscribe(({ to }) => to === "auto" && mode.set("plan"));
  mode.subscribe(({ to }) => told.push(to));
  mode.set("auto");
  assert.deepEqual([mode.current, told], ["plan", ["auto", "plan"]]);
});

test("what may not be is refused at once", () => {
  assert.throws(() => createSharedMode({ start: "bypassPermissions" }), RangeError);
  assert.throws(() => createSharedMode({ allowBypass: true, enforce: true }), RangeError);
  assert.throws(() => createSharedMode({ start: "yolo" as "plan" }), RangeError);
  assert.throws(() => createSharedMode().set("disabled" as "plan"), RangeError);
  assert.equal(
    createSharedMode({ start: "bypassPermissions", allowBypass: true }).badge,
    "⚠ bypass",
  );
});

test("whatever is set and cycled, without allowBypass it is never bypassPermissions", () => {
  const step = fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom("forward", "back" as const));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const mode = createSharedMode();
      let current = mode.current;
      mode.subscribe(({ from, to }) => {
        assert.equal(from, current);
        current = to;
      });
      for (const each of steps) {
        const change = each === "forward" || each === "back" ? mode.cycle(each) : mode.set(each);
        assert.equal(change.to, mode.current);
        assert.equal(mode.current, current);
        assert.notEqual(mode.current, "bypassPermissions");
      }
    }),
    { numRuns: 500, seed: 1 },
  );
});
