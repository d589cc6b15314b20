/**
 * Measures matching: deno run bench/matching.ts (or bun bench/matching.ts; picomatch needs bun install).
 *
 * 1. The worst globs against 4,000 characters, ours against picomatch and a naive RegExp; those two on as many characters
 *    as they manage in a tenth of a second, since they never finish all.
 * 2. Decisions per rule count: 70 % Bash (a third of it compound), 20 % paths, 10 % MCP.
 */
// @ts-types="@types/picomatch"
import picomatch from "picomatch";
import { evaluate } from "../lib/decide/evaluate.ts";
import type { Action, ToolCall } from "../lib/model/call.ts";
import { matchGlob, parseGlob } from "../lib/pattern/glob.ts";
import { mayPathMatcher, mustPathMatcher } from "../lib/pattern/path/match_path.ts";
import { parsePathPattern } from "../lib/pattern/path/path_pattern.ts";
import type { CompiledPolicy } from "../lib/policy/compile/compiled_policy.ts";
import { CONTEXT, policyOf, type TestRule } from "../tests/support/policy.ts";

const PATH_GLOB = "**/*a*a*a*b";
const STRING_GLOB = "*a*a*a*a*b";
const LENGTH = 4_000;
const PATIENCE_MS = 100;

/** The median time of one run, in ms, over at least 20 ms of runs. */
function median(run: () => unknown): number {
  const times: number[] = [];
  for (const end = performance.now() + 20; performance.now() < end || times.length < 5;) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1]!;
}

/** The most characters, doubling from 50, that a matcher takes within its patience; and the time it took. */
function endurance(matches: (text: string) => unknown): { length: number; ms: number } {
  let best = { length: 0, ms: 0 };
  for (let length = 50; length <= LENGTH; length = Math.min(length * 2, LENGTH)) {
    const text = "a".repeat(length);
    const start = performance.now();
    matches(text);
    best = { length, ms: performance.now() - start };
    if (best.ms > PATIENCE_MS || length === LENGTH) break;
  }
  return best;
}

function pathMatchers(): { strict: (text: string) => unknown; wide: (text: string) => unknown } {
  const pattern = parsePathPattern(PATH_GLOB);
  if (!pattern.ok) throw new Error(pattern.error.detail);
  const [strict, wide] = [
    mustPathMatcher(pattern.value),
    mayPathMatcher(pattern.value, CONTEXT),
  ];
  const facts = (text: string) =>
    ({ ok: true, raw: text, folded: [], forms: [{ root: text, workspace: text }] }) as const;
  return { strict: (text) => strict(facts(text)), wide: (text) => wide(facts(text)) };
}

function benchWorst(): void {
  const glob = parseGlob(STRING_GLOB);
  if (!glob.ok) throw new Error(glob.error.detail);
  const { strict, wide } = pathMatchers();
  const text = "a".repeat(LENGTH);
  const [paths, strings] = [median(() => strict(text)), median(() => matchGlob(glob.value, text))];
  const naive = new RegExp(`^${STRING_GLOB.replaceAll("*", ".*")}$`, "s");
  const theirs = picomatch(PATH_GLOB, { dot: true });
  console.log(`worst case, ${LENGTH} characters "a" that do not fit (ms)`);
  console.log(`  ours, ${PATH_GLOB} allow   ${paths.toFixed(3)}`);
  console.log(`  ours, ${PATH_GLOB} deny    ${median(() => wide(text)).toFixed(3)}`);
  console.log(`  ours, ${STRING_GLOB} text   ${strings.toFixed(3)}`);
  for (
    const [name, run, own] of [["picomatch", theirs, strict], [
      "RegExp",
      (t: string) => naive.test(t),
      (t: string) => matchGlob(glob.value, t),
    ]] as const
  ) {
    const { length, ms } = endurance(run);
    const ours = median(() => own("a".repeat(length)));
    console.log(
      `  ${name}: ${ms.toFixed(0)} ms for ${length} characters, ${(ms / ours).toFixed(0)} x ours`,
    );
  }
}

function ruleAt(index: number): TestRule {
  const action = (["allow", "allow", "ask", "deny"] as const)[index % 4]! satisfies Action;
  const kind = index % 10;
  if (kind < 7) return { pattern: `Bash:tool${index} sub${index % 5} *`, action };
  if (kind < 9) return { pattern: `${index % 2 ? "Write" : "Read"}:src/module${index}/**`, action };
  return { pattern: `mcp__server${index % 50}__tool${index}`, action };
}

/** Rules as people have them: one that decides, many that do not concern the call, and three that catch the rest. */
function policyWith(count: number): CompiledPolicy {
  const rules = Array.from({ length: count }, (_, index) => ruleAt(index));
  return policyOf([
    ...rules,
    { pattern: "Read", action: "allow" },
    { pattern: "Bash", action: "ask" },
    { pattern: "*", action: "ask" },
  ]);
}

function callAt(index: number, count: number): ToolCall {
  // 7,921 is 1 modulo 10: each kind of call aims at rules of its own kind.
  const aim = (index * 7_921) % count;
  if (index % 10 < 7) {
    const command = `tool${aim} sub${aim % 5} --flag file${index}`;
    const odd = ["", "; ls -la", "", "", ` "a message"`, " | wc -l", ""][index % 7]!;
    return { tool: "Bash", input: { command: command + odd } };
  }
  if (index % 10 < 9) {
    const tool = index % 2 ? "Write" : "Read";
    return { tool, input: { path: `/home/u/ws/src/module${aim}/file${index}.ts` } };
  }
  return { tool: `mcp__server${aim % 50}__tool${aim % 200}`, input: { query: "x" } };
}

function benchRules(): void {
  const counts = [10, 100, 1_000, 10_000];
  const runs = counts.map((count) => {
    const policy = policyWith(count);
    // A session's worth of different calls, each made ten times.
    const calls = Array.from({ length: 2_000 }, (_, index) => callAt(index % 200, count));
    return { run: () => calls.forEach((call) => evaluate(policy, call)), times: [] as number[] };
  });
  // One unmeasured round compiles the rules of every tool; then all sizes in turn, so that drift hits all alike.
  for (let round = 0; round <= 21; round++) {
    for (const { run, times } of runs) {
      const start = performance.now();
      run();
      if (round > 0) times.push((performance.now() - start) / 2_000 * 1_000);
    }
  }
  const medians = runs.map(({ times }) => times.sort((a, b) => a - b)[times.length >> 1]!);
  console.log("\ndecisions, µs each (70 % Bash, a third compound or piped; 20 % paths; 10 % MCP)");
  for (const [index, count] of counts.entries()) {
    console.log(`  ${String(count).padStart(6)} rules  ${medians[index]!.toFixed(2)}`);
  }
  console.log(`  ratio 10,000 : 10   ${(medians[3]! / medians[0]!).toFixed(2)}`);
}

benchWorst();
benchRules();
