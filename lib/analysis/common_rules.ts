import { patternKey } from "./pattern_key.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";

/** The rules of two lists that are in the other one too, in an order that both have; what else there is can make a difference. */
export interface CommonRules {
  /** Rules of the first list that the second lacks, or has in another place. */
  readonly old: ReadonlySet<CompiledRule>;
  /** Rules of the second that the first lacks, or has in another place. */
  readonly new: ReadonlySet<CompiledRule>;
}

/** Compares two lists; the order within a run of rules with the same action counts for nothing. */
export function changedRules(
  old: readonly CompiledRule[],
  now: readonly CompiledRule[],
): CommonRules {
  const first = inRuns(old);
  const second = inRuns(now);
  const places = new Map<string, number[]>();
  for (const [at, rule] of second.entries()) {
    const key = keyOf(rule);
    const known = places.get(key);
    if (known) known.push(at);
    else places.set(key, [at]);
  }
  const pairs = first.flatMap((rule, at) => {
    const other = places.get(keyOf(rule))?.shift();
    return other === undefined ? [] : [[at, other] as const];
  });
  const kept = increasing(pairs.map(([, other]) => other)).map((at) => pairs[at]!);
  const keptOld = new Set(kept.map(([at]) => first[at]!));
  const keptNew = new Set(kept.map(([, at]) => second[at]!));
  return {
    old: new Set(old.filter((rule) => !keptOld.has(rule))),
    new: new Set(now.filter((rule) => !keptNew.has(rule))),
  };
}

function keyOf(rule: CompiledRule): string {
  return `${rule.action} ${patternKey(rule.parsed)}`;
}

/** The rules, those next to each other with the same action in the order of their patterns. */
function inRuns(rules: readonly CompiledRule[]): readonly CompiledRule[] {
  const runs: CompiledRule[][] = [];
  for (const rule of rules) {
    const last = runs.at(-1);
    if (last?.[0]?.action === rule.action) last.push(rule);
    else runs.push([rule]);
  }
  return runs.flatMap((run) => run.sort((a, b) => keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The places of a longest increasing part of a list of numbers. */
function increasing(numbers: readonly number[]): readonly number[] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, number] of numbers.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : ends[low - 1]!;
    ends[low] = at;
  }
  const places: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) places.push(at);
  return places.reverse();
}
