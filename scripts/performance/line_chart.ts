import { COLOURS, picture, type Place, short, stroke, text } from "./picture.ts";

/** Curves over two axes that are logarithmic: a straight line at 45 degrees is linear growth. */
export interface LineChart {
  readonly title: string;
  readonly across: Axis;
  readonly up: Axis;
  /** The curves; values are positive. One without a point is left out. */
  readonly curves: readonly ChartCurve[];
}

export interface Axis {
  readonly label: string;
  /** The text of a power of ten. */
  readonly tick: (value: number) => string;
}

export interface ChartCurve {
  readonly name: string;
  readonly points: readonly (readonly [across: number, up: number])[];
  /** True for one that the others are compared with. */
  readonly isYardstick?: boolean;
}

const WIDTH = 760;
const HEIGHT = 420;
const LEFT = 70;
const RIGHT = 560;
const TOP = 62;
const BOTTOM = 370;

/** The least distance between the names of two curves. */
const NAME = 17;

/** The picture of a chart. Throws RangeError for one without points, and for a value that has no place on a logarithmic axis. */
export function lineChart({ title, across, up, curves }: LineChart): string {
  const drawn = curves.filter(({ points }) => points.length > 0);
  const all = drawn.flatMap(({ points }) => points);
  const wrong = all.flat().find((value) => !(value > 0 && value < Infinity));
  if (all.length === 0 || wrong !== undefined) {
    throw new RangeError(`Cannot draw "${title}": ${wrong ?? "no point"}`);
  }
  const xs = decades(all.map(([x]) => x));
  const ys = decades(all.map(([, y]) => y));
  const place = ([x, y]: readonly [number, number]): Place => ({
    x: LEFT + (RIGHT - LEFT) * shareOf(x, xs),
    y: BOTTOM - (BOTTOM - TOP) * shareOf(y, ys),
  });
  const grid = [
    ...xs.map((value) => {
      const { x } = place([value, ys[0]!]);
      return stroke({ x, y: TOP }, { x, y: BOTTOM }, "grid") +
        text(across.tick(value), { x, y: BOTTOM + 18 }, "middle");
    }),
    ...ys.map((value) => {
      const { y } = place([xs[0]!, value]);
      return stroke({ x: LEFT, y }, { x: RIGHT, y }, "grid") +
        text(up.tick(value), { x: LEFT - 8, y: y + 4 }, "end");
    }),
  ];
  const labels = [
    text(across.label, { x: (LEFT + RIGHT) / 2, y: BOTTOM + 40 }, "middle"),
    text(up.label, { x: 20, y: 50 }),
  ];
  const size = { title, width: WIDTH, height: HEIGHT };
  return picture(size, [...grid, ...labels, ...curveParts(drawn, place)]);
}

/** The curves with a dot for each point, and their names behind the last. */
function curveParts(
  curves: readonly ChartCurve[],
  place: (point: readonly [number, number]) => Place,
): readonly string[] {
  let given = 0;
  const drawn = curves.map(({ name, points, isYardstick = false }) => {
    const colour = isYardstick ? "grey" : COLOURS[given++ % (COLOURS.length - 1)]!;
    const places = points.map(place);
    return { name, colour, places, classes: `${isYardstick ? "dashed " : ""}${colour}` };
  });
  const ends = spread(drawn.map(({ places }) => places.at(-1)!.y));
  return drawn.flatMap(({ name, colour, places, classes }, at) => [
    `<polyline class="curve ${classes}" points="${
      places.map(({ x, y }) => `${short(x)},${short(y)}`).join(" ")
    }"/>`,
    ...places.map(({ x, y }) =>
      `<circle class="dot ${colour}" cx="${short(x)}" cy="${short(y)}" r="3"/>`
    ),
    text(name, { x: RIGHT + 12, y: ends[at]! + 4 }, colour),
  ]);
}

/** Heights that keep their order and a distance, none below the chart. */
function spread(heights: readonly number[]): readonly number[] {
  const order = heights.map((_, at) => at).toSorted((a, b) => heights[b]! - heights[a]!);
  const result = [...heights];
  let limit = BOTTOM;
  for (const at of order) {
    result[at] = Math.min(result[at]!, limit);
    limit = result[at]! - NAME;
  }
  return result;
}

/** The powers of ten from below the least value to above the greatest. */
function decades(values: readonly number[]): readonly number[] {
  const [first, last] = [Math.min(...values), Math.max(...values)].map(Math.log10) as [
    number,
    number,
  ];
  const from = Math.floor(first + 0.01);
  const to = Math.max(from + 1, Math.ceil(last - 0.05));
  return Array.from({ length: to - from + 1 }, (_, at) => Number(`1e${from + at}`));
}

/** The place of a value between the first and the last power of ten: from 0 to 1, or little more. */
function shareOf(value: number, powers: readonly number[]): number {
  const [first, last] = [powers[0]!, powers.at(-1)!].map(Math.log10) as [number, number];
  return (Math.log10(value) - first) / (last - first);
}
