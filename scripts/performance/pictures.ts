import { barChart } from "./bar_chart.ts";
import { time } from "./blocks.ts";
import type { Curve, Figures } from "./figures.ts";
import { lineChart } from "./line_chart.ts";

/** The pictures of docs/performance.md by their paths. */
export function performancePictures(figures: Figures): ReadonlyMap<string, string> {
  return new Map([
    ["docs/performance-rules.svg", rules(figures)],
    ["docs/performance-length.svg", lines(figures, "length")],
    ["docs/performance-units.svg", lines(figures, "units")],
    ["docs/performance-start.svg", starts(figures)],
  ]);
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}

/** Every engine as a multiple of ours with ten rules, under the first runtime. */
function rules({ decisions }: Figures): string {
  const { runtime, ours, peers } = decisions[0]!;
  const growth = new Map(ours.map((each) => [each.rules, each.growth]));
  const names = [...new Set(peers.map(({ name }) => name))];
  return lineChart({
    title: `A fresh call with more rules, under ${runtime}`,
    across: { label: "rules", tick: count },
    up: { label: "multiple of caliban with 10 rules", tick: (value) => `${count(value)} ×` },
    curves: [
      { name: "caliban", points: [...growth] },
      ...names.map((name) => ({
        name,
        points: peers.filter((each) => each.name === name).flatMap((each) => {
          const own = growth.get(each.rules);
          return own === undefined ? [] : [[each.rules, each.freshTimes * own] as const];
        }),
      })),
    ],
  });
}

const SIZES = {
  length: ["A longer command line", "bytes of the line"],
  units: ["More commands in a line", "commands of the line"],
} as const;

function lines({ growth }: Figures, by: "length" | "units"): string {
  const [title, label] = SIZES[by];
  return lineChart({
    title: `${title}, ${count(growth.rules)} rules, under ${growth.runtime}`,
    across: { label, tick: count },
    up: { label: "CPU time of a decision", tick: time },
    curves: growth[by].map(({ name, points }: Curve) => ({
      name,
      isYardstick: name.startsWith("parser"),
      points: points.map(({ size, us }) => [size, us] as const),
    })),
  });
}

/** Every form of the program, as a multiple of the same empty one. */
function starts({ startUp }: Figures): string {
  const empty = startUp.find(({ name }) => name === "deno, empty")?.ms ?? 0;
  const shown = startUp.filter(({ name }) => !/rules|watched/.test(name));
  return barChart({
    title: "Start to exit, by form",
    label:
      "CPU time as a multiple of an empty program under Deno (dashed): check blue, hook purple, others orange",
    bars: shown.map(({ name, ms }) => ({
      name,
      value: ms / empty,
      colour: /empty/.test(name)
        ? "grey"
        : /codex|cc-/.test(name)
        ? "orange"
        : /hook/.test(name)
        ? "purple"
        : "blue",
    })),
  });
}
