import { type Colour, picture, short, stroke, text } from "./picture.ts";

/** Bars from zero, one below the other, beside a line at 1. */
export interface BarChart {
  readonly title: string;
  /** The unit of the values, behind the title. */
  readonly label: string;
  readonly bars: readonly Bar[];
}

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly colour: Colour;
}

const WIDTH = 760;
const LEFT = 240;
const RIGHT = 690;
const TOP = 70;
const ROW = 22;

/** The picture of a chart. Throws RangeError for one without bars, and for a value below zero. */
export function barChart({ title, label, bars }: BarChart): string {
  const wrong = bars.find(({ value }) => !(value >= 0 && value < Infinity));
  if (bars.length === 0 || wrong !== undefined) {
    throw new RangeError(`Cannot draw "${title}": ${wrong?.name ?? "no bar"}`);
  }
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const across = (value: number) => LEFT + (RIGHT - LEFT) * value / most;
  const bottom = TOP + bars.length * ROW;
  const one = { x: across(1), y: TOP - 6 };
  const rows = bars.map(({ name, value, colour }, at) => {
    const y = TOP + at * ROW;
    const width = short(across(value) - LEFT);
    return text(name, { x: LEFT - 10, y: y + 15 }, "end") +
      `<rect class="bar ${colour}" x="${LEFT}" y="${y + 3}" width="${width}" height="${
        ROW - 6
      }" rx="2"/>` +
      text(`${value.toFixed(2)} ×`, { x: across(value) + 6, y: y + 15 });
  });
  return picture({ title, width: WIDTH, height: bottom + 20 }, [
    text(label, { x: 20, y: 48 }),
    stroke(one, { ...one, y: bottom }, "one"),
    ...rows,
  ]);
}
