import { asksUnread } from "../decide/asks_unread.ts";
import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { exactPattern } from "./exact_pattern.ts";
import { narrowPattern } from "./narrow_pattern.ts";
import { rulesAlone } from "./rules_alone.ts";

/** A rule for “always”, and what of the call it is about. */
export interface SuggestedRule {
  /** Its pattern. */
  readonly pattern: string;
  /** The unit that it fits, as text. */
  readonly text: string;
}

/** With more questions than this a person would have to read too many patterns. */
const MOST = 16;

/** A longer command is not suggested to the letter: it will hardly come again, in UTF-16 code units. */
const LONGEST_LITERAL = 80;

/**
 * Allow rules that would answer what the rules ask about a call: the narrowest for each unit that asks, and none that the
 * others make needless. Never broader than a program and its sub-command, and never a long command to the letter. A unit
 * that no such pattern fits has none, and nothing is suggested where something in a line cannot be known and only a
 * pattern for other lines too would fit it; nor for a call with another safety check, which no rule answers.
 */
export function suggestRules(
  policy: Policy,
  call: ToolCall,
  verdict: Verdict,
): readonly SuggestedRule[] {
  const asking = verdict.units.filter(isAnswerable);
  const isChecked = verdict.units.some((unit) =>
    unit.action === "ask" && unit.by === "safety" && !asksUnread(unit)
  );
  if (verdict.action !== "ask" || isChecked || asking.length > MOST) return [];
  const about = { policy, call };
  const found = new Map<string, SuggestedRule>();
  for (const unit of asking) {
    const pattern = patternsFor(unit, about).find((each) => covers([each], { unit, ...about }));
    if (pattern === undefined && unit.kind === "opaque") return [];
    if (pattern !== undefined && !found.has(pattern)) {
      found.set(pattern, { pattern, text: unit.text });
    }
  }
  return withoutNeedless([...found.values()], { asking, ...about });
}

/** The call to the letter, where that is worth keeping: the only pattern for a call that no rule answers. */
export function suggestLiteral(policy: Policy, call: ToolCall): string | undefined {
  return usable([exactPattern(policy.request(call))], { policy, call })[0];
}

/** A call, and the policy that it is judged by. */
export interface About {
  /** The policy. */
  readonly policy: Policy;
  /** The call. */
  readonly call: ToolCall;
}

/** Whether a rule can answer: not what a managed rule asks, nor where the file is not fixed (`cat "$f"`, `cat *`). */
export function isAnswerable(unit: UnitVerdict): boolean {
  const { action, by, rule, path } = unit;
  if (action !== "ask" || rule?.source.kind === "managed") return false;
  if (by === "safety" && !asksUnread(unit)) return false;
  return path !== "open" && path !== "glob";
}

/** What may be suggested for a unit, the best first; that it fits is not checked. */
export function patternsFor(unit: UnitVerdict, { policy, call }: About): readonly string[] {
  const of = (input: ToolCall) => policy.request(input);
  const first = policy.profiles.get(unit.tool).firstArg?.[0];
  const withText = (text: string): ToolCall =>
    first === undefined ? call : { ...call, tool: unit.tool, input: { [first]: text } };
  switch (unit.kind) {
    case "call":
      return usable([narrowPattern(of(call))], { policy, call });
    case "command":
      return usable([
        ...resolvedTexts(unit, { policy, call }).map((text) => narrowPattern(of(withText(text)))),
        narrowPattern(of(withText(unit.text))),
      ], { policy, call });
    case "opaque":
      // The same words may do something else in another line (`… | sh`), or with another value (`eval $x`).
      return /[$`]/.test(unit.text) ? [] : usable([exactPattern(of(call))], { policy, call });
    case "read":
    case "write":
    case "url":
      return usable([exactPattern(of(withText(unit.text)))], { policy, call });
  }
}

/** A command without its quotes and redirections, where all of it is fixed. */
function resolvedTexts({ text, via, depth }: UnitVerdict, about: About): readonly string[] {
  const { policy, call } = about;
  const effects = policy.line(policy.request(call))?.units ?? [];
  const same = effects.find((effect) =>
    effect.kind === "command" && effect.text === text && effect.via === via &&
    effect.depth === depth
  );
  const resolved = same?.allowTexts[0]?.text;
  return resolved === undefined || /[\p{Cc}\p{Co}\p{Cn}]/u.test(resolved) ? [] : [resolved];
}

/** Those that a file takes and that are worth keeping. */
function usable(
  patterns: readonly (string | undefined)[],
  { policy, call }: About,
): readonly string[] {
  const isCommand = policy.profiles.get(call.tool).kind === "command";
  return patterns.flatMap((pattern) => {
    if (pattern === undefined) return [];
    const isLiteral = isCommand && !pattern.endsWith(":*)");
    if (isLiteral && (pattern.length > LONGEST_LITERAL || pattern.includes("\n"))) return [];
    const { profiles } = policy;
    const { error, warning } = checkPattern(pattern, { action: "allow", profiles });
    return error || warning !== undefined ? [] : [pattern];
  });
}

/** Whether allow rules with these patterns fit a unit. */
function covers(
  patterns: readonly string[],
  { unit, policy, call }: About & { readonly unit: UnitVerdict },
): boolean {
  return uncovered(patterns, { asking: [unit], policy, call }) === 0;
}

/** How many units no allow rule with one of these patterns fits. */
function uncovered(
  patterns: readonly string[],
  { asking, policy, call }: About & { readonly asking: readonly UnitVerdict[] },
): number {
  const alone = rulesAlone(policy, patterns.map((pattern) => ({ pattern, action: "allow" })));
  if (alone === undefined) return asking.length;
  const { units } = evaluate(alone, call);
  return asking.filter((unit) => {
    const own = units.find((each) =>
      each.kind === unit.kind && each.text === unit.text && each.via === unit.via &&
      each.depth === unit.depth
    );
    if (own) return own.action !== "allow";
    // A file that a program reads or writes as its trade is a unit only where a rule guards files.
    const first = policy.profiles.get(unit.tool).firstArg?.[0];
    if (first === undefined) return true;
    const file = { ...call, tool: unit.tool, input: { [first]: unit.text } };
    return evaluate(alone, file).action !== "allow";
  }).length;
}

/** The rules without those that the others make needless, as one for `cd src` beside one for `npm test`. */
function withoutNeedless(
  rules: readonly SuggestedRule[],
  about: About & { readonly asking: readonly UnitVerdict[] },
): readonly SuggestedRule[] {
  const left = (kept: readonly SuggestedRule[]) =>
    uncovered(kept.map(({ pattern }) => pattern), about);
  const least = left(rules);
  return rules.reduce(
    (kept, rule) => {
      const others = kept.filter((each) => each !== rule);
      return others.length > 0 && left(others) === least ? others : kept;
    },
    rules,
  );
}
