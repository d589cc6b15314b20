import type { Nfa, NfaStep } from "./path/path_nfa.ts";

/** The most pairs of steps that are compared; two larger automata count as overlapping. */
const MAX_PAIRS = 250_000;

/** True if some text is accepted by both automata. Exact, unless they are too large: then true. */
export function nfasOverlap(one: Nfa, other: Nfa): boolean {
  const width = other.length;
  if (one.length * width > MAX_PAIRS) return true;
  const seen = new Uint8Array(one.length * width);
  const waiting: number[] = [0];
  seen[0] = 1;
  const add = (left: number, right: number) => {
    const pair = left * width + right;
    if (seen[pair] === 1) return;
    seen[pair] = 1;
    waiting.push(pair);
  };
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [left, right] = [Math.floor(pair / width), pair % width];
    const [a, b] = [one[left]!, other[right]!];
    if (a.kind === "fork") { for (const next of a.to) add(next, right); }
    else if (b.kind === "fork") { for (const next of b.to) add(left, next); }
    else if (a.kind === "accept" || b.kind === "accept") {
      if (a.kind === b.kind) return true;
    } else if (shareCode(a, b)) add(left + 1, right + 1);
  }
  return false;
}

type Taking = Exclude<NfaStep, { kind: "fork" | "accept" }>;

const SLASH = 0x2f;
const LAST = 0x10ffff;

/** True if some code point is taken by both steps. */
function shareCode(a: Taking, b: Taking): boolean {
  return [...codesOf(a), ...codesOf(b)].some((code) => takes(a, code) && takes(b, code));
}

/** Code points of which both steps take one if they share any: the ends of ranges and their neighbours. */
function codesOf(step: Taking): readonly number[] {
  if (step.kind === "char") return [step.code];
  if (step.kind !== "set") return [0, SLASH, LAST];
  const ends = step.ranges.flatMap((
    [low, high],
  ) => [low - 1, low, low + 1, high - 1, high, high + 1]);
  return [0, LAST, SLASH - 1, SLASH + 1, ...ends.filter((code) => code >= 0 && code <= LAST)];
}

function takes(step: Taking, code: number): boolean {
  switch (step.kind) {
    case "char":
      return step.code === code;
    case "any":
      return true;
    case "inner":
      return code !== SLASH;
    case "set":
      return code !== SLASH &&
        step.negated !== step.ranges.some(([low, high]) => low <= code && code <= high);
  }
}
