import { table } from "../doc_blocks.ts";
import type { Figures, Start } from "./figures.ts";
import { goalsOf, isMet } from "./goals.ts";

/** The generated blocks of docs/performance.md. */
export function performanceBlocks(figures: () => Figures): ReadonlyMap<string, () => string> {
  return new Map([
    ["figures-run", () => runOf(figures())],
    ["figures-goals", () => goals(figures())],
    ["figures-start", () => starts(figures())],
    ["figures-rules", () => rules(figures())],
    ["figures-lines", () => lines(figures())],
    ["figures-engines", () => engines(figures())],
    ["figures-streams", () => streams(figures())],
  ]);
}

function runOf({ run, startUp, decisions }: Figures): string {
  const versions = Object.entries(run.versions).map(([name, version]) => `${name} ${version}`);
  const [before, after] = run.load;
  const rounds = decisions.map((each) => `${each.rounds} under ${each.runtime}`);
  return table(["", "this run"], [
    ["machine", `${run.cpu}, ${run.cores} cores, ${run.memory}, ${run.system}`],
    ["date, commit", `${run.date}, \`${run.commit}\`${run.isQuick ? ", a quick run" : ""}`],
    [
      "load",
      `${before} before, ${after} at the end: processes that wanted one of ${run.cores} cores`,
    ],
    ["speed", speedOf(startUp, decisions)],
    ["rounds", `start ${startUp[0]?.rounds}, decisions ${rounds.join(" and ")}`],
    ["versions", versions.join(", ")],
  ]);
}

/** The times of what caliban does not decide: runs on machines of another speed are compared by them. */
function speedOf(startUp: Figures["startUp"], decisions: Figures["decisions"]): string {
  const empty = startUp.find(({ name }) => name === "deno, empty")?.ms;
  const parsers = decisions.map(({ parser, runtime }) => `${parser} µs under ${runtime}`);
  return `an empty Deno program takes ${empty} ms, the parser ${parsers.join(" and ")} a line`;
}

function goals(figures: Figures): string {
  const all = [...goalsOf(figures)];
  const each = all.flatMap(([, list]) => list);
  const met = each.filter((goal) => isMet(goal) === true).length;
  const missed = each.filter((goal) => isMet(goal) === false).length;
  const rows = all.flatMap(([subject, list]) =>
    list.map((goal) => {
      const { about, unit, isLeast = false, measured } = goal;
      const verdict = { true: "yes", false: "**no**", undefined: "not measured" } as const;
      return [
        subject,
        about,
        `${isLeast ? "at least" : "at most"} ${figure(goal.goal)} ${unit}`,
        measured === undefined ? "" : `${figure(measured)} ${unit}`,
        verdict[`${isMet(goal)}`],
      ];
    })
  );
  const sum = `This run meets ${met} of ${each.length} goals and misses ${missed}.\n\n`;
  return sum + table(["subject", "figure", "goal", "measured", "met"], rows);
}

function starts({ startUp }: Figures): string {
  return table(
    ["program", "CPU, ms", "ratio", "more, ms", "beside"],
    startUp.map((row: Start) => [
      row.name,
      figure(row.ms),
      `${figure(row.ratio)} ×`,
      figure(row.more),
      row.beside,
    ]),
  );
}

function rules({ decisions }: Figures): string {
  return table(
    [
      "runtime",
      "rules",
      "fresh line",
      "to parser",
      "repeated",
      "to parser",
      "file",
      "MCP",
      "to 10 rules",
    ],
    decisions.flatMap(({ runtime, parser, ours }) =>
      ours.map((row) => [
        runtime,
        row.rules.toLocaleString("en-US"),
        `${figure(row.bash)} µs`,
        `${figure(row.bash / parser)} ×`,
        `${figure(row.bashRepeated)} µs`,
        `${figure(row.bashRepeated / parser)} ×`,
        `${figure(row.file)} µs`,
        `${figure(row.mcp)} µs`,
        `${figure(row.growth)} ×`,
      ])
    ),
  );
}

function lines({ growth }: Figures): string {
  const part = (unit: string, curves: Figures["growth"]["length"]) =>
    curves.flatMap(({ name, points }) =>
      points.map(({ size, us, action = "" }, at) => {
        const before = points[at - 1];
        return [
          name,
          `${size.toLocaleString("en-US")} ${size === 1 ? unit.replace(/s$/, "") : unit}`,
          time(us),
          before === undefined ? "" : `${figure(us / before.us)} ×`,
          action,
        ];
      })
    );
  return table(
    ["line", "size", "CPU time", "to the size before", "decision"],
    [...part("bytes", growth.length), ...part("commands", growth.units)],
  );
}

function engines({ decisions }: Figures): string {
  return table(
    ["runtime", "engine", "rules", "fresh", "to caliban", "repeated", "to caliban"],
    decisions.flatMap(({ runtime, peers }) =>
      peers.map((row) => [
        runtime,
        row.name,
        row.rules.toLocaleString("en-US"),
        time(row.fresh),
        `${figure(row.freshTimes)} ×`,
        time(row.repeated),
        `${figure(row.repeatedTimes)} ×`,
      ])
    ),
  );
}

function streams({ stdin }: Figures): string {
  return table(
    ["calls", "whole stream", "first 60,000", "peak memory", "peak at 1,000 calls"],
    stdin.map(({ name, calls, perSecond, early, peak, firstPeak }) => [
      `${figure(calls)} ${name}`,
      `${figure(perSecond)} a second`,
      `${figure(early)} a second`,
      `${peak} MB`,
      `${firstPeak} MB`,
    ]),
  );
}

/** A time in the unit that reads best, from µs. */
export function time(us: number): string {
  if (us < 1_000) return `${figure(us)} µs`;
  return us < 1_000_000 ? `${figure(us / 1_000)} ms` : `${figure(us / 1_000_000)} s`;
}

/** A figure with three digits that count. */
function figure(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en-US");
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2).replace(/\.?0+$/, "");
}
