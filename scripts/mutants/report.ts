import type { Outcome } from "./play.ts";

/** The part of a room's mutants that tests must notice, without those that are listed. */
export const BUDGET = 0.9;

/** The result of a room. */
export interface Row {
  readonly room: string;
  /** Mutants that were noticed, and those of them that a time-out ended. */
  readonly noticed: number;
  readonly late: number;
  readonly live: readonly Outcome[];
  /** Mutants for which there was no time. */
  readonly undecided: number;
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
    undecided: outcomes.filter(({ state }) => state === "undecided").length,
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
    undecided: sum(({ undecided }) => undecided),
    listed: sum(({ listed }) => listed),
  };
}

/** Prints the live mutants of a room. */
export function printRoom({ room, live }: Row, ms: number): void {
  console.log(`lib/${room} (${(ms / 1000).toFixed(0)} s since the start)`);
  for (const { mutant: { file, line, operator, change, code }, note } of live) {
    console.log(`  live: ${file}:${line} ${operator}: ${change}${note === "" ? "" : ` (${note})`}`);
    console.log(`        ${code}`);
  }
}

/** Prints a line a room. */
export function printTable(rows: readonly Row[]): void {
  if (rows.length === 0) {
    console.log("No mutant: no file of a deciding room is among those that were asked for");
    return;
  }
  console.log("room              mutants  noticed (time-out)  live  undecided  listed  score");
  for (const row of rows.length > 1 ? [...rows, total(rows)] : rows) {
    const { room, noticed, late, live, undecided, listed } = row;
    const mutants = noticed + live.length + undecided + listed;
    const score = `${(scoreOf(row) * 100).toFixed(1)} %${
      scoreOf(row) < BUDGET ? "  below the budget" : ""
    }`;
    console.log(
      room.padEnd(18) + `${mutants}`.padStart(7) + `${noticed} (${late})`.padStart(20) +
        `${live.length}`.padStart(6) + `${undecided}`.padStart(11) + `${listed}`.padStart(8) +
        `  ${score}`,
    );
  }
}

/** A test a room, failed when it is below the budget; the rooms of a sample are counted together. */
export function junit(rows: readonly Row[], isSample: boolean): string {
  const together = scoreOf(total(rows));
  const bad = (row: Row) => row.live.length > 0 && (isSample ? together : scoreOf(row)) < BUDGET;
  const tests = rows.map((row) => {
    const name = `mutants of lib/${row.room}`;
    if (!bad(row)) return `<testcase name="${name}"/>`;
    const lines = row.live.map(({ mutant: { file, line, change } }) => `${file}:${line} ${change}`);
    return `<testcase name="${name}"><failure>${escaped(lines.join("\n"))}</failure></testcase>`;
  });
  const failures = rows.filter(bad).length;
  return `<testsuites tests="${rows.length}" failures="${failures}" errors="0">${
    tests.join("")
  }</testsuites>\n`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
