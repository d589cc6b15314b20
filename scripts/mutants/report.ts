import type { Outcome } from "./outcome.ts";

/** The part of a room's mutants that tests must notice, without those that are listed. */
export const BUDGET = 0.9;

/** The fewest decided mutants of a sample by whose score it is judged. */
const LEAST = 10;

/** The result of a room. */
export interface Row {
  readonly room: string;
  /** Mutants that were noticed, and those of them that a time-out ended. */
  readonly noticed: number;
  readonly late: number;
  readonly live: readonly Outcome[];
  /** Mutants for which there was no time, or too little. */
  readonly undecided: readonly Outcome[];
  /** Mutants that `equivalents.json` names; they are not tried. */
  readonly listed: number;
}

/** The row of a room's outcomes. */
export function rowOf(room: string, outcomes: readonly Outcome[], listed: number): Row {
  const noticed = outcomes.filter(({ state }) => state === "noticed");
  return {
    room,
    noticed: noticed.length,
    late: noticed.filter(({ by }) => by === "(time-out)").length,
    live: outcomes.filter(({ state }) => state === "live"),
    undecided: outcomes.filter(({ state }) => state === "undecided"),
    listed,
  };
}

/** Noticed mutants of those that were decided; 1 when there are none. */
export function scoreOf({ noticed, live }: Row): number {
  const tried = noticed + live.length;
  return tried === 0 ? 1 : noticed / tried;
}

/** All rows as one. */
export function total(rows: readonly Row[]): Row {
  const sum = (of: (row: Row) => number) => rows.reduce((count, row) => count + of(row), 0);
  return {
    room: "all",
    noticed: sum(({ noticed }) => noticed),
    late: sum(({ late }) => late),
    live: rows.flatMap(({ live }) => live),
    undecided: rows.flatMap(({ undecided }) => undecided),
    listed: sum(({ listed }) => listed),
  };
}

/** The rows that fail: those below the budget, where the rooms of a sample are counted together, and too few of them not at all. */
export function failing(rows: readonly Row[], isSample: boolean): readonly Row[] {
  if (!isSample) return rows.filter((row) => scoreOf(row) < BUDGET);
  const all = total(rows);
  if (isTooSmall(all) || scoreOf(all) >= BUDGET) return [];
  return rows.filter(({ live }) => live.length > 0);
}

function isTooSmall({ noticed, live }: Row): boolean {
  return noticed + live.length < LEAST;
}

/** Prints the live mutants of a room, and those whose tests did not all run. */
export function printRoom({ room, live, undecided }: Row, seconds: number): void {
  console.log(`lib/${room} (${seconds} s since the start)`);
  const begun = undecided.filter(({ note }) => note !== "");
  for (
    const { mutant: { file, line, operator, change, code }, state, note } of [...live, ...begun]
  ) {
    const reason = note === "" ? "" : ` (${note})`;
    console.log(`  ${state}: ${file}:${line} ${operator}: ${change}${reason}`);
    console.log(`        ${code}`);
  }
}

/** Prints a line a room. */
export function printTable(rows: readonly Row[], isSample: boolean): void {
  if (rows.length === 0) {
    console.log("No mutant: no file of a deciding room is among those that were asked for");
    return;
  }
  const isJudged = !isSample || !isTooSmall(total(rows));
  console.log("room              mutants  noticed (time-out)  live  undecided  listed  score");
  for (const row of rows.length > 1 ? [...rows, total(rows)] : rows) {
    const { room, noticed, late, live, undecided, listed } = row;
    const mutants = noticed + live.length + undecided.length + listed;
    const score = `${(scoreOf(row) * 100).toFixed(1)} %${
      isJudged && scoreOf(row) < BUDGET ? "  below the budget" : ""
    }`;
    console.log(
      room.padEnd(18) + `${mutants}`.padStart(7) + `${noticed} (${late})`.padStart(20) +
        `${live.length}`.padStart(6) + `${undecided.length}`.padStart(11) +
        `${listed}`.padStart(8) +
        `  ${score}`,
    );
  }
  if (!isJudged) console.log(`Fewer than ${LEAST} mutants are decided: their score fails nothing`);
}

/** A test a room; those of `failing` failed. */
export function junit(rows: readonly Row[], isSample: boolean): string {
  const bad = failing(rows, isSample);
  const tests = rows.map((row) => {
    const name = `mutants of lib/${row.room}`;
    if (!bad.includes(row)) return `<testcase name="${name}"/>`;
    const lines = row.live.map(({ mutant: { file, line, change } }) => `${file}:${line} ${change}`);
    return `<testcase name="${name}"><failure>${escaped(lines.join("\n"))}</failure></testcase>`;
  });
  return `<testsuites tests="${rows.length}" failures="${bad.length}" errors="0">${
    tests.join("")
  }</testsuites>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
