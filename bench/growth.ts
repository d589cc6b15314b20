/**
 * Measures how a decision grows with the length of a line and with its commands: `bun --no-env-file bench/growth.ts [ROUNDS]`, and the same with
 * `deno run -A --node-modules-dir=manual`. With `--json` behind it, it prints the figures as JSON. Figures are CPU time of this process; every line is
 * fresh, and all take their turn.
 */
import process from "node:process";
import { evaluate } from "../lib/decide/evaluate.ts";
import { policyOf } from "../tests/support/policy.ts";
import { installedPeers } from "./decision_peers.ts";
import { parseWhole, rulesOf } from "./mixed_calls.ts";

const RULES = 1_000;
const ROUNDS = Number(process.argv.slice(2).find((word) => word !== "--json") ?? 20);

/** The last length lies just below the longest line that is analysed, a mebibyte. */
const LENGTHS = [20, 100, 1_000, 10_000, 100_000, 1_048_000];
const UNITS = [1, 10, 100, 1_000, 10_000];

/** The least CPU time of a turn, and the most that one point may take in all, in µs. */
const TURN = 2_000;
const PATIENCE = 3_000_000;

/** A line of a size: of so many bytes, or so many commands. */
type Maker = (size: number, serial: number) => string;

const ARGUMENTS: Maker = (size, serial) => {
  const start = `git add ${serial}`;
  let line = start;
  for (let at = 0; line.length < size; at++) line += ` packages/core/src/file${at}.ts`;
  // Without its number a line would come again.
  return line.slice(0, Math.max(size, start.length));
};
/** Long words: a line of more than 50,000 is not analysed. */
const TEXT = "long-words-of-a-message-for-git long-words-of-a-document-as-well";
const QUOTED: Maker = (size, serial) => `git log ${serial} "${filled(`${TEXT} `, size - 19)}"`;
const DOCUMENT: Maker = (size, serial) =>
  `cat <<'E'\n${serial}\n${filled(`${TEXT}\n`, size - 20)}\nE`;
const LIST: Maker = (size, serial) =>
  Array.from({ length: size }, (_, at) => `git log ${serial + at}`).join("; ");
const MIXED: Maker = (size, serial) =>
  Array.from(
    { length: size },
    (_, at) =>
      ["cat src/a", "grep -n word", "git show HEAD~", "npm test "][at % 4]! + (serial + at),
  ).join(" | ");

function filled(text: string, size: number): string {
  return text.repeat(Math.ceil(Math.max(0, size) / text.length)).slice(0, Math.max(0, size));
}

/** One curve: lines of growing size, and its answers to them. */
interface Curve {
  readonly name: string;
  readonly make: Maker;
  readonly run: (command: string) => unknown;
  /** The least µs a line by size, the CPU time spent, and the last answer. */
  readonly points: Map<number, { us: number; spent: number; action?: string | undefined }>;
}

const policy = policyOf(rulesOf(RULES));
const ours = (command: string) => evaluate(policy, { tool: "Bash", input: { command } }).action;
const curve = (name: string, make: Maker, run: Curve["run"]): Curve => ({
  name,
  make,
  run,
  points: new Map(),
});
const gemini = (await installedPeers()).find(({ name }) => name === "Gemini CLI");
const geminis = await gemini?.withRules(rulesOf(RULES));

const length = [
  curve("arguments", ARGUMENTS, ours),
  curve("one quoted text", QUOTED, ours),
  curve("here-document", DOCUMENT, ours),
  curve("parser alone, arguments", ARGUMENTS, parseWhole),
];
const units = [
  curve("list, a; b; c", LIST, ours),
  curve("pipeline, a | b | c", MIXED, ours),
  curve("parser alone, list", LIST, parseWhole),
  ...geminis === undefined ? [] : [
    curve(gemini!.name, LIST, (command) => geminis({ tool: "Bash", input: { command } })),
  ],
];

let serial = 100_000;

/** One turn of a curve at a size: lines until the turn is long enough to be timed. */
async function turn({ make, run, points }: Curve, size: number): Promise<void> {
  const point = points.get(size) ?? { us: Infinity, spent: 0 };
  if (point.spent > PATIENCE) return;
  points.set(size, point);
  // Lines are made before the clock starts.
  const count = Math.max(1, Math.min(200, Math.ceil(TURN / Math.min(point.us, TURN))));
  const lines = Array.from({ length: count }, () => make(size, serial += 20_000));
  let answer: unknown;
  const start = process.cpuUsage();
  for (const line of lines) {
    const result = run(line);
    answer = result instanceof Promise ? await result : result;
  }
  const { user, system } = process.cpuUsage(start);
  point.us = Math.min(point.us, (user + system) / count);
  point.spent += user + system;
  if (typeof answer === "string") point.action = answer;
}

for (let round = 0; round < ROUNDS; round++) {
  for (const [curves, sizes] of [[length, LENGTHS], [units, UNITS]] as const) {
    for (const each of curves) {
      for (const size of sizes) await turn(each, size);
    }
  }
}

const pointsOf = ({ name, points }: Curve) => ({
  name,
  points: [...points].map(([size, { us, action }]) => ({ size, us, ...action && { action } })),
});
const runtime = "Deno" in globalThis ? "Deno" : "Bun" in globalThis ? "Bun" : "Node";
const figures = { runtime, rules: RULES, length: length.map(pointsOf), units: units.map(pointsOf) };
if (process.argv.includes("--json")) console.log(JSON.stringify(figures));
else {
  for (const { name, points } of [...figures.length, ...figures.units]) {
    for (const { size, us, action = "" } of points) {
      console.log(
        `${name.padEnd(24)}${String(size).padStart(9)}${us.toFixed(1).padStart(13)} µs  ${action}`,
      );
    }
  }
}
