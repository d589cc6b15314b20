/**
 * Measures decisions in process: `bun --no-env-file bench/decisions.ts [ROUNDS [alone]]`, and the same with `deno run -A --node-modules-dir=manual`.
 * Fresh lines stand apart from repeated ones, and a line costs a multiple of what the parser alone needs for it. Beside ours stand
 * the engines that `deno task bench:peers` and `deno task bench:engines` install. bench/README.md says how the calls are made.
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
const COUNTS = [10, 1_000, 10_000];

/** The calls that are timed at once. */
const SLICE = 20;

/** The rounds, in each of which all take their turn. */
const ROUNDS = Number(process.argv[2] ?? 60);

/** True where the other engines are left out. */
const isAlone = process.argv[3] === "alone";

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
  for (const count of COUNTS) {
    const decide: PeerDecision = await withRules(rulesOf(count));
    peers.push(subject(name, count, decide));
  }
}

const seen = freshCalls();
for (let round = 0; round < ROUNDS; round++) {
  for (const { fresh, repeated } of [parser, ...ours]) {
    await time(fresh, freshCalls());
    await time(repeated, asReceived(seen));
  }
  if (round % EVERY !== 0) continue;
  for (const { fresh, repeated } of peers) {
    await time(fresh, freshCalls(), PATIENCE);
    await time(repeated, asReceived(seen), PATIENCE);
  }
}

function cell(value: number, width = 9): string {
  return (value < 100 ? value.toFixed(2) : value.toFixed(0)).padStart(width);
}

const floor = meanOf(parser.fresh, ["bash"], parser.fresh);
const runtime = "Deno" in globalThis ? "Deno" : "Bun" in globalThis ? "Bun" : "Node";
console.log(`${runtime}: unbash, parse and all word parts: ${floor.toFixed(2)} µs a line\n`);
console.log("µs a call    Bash fresh      ×  repeated      ×     file      MCP   to 10 rules");
for (const { count, fresh, repeated } of ours) {
  const [line, again] = [fresh, repeated].map((each) => meanOf(each, ["bash"], each));
  const others = KINDS.slice(1).map((kind) => cell(meanOf(fresh, [kind], fresh)));
  const first = meanOf(ours[0]!.fresh, KINDS, fresh);
  const growth = (meanOf(fresh, KINDS, fresh) / first).toFixed(2).padStart(14);
  console.log(
    `${String(count).padStart(6)} rules${cell(line!, 11)}${cell(line! / floor, 7)}${
      cell(again!, 10)
    }${cell(again! / floor, 7)}${others.join("")}${growth}`,
  );
}
if (peers.length > 0) console.log("\nmixed calls    rules      fresh  × ours   repeated  × ours");
for (const { name, count, fresh, repeated } of peers) {
  const own = ours.find((each) => each.count === count)!;
  const cells = [[fresh, own.fresh], [repeated, own.repeated]].map(([peer, us]) => {
    const mean = meanOf(peer!, KINDS, us!);
    return cell(mean, 11) + cell(mean / meanOf(us!, KINDS, peer!), 8);
  });
  console.log(`${name.padEnd(12)}${String(count).padStart(8)}${cells.join("")}`);
}
