import { decideInMode } from "../decide/decide.ts";
import { evaluateCall } from "../decide/evaluate.ts";
import { hasEnd } from "../decide/first_match.ts";
import { MODES } from "../decide/modes.ts";
import { type Action, type Json, strictness, type ToolCall } from "../model/call.ts";
import { onlyText } from "../pattern/glob.ts";
import type { CompiledPolicy, CompiledRule } from "../policy/compile/compiled_policy.ts";
import { usableFile } from "../policy/sources/entry_text.ts";
import { laterMoments, timedDifferences } from "./timed_differences.ts";

/** The answer to the question if a policy allows nothing that another one does not. */
export type NoLooser =
  | { readonly kind: "proven" }
  /** It may be looser, and why; one sentence without a final full stop. */
  | { readonly kind: "unproven"; readonly why: string };

/**
 * Proves that a policy answers no call more leniently than another, in any mode. Everything but the rules must be the same.
 * The rules may differ in ways that tighten under any meaning of their patterns, or the exact comparison must be complete.
 * Errs towards `unproven`. `time` in ms since 1970-01-01T00:00Z.
 */
export function noLooser(old: CompiledPolicy, now: CompiledPolicy, time: number): NoLooser {
  const setting = settingApart(old, now);
  if (setting !== undefined) return unproven(`${setting} differs`);
  const looser = looserEdit(old, now);
  for (const weight of WEIGHTS) {
    const [before, after] = [strictFrom(old, weight), strictFrom(now, weight)];
    if (before === undefined || after === undefined) {
      return unproven("the rules cannot be compared");
    }
    const { groups, unknown } = timedDifferences(before, after, time);
    const group = groups.find(({ was, now }) => strictness(now.action) < strictness(was.action));
    if (group !== undefined) {
      const rule = group.now.rule ?? group.was.rule;
      const about = rule === null ? "" : `, by \`${rule.action} ${rule.pattern}\``;
      return unproven(`a call of ${group.witness.tool} is decided more leniently${about}`);
    }
    if (looser !== undefined && unknown.length > 0) return unproven(looser);
  }
  const trial = looserTrial(old, now, [time, ...laterMoments([old, now], time)]);
  if (trial === undefined) return { kind: "proven" };
  return unproven(`a call of ${trial.tool} with a malformed input is decided more leniently`);
}

function unproven(why: string): NoLooser {
  return { kind: "unproven", why };
}

/** The name of what differs beside the rules; undefined if nothing does. */
function settingApart(old: CompiledPolicy, now: CompiledPolicy): string | undefined {
  const parts: readonly (readonly [string, (policy: CompiledPolicy) => unknown])[] = [
    ["a setting", ({ settings }) => settings],
    ["a [tools] table", ({ sources }) => [...sources.tools].sort(([a], [b]) => a < b ? -1 : 1)],
    ["a hook", hooksOf],
    ["the workspace", ({ context }) => context],
  ];
  return parts.find(([, of]) => textOf(of(old)) !== textOf(of(now)))?.[0];
}

/** The value as text, without the places that it comes from. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (key, part) => key === "source" ? undefined : part);
}

function hooksOf({ sources }: CompiledPolicy): unknown {
  return sources.entries.map((entry) =>
    (usableFile(entry)?.hooks ?? []).map((
      { event, matcher, command },
    ) => [event, matcher?.value, command.value])
  );
}

/** The asks that count as denials in each comparison: none, every written one, those that outlast most modes. */
const WEIGHTS = ["none", "written", "specific"] as const;

/** The policy with its asks of a weight denied: an ask that becomes a lighter one then shows as looser. */
function strictFrom(
  policy: CompiledPolicy,
  weight: (typeof WEIGHTS)[number],
): CompiledPolicy | undefined {
  const { defaultMode: _, enforce: __, ...settings } = policy.sources.settings;
  const rules = policy.sources.rules.map((placed, index) => {
    const rule = policy.rules[index]!;
    const isHeavy = rule.action === "ask" && rule.source.kind !== "builtin" &&
      (weight === "written" || weight === "specific" && rule.parsed.specifier !== undefined);
    return isHeavy ? { ...placed, action: "deny" as const } : placed;
  });
  return policy.with({ ...policy.sources, rules, settings });
}

/** The most pairs of rules that are aligned. */
const MOST_PAIRS = 4_000_000;

/**
 * The reason why the edit of the rules may loosen an answer. Undefined for an edit that cannot under any meaning of their
 * patterns: it takes allow rules away, and puts deny rules anywhere, and ask rules below every written deny and ask.
 */
