import assert from "node:assert/strict";
import { test } from "node:test";
import { barChart } from "../../../scripts/performance/bar_chart.ts";
import { time } from "../../../scripts/performance/blocks.ts";
import type { Figures } from "../../../scripts/performance/figures.ts";
import { goalsOf, isMet } from "../../../scripts/performance/goals.ts";
import { lineChart } from "../../../scripts/performance/line_chart.ts";

const AXIS = { label: "size", tick: String };

function chartOf(curves: Parameters<typeof lineChart>[0]["curves"]): string {
  return lineChart({ title: "a < b & c", across: AXIS, up: AXIS, curves });
}

/** The numbers of the attribute of every element, in order. */
function numbers(svg: string, pattern: RegExp): readonly number[] {
  return [...svg.matchAll(pattern)].map(([, value]) => Number(value));
}

test("tenfold steps on both axes are equal steps of the picture", () => {
  const svg = chartOf([{ name: "linear", points: [[1, 10], [10, 100], [100, 1_000]] }]);
  const steps = (values: readonly number[]) =>
    values.slice(1).map((value, at) => Math.round(value - values[at]!));
  const across = steps(numbers(svg, /cx="([\d.]+)"/g));
  const up = steps(numbers(svg, /cy="([\d.]+)"/g));
  assert.equal(across.length, 2);
  assert.equal(across[0], across[1]);
  assert.equal(up[0], up[1]);
  assert.ok(across[0]! > 0 && up[0]! < 0);
});

test("names of curves that end together do not stand on each other", () => {
  const names = ["one", "two", "three"];
  const svg = chartOf(names.map((name) => ({ name, points: [[1, 1], [10, 1]] })));
  const heights = names.map((name) =>
    Number(new RegExp(`y="([\\d.]+)"[^>]*>${name}<`).exec(svg)?.[1])
  ).toSorted((a, b) => a - b);
  assert.ok(heights[1]! - heights[0]! >= 15 && heights[2]! - heights[1]! >= 15, `${heights}`);
});

test("a yardstick is dashed, and the others have a colour each", () => {
  const points = [[1, 1], [10, 10]] as const;
  const svg = chartOf([
    { name: "one", points },
    { name: "parser", points, isYardstick: true },
    { name: "two", points },
  ]);
  const classes = [...svg.matchAll(/<polyline class="([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual(classes, ["curve blue", "curve dashed grey", "curve orange"]);
});

test("a picture follows the colours of its reader, and its title is escaped", () => {
  const svg = chartOf([{ name: "one", points: [[1, 1]] }]);
  assert.match(svg, /prefers-color-scheme: dark/);
  assert.match(svg, /<title>a &lt; b &amp; c<\/title>/);
});

test("values without a place on the axes are refused", () => {
  for (const value of [0, -1, NaN, Infinity]) {
    assert.throws(() => chartOf([{ name: "one", points: [[1, value]] }]), RangeError);
  }
  assert.throws(() => chartOf([{ name: "one", points: [] }]), RangeError);
  const bar = (value: number) => ({ name: "one", value, colour: "blue" as const });
  assert.throws(() => barChart({ title: "t", label: "l", bars: [bar(-1)] }), RangeError);
  assert.throws(() => barChart({ title: "t", label: "l", bars: [] }), RangeError);
});

test("bars are as long as their values", () => {
  const bars = [1, 2, 4].map((value) => ({ name: `${value}`, value, colour: "blue" as const }));
  const widths = numbers(
    barChart({ title: "t", label: "l", bars }),
    /class="bar blue"[^>]*width="([\d.]+)"/g,
  );
  assert.deepEqual(widths.map((width) => width / widths[0]!), [1, 2, 4]);
});

test("times are told in the unit that reads best", () => {
  assert.deepEqual([0.5, 12.34, 1_234, 2_500_000].map(time), [
    "0.5 µs",
    "12.3 µs",
    "1.23 ms",
    "2.5 s",
  ]);
});

/** A run that measured little. */
const FEW: Figures = {
  run: {
    date: "2026-01-02 03:04 UTC",
    commit: "0123abcd",
    cpu: "a processor",
    cores: 2,
    memory: "8 GiB",
    system: "Linux x86_64",
    versions: {},
    load: [0, 1],
    isQuick: true,
  },
  startUp: [{ name: "compiled", ms: 9, beside: "deno, empty", ratio: 0.9, more: -1, rounds: 3 }],
  growth: { runtime: "Bun", rules: 10, length: [], units: [] },
  decisions: [],
  stdin: [
    { name: "fresh", calls: 9, perSecond: 19_999, early: 20_001, peak: 1, firstPeak: 1 },
  ],
  analysis: [],
};

test("a goal is met at its figure, missed behind it, and open where nothing was measured", () => {
  const goals = [...goalsOf(FEW).values()].flat();
  const found = (about: string) => isMet(goals.find((goal) => goal.about === about)!);
  assert.equal(found("compiled program, `check`"), true);
  assert.equal(found("compiled program, `hook claude`"), undefined);
  assert.equal(found("`check --stdin`, a stream of 9 fresh calls"), false);
  assert.equal(found("`perms lint`, 1,000 rules of a team"), undefined);
});
