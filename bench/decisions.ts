/**
 * Measures decisions in process: `bun --no-env-file bench/decisions.ts [ROUNDS [alone]]`, and the same with `deno run -A --node-modules-dir=manual`.
 * Fresh lines stand apart from repeated ones, and a line costs a multiple of what the parser alone needs for it. Beside ours stand
 * the engines that `deno task bench:peers` and `deno task bench:engines` install. bench/README.md says how the calls are made.
 * With `--json` behind it, it prints the figures as JSON; `--seconds=N` ends behind that time.
 */
import { evaluate } from "../lib/decide/evaluate.ts";
import type { ToolCall } from "../lib/model/call.ts";
import { policyOf } from "../tests/support/policy.ts";
import { installedPeers, type PeerDecision } from "./decision_peers.ts";
import {
  asReceived,
  type CallKind,
  freshCalls,
  kindOf,
  parseWhole,
  rulesOf,
} from "./mixed_calls.ts";

const KINDS: readonly CallKind[] = ["bash", "file", "mcp"];
const COUNTS = [10, 100, 1_000, 10_000, 100_000];

/** The most rules that the other engines are given: some need minutes to take more. */
const MOST_OF_PEERS = 10_000;

/** The calls that are timed at once. */
const SLICE = 20;

/** The rounds, in each of which all take their turn. */
const WORDS = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const ROUNDS = Number(WORDS[0] ?? 60);

/** The time behind which no round begins. */
const LIMIT = process.argv.find((word) => word.startsWith("--seconds="))?.slice(10) ?? Infinity;

/** True where the other engines are left out. */
const isAlone = WORDS[1] === "alone";

/** The rounds between two turns of the other engines, and the time of such a turn, in ms. */
const EVERY = 10;
const PATIENCE = 400;

/** Something that is timed on calls. */
interface Runner {
  readonly run: (call: ToolCall) => unknown;
  /** The least time of each slice so far, by its name, in µs. */
  readonly least: Map<string, number>;
  /** The calls of each slice. */
  readonly sizes: Map<string, number>;
}

function runner(run: (call: ToolCall) => unknown): Runner {
  return { run, least: new Map(), sizes: new Map() };
}

/** The calls in slices of one kind; the name says the kind. */
function slicesOf(calls: readonly ToolCall[]): ReadonlyMap<string, readonly ToolCall[]> {
  const slices = new Map<string, ToolCall[]>();
  const counts = new Map<CallKind, number>();
  for (const call of calls) {
    const kind = kindOf(call);
    const count = counts.get(kind) ?? 0;
    counts.set(kind, count + 1);
    const name = `${kind} ${Math.floor(count / SLICE)}`;
    const slice = slices.get(name);
    if (slice) slice.push(call);
    else slices.set(name, [call]);
  }
  return slices;
}

/** Times calls slice by slice, until the patience is over. */
async function time(one: Runner, calls: readonly ToolCall[], patience = Infinity): Promise<void> {
  const { run, least, sizes } = one;
  const end = performance.now() + patience;
  for (const [name, slice] of slicesOf(calls)) {
    const start = performance.now();
    for (const call of slice) {
      const result = run(call);
      if (result instanceof Promise) await result;
    }
    const now = performance.now();
    const time = (now - start) * 1_000;
    least.set(name, Math.min(least.get(name) ?? Infinity, time));
    sizes.set(name, slice.length);
    if (now > end) return;
  }
}

/** The time of a call of some kinds, in µs; over the slices that others have, too. */
function meanOf({ least, sizes }: Runner, kinds: readonly CallKind[], also: Runner): number {
  let [time, count] = [0, 0];
  for (const [name, each] of least) {
    const [kind] = name.split(" ") as [CallKind];
    if (!kinds.includes(kind) || !also.least.has(name)) continue;
    time += each;
    count += sizes.get(name)!;
  }
  return time / count;
}

interface Subject {
  readonly name: string;
  readonly count: number;
  readonly fresh: Runner;
  readonly repeated: Runner;
}