function looserEdit(old: CompiledPolicy, now: CompiledPolicy): string | undefined {
  const aligned = alignment(old.rules, now.rules);
  if (aligned === undefined) return "too many rules differ";
  const named = ({ action, pattern }: CompiledRule) => `\`${action} ${pattern}\``;
  const gone = aligned.removed.find(({ action }) => action !== "allow");
  if (gone !== undefined) return `the rule ${named(gone)} is gone or has moved`;
  const last = now.rules.findLastIndex(({ action, source }) =>
    action !== "allow" && source.kind !== "builtin"
  );
  const added = aligned.inserted.find(({ action, index }) =>
    action === "allow" || action === "ask" && index < last
  );
  if (added !== undefined) return `the rule ${named(added)} is new or has moved`;
  const kept = aligned.kept.find(([was, is]) => !endsNoLooser(was, is, now));
  return kept && `the rule ${named(kept[1])} ends at another time`;
}

/** True if a rule with another end is no looser: an allow ends no later, and a deny no sooner. */
function endsNoLooser(was: CompiledRule, is: CompiledRule, { settings }: CompiledPolicy): boolean {
  const [before, after] = [was, is].map((rule) =>
    hasEnd(rule, settings) ? rule.expiresAt! : Infinity
  ) as [number, number];
  if (before === after) return true;
  return is.action === "allow" ? after < before : is.action === "deny" && after > before;
}

interface Alignment {
  readonly kept: readonly (readonly [was: CompiledRule, is: CompiledRule])[];
  readonly removed: readonly CompiledRule[];
  readonly inserted: readonly CompiledRule[];
}

/** The longest common subsequence of two lists of rules, and what is left; undefined where they are too long. */
function alignment(
  old: readonly CompiledRule[],
  now: readonly CompiledRule[],
): Alignment | undefined {
  if (old.length * now.length > MOST_PAIRS) return undefined;
  const keys = (rules: readonly CompiledRule[]) =>
    rules.map(({ action, pattern, source: { kind } }) =>
      `${action} ${kind === "local" ? "project" : kind} ${pattern}`
    );
  const [before, after] = [keys(old), keys(now)];
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] = before[i] === after[j]
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const kept: (readonly [CompiledRule, CompiledRule])[] = [];
  const [removed, inserted]: [CompiledRule[], CompiledRule[]] = [[], []];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && before[i] === after[j]) {
      kept.push([old[i++]!, now[j++]!]);
    } else if (
      j >= now.length ||
      i < old.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!
    ) removed.push(old[i++]!);
    else inserted.push(now[j++]!);
  }
  return { kept, removed, inserted };
}

/** First arguments that no rule with a specifier can be evaluated on: values that are no text, no path, no URL and no line. */
const MALFORMED: readonly Json[] = [null, 5, "", "~nobody/a", "a\0", "https://[", 'rm "$a"', "(("];

/**
 * A call that a policy decides more leniently than another one in some mode, of those that an exact comparison leaves out: their
 * first argument is missing or malformed, so that rules cannot be evaluated. Undefined if there is none; `times` in ms since
 * 1970-01-01T00:00Z.
 */
function looserTrial(
  old: CompiledPolicy,
  now: CompiledPolicy,
  times: readonly number[],
): ToolCall | undefined {
  const calls = [...toolsOf([old, now])].flatMap((tool) => malformedCalls(tool, now));
  return calls.find((call) =>
    times.some((time) => {
      const after = decisionsOf(now, call, time);
      return decisionsOf(old, call, time)
        .some((action, at) => strictness(after[at]!) < strictness(action));
    })
  );
}

function toolsOf(policies: readonly CompiledPolicy[]): ReadonlySet<string> {
  return new Set(policies.flatMap(({ profiles, rules }) => [
    ...profiles.known.map(({ name }) => name),
    ...rules.flatMap(({ parsed }) => onlyText(parsed.tool) ?? []),
  ]));
}

function malformedCalls(tool: string, { profiles }: CompiledPolicy): readonly ToolCall[] {
  const name = profiles.get(tool).firstArg?.[0];
  const inputs = name === undefined ? [] : MALFORMED.map((value) => ({ [name]: value }));
  return [{}, ...inputs].map((input) => ({ tool, input }));
}

function decisionsOf(policy: CompiledPolicy, call: ToolCall, now: number): readonly Action[] {
  const evaluation = evaluateCall(policy, call, { now });
  return MODES.map((mode) => decideInMode(policy, evaluation, mode).decision);
}
