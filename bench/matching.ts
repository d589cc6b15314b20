/**
 * Measures the worst globs against 4,000 characters: deno run bench/matching.ts (or bun bench/matching.ts; picomatch needs bun
 * install). Beside ours stand picomatch and a naive RegExp, on as many characters as they manage in a tenth of a second, since they
 * never finish all.
 */
// @ts-types="@types/picomatch"
import picomatch from "picomatch";
import { matchGlob, parseGlob } from "../lib/pattern/glob.ts";
import { mayPathMatcher, mustPathMatcher } from "../lib/pattern/path/match_path.ts";
import { parsePathPattern } from "../lib/pattern/path/path_pattern.ts";
import { CONTEXT } from "../tests/support/policy.ts";

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

benchWorst();