function subject(name: string, count: number, decide: (call: ToolCall) => unknown): Subject {
  return { name, count, fresh: runner(decide), repeated: runner(decide) };
}

const policies = COUNTS.map((count) => policyOf(rulesOf(count)));
const ours = COUNTS.map((count, at) =>
  subject("caliban", count, (call) => evaluate(policies[at]!, call))
);
const parser = subject("parse and parts", 0, ({ tool, input }) => {
  if (tool === "Bash") parseWhole(String(input.command));
});
const peers: Subject[] = [];
for (const { name, withRules } of isAlone ? [] : await installedPeers()) {
  for (const count of COUNTS.filter((each) => each <= MOST_OF_PEERS)) {
    const decide: PeerDecision = await withRules(rulesOf(count));
    peers.push(subject(name, count, decide));
  }
}

const seen = freshCalls();
const end = performance.now() + Number(LIMIT) * 1_000;
let rounds = 0;
while (rounds < ROUNDS && (rounds < 3 || performance.now() < end)) {
  for (const { fresh, repeated } of [parser, ...ours]) {
    await time(fresh, freshCalls());
    await time(repeated, asReceived(seen));
  }
  if (rounds++ % EVERY !== 0) continue;
  for (const { fresh, repeated } of peers) {
    await time(fresh, freshCalls(), PATIENCE);
    await time(repeated, asReceived(seen), PATIENCE);
  }
}

const floor = meanOf(parser.fresh, ["bash"], parser.fresh);
const runtime = "Deno" in globalThis ? "Deno" : "Bun" in globalThis ? "Bun" : "Node";

/** Our figures, in µs a call; `growth` is the multiple of mixed fresh calls with ten rules. */
const own = ours.map(({ count, fresh, repeated }) => ({
  rules: count,
  bash: meanOf(fresh, ["bash"], fresh),
  bashRepeated: meanOf(repeated, ["bash"], repeated),
  file: meanOf(fresh, ["file"], fresh),
  mcp: meanOf(fresh, ["mcp"], fresh),
  growth: meanOf(fresh, KINDS, fresh) / meanOf(ours[0]!.fresh, KINDS, fresh),
}));

/** Those of the other engines for mixed calls; `times` are multiples of ours on the same slices. */
const others = peers.map(({ name, count, fresh, repeated }) => {
  const us = ours.find((each) => each.count === count)!;
  const [one, two] = [meanOf(fresh, KINDS, us.fresh), meanOf(repeated, KINDS, us.repeated)];
  return {
    name,
    rules: count,
    fresh: one,
    freshTimes: one / meanOf(us.fresh, KINDS, fresh),
    repeated: two,
    repeatedTimes: two / meanOf(us.repeated, KINDS, repeated),
  };
});

if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ runtime, rounds, parser: floor, ours: own, peers: others }));
} else printTables();

function cell(value: number, width = 9): string {
  return (value < 100 ? value.toFixed(2) : value.toFixed(0)).padStart(width);
}

function printTables(): void {
  console.log(`${runtime}: unbash, parse and all word parts: ${floor.toFixed(2)} µs a line\n`);
  console.log("µs a call    Bash fresh      ×  repeated      ×     file      MCP   to 10 rules");
  for (const { rules, bash, bashRepeated, file, mcp, growth } of own) {
    const line = cell(bash, 11) + cell(bash / floor, 7);
    const again = cell(bashRepeated, 10) + cell(bashRepeated / floor, 7);
    const rest = cell(file) + cell(mcp) + growth.toFixed(2).padStart(14);
    console.log(`${String(rules).padStart(6)} rules${line}${again}${rest}`);
  }
  if (others.length > 0) {
    console.log("\nmixed calls    rules      fresh  × ours   repeated  × ours");
  }
  for (const { name, rules, fresh, freshTimes, repeated, repeatedTimes } of others) {
    const cells = [
      cell(fresh, 11),
      cell(freshTimes, 8),
      cell(repeated, 11),
      cell(repeatedTimes, 8),
    ];
    console.log(`${name.padEnd(12)}${String(rules).padStart(8)}${cells.join("")}`);
  }
}
