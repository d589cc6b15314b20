import type { Difference, Differences, Uncompared } from "./analysis.ts";
import { differences } from "./differences.ts";
import type { AnalysisOptions } from "./rule_space.ts";
import { evaluate } from "../decide/evaluate.ts";
import { hasEnd } from "../decide/first_match.ts";
import { callOf } from "../model/call.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { formatInstant } from "../text/instant.ts";

/** A group of calls, and the time from which it is decided differently. */
export interface TimedDifference extends Difference {
  /** RFC 3339; absent for now. */
  readonly from?: string;
}

/** The differences now and later. */
export interface TimedDifferences {
  /** Every group, those of now first. */
  readonly groups: readonly TimedDifference[];
  /** Parts that could not be compared exactly. */
  readonly unknown: readonly Uncompared[];
}

/** The most later moments that are compared: the ends of rules, soonest first. */
const MOST_MOMENTS = 8;

/**
 * Compares two policies at a time, in ms since 1970-01-01T00:00Z, and, if rules expire by themselves, after
 * each of these ends.
 */
export function timedDifferences(
  old: CompiledPolicy,
  now: CompiledPolicy,
  time: number,
  options: Pick<AnalysisOptions, "onStep"> = {},
): TimedDifferences {
  const first = differences(old, now, { ...options, now: time });
  const groups = new Map<string, TimedDifference>();
  const unknown = new Map(first.unknown.map((each) => [each.text, each]));
  const add = ({ groups: found }: Differences, from?: string) => {
    for (const group of found) {
      const key = keyOf(group);
      if (!groups.has(key)) groups.set(key, from === undefined ? group : { ...group, from });
    }
  };
  add(first);
  add(openDifferences(old, now, time));
  const ends = endsOf([old, now], time);
  for (const moment of laterMoments([old, now], time)) {
    const later = differences(old, now, { ...options, now: moment });
    add(later, formatInstant(moment - 1));
    for (const each of later.unknown) unknown.set(each.text, each);
  }
  if (ends.length > MOST_MOMENTS) {
    const text = `differences after ${formatInstant(ends[MOST_MOMENTS]!)}, when further rules end`;
    unknown.set(text, { kind: "open", text });
  }
  return { groups: [...groups.values()], unknown: [...unknown.values()] };
}

/** Commands that read, write or fetch something that the line does not fix: a rule may show in these alone. */
const OPEN: readonly string[] = [
  'rm "$a"',
  'cat "$a"',
  'curl "$a"',
  'echo a > "$a"',
  'cat < "$a"',
  "xargs rm",
];

/** The calls among these that two policies decide differently. */
function openDifferences(old: CompiledPolicy, now: CompiledPolicy, time: number): Differences {
  const calls = now.profiles.known.flatMap((profile) =>
    profile.kind === "command" ? OPEN.flatMap((text) => callOf(profile, text) ?? []) : []
  );
  const groups = calls.flatMap((witness) => {
    const [was, is] = [old, now].map((policy) => evaluate(policy, witness, { now: time }));
    if (was === undefined || is === undefined || was.action === is.action) return [];
    return [{
      witness,
      was: { action: was.action, rule: was.rule },
      now: { action: is.action, rule: is.rule },
    }];
  });
  return { groups, unknown: [] };
}

/** The ends of rules that expire by themselves, from a time on. */
function endsOf(policies: readonly CompiledPolicy[], time: number): readonly number[] {
  const ends = policies.flatMap(({ rules, settings }) =>
    rules.flatMap((rule) => hasEnd(rule, settings) ? rule.expiresAt! : [])
  );
  return [...new Set(ends)].filter((end) => end >= time).sort((a, b) => a - b);
}

/** The moments after the soonest ends of rules, as many as are compared. */
export function laterMoments(policies: readonly CompiledPolicy[], time: number): readonly number[] {
  return endsOf(policies, time).slice(0, MOST_MOMENTS).map((end) => end + 1);
}

function keyOf({ was, now }: Difference): string {
  return `${was.action} ${was.rule?.index} ${now.action} ${now.rule?.index}`;
}
