import { asksAboutUnknown } from "../decide/unit_result.ts";
import { evaluate, type Evaluation } from "../decide/evaluate.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import { exactPattern, narrowPattern } from "./call_pattern.ts";
import { rulesAlone } from "./policy_with_rules.ts";

/** A rule for “always”, and the unit of the call that it answers. */
export interface SuggestedRule {
  /** A pattern that fits the call, as narrow as it can be written. */
  readonly pattern: string;
  /** The text of the unit that it matches. */
  readonly text: string;
}

/** The most asking units: more patterns are too many to read. */
const MOST = 16;

/**
 * The longest command suggested as an exact pattern, in UTF-16 code units: a longer one rarely comes again.
 */
const LONGEST_LITERAL = 80;

/**
 * Allow rules that would answer what the rules ask about a call: the narrowest for each unit that asks, and none that the
 * others make needless. Never broader than a program and its sub-command, and never a long command to the letter. A unit
 * that no such pattern fits has none, and nothing is suggested where something in a line cannot be known and only a
 * pattern for other lines too would fit it; nor for a call with another safety check, which no rule answers.
 */
export function suggestRules(
  policy: CompiledPolicy,
  { request, verdict }: Pick<Evaluation, "request" | "verdict">,
): readonly SuggestedRule[] {
  const asking = verdict.units.filter(isAnswerable);
  const isChecked = verdict.units.some((unit) =>
    unit.action === "ask" && unit.by === "safety" && !asksAboutUnknown(unit)
  );
  if (verdict.action !== "ask" || isChecked || asking.length > MOST) return [];
  const about = { policy, request };
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

/**
 * The exact pattern of a call, if it is worth keeping: the only pattern for a call that no rule answers.
 */
export function suggestLiteral(policy: CompiledPolicy, request: Request): string | undefined {
  return usable([exactPattern(request)], { policy, request })[0];
}

/** A call, and the policy that evaluates it. */
export interface About {
  readonly policy: CompiledPolicy;
  /** The call. */
  readonly request: Request;
}

/**
 * True if a rule can answer a unit: not if a managed rule asks, nor if its file is not fixed (`cat "$f"`, `cat *`).
 */
export function isAnswerable(unit: UnitVerdict): boolean {
  const { action, by, rule, path } = unit;
  if (action !== "ask" || rule?.source.kind === "managed") return false;
  if (by === "safety" && !asksAboutUnknown(unit)) return false;
  return path !== "open" && path !== "glob" && path !== "below";
}

/** The exact pattern of an allow rule that would answer a unit that asks; undefined if none would. */
export function patternForUnit(unit: UnitVerdict, about: About): string | undefined {
  if (!isAnswerable(unit)) return undefined;
  const patterns = unit.kind === "command" ? exactCommands(unit, about) : patternsFor(unit, about);
  return patterns.find((each) => covers([each], { unit, ...about }));
}

/** Patterns of the very command and of no other. */
function exactCommands(unit: UnitVerdict, about: About): readonly string[] {
  const { policy, request } = about;
  const first = policy.profiles.get(unit.tool).firstArg?.[0];
  if (first === undefined) return [];
  const texts = [...resolvedTexts(unit, request), unit.text];
  return usable(
    texts.map((text) => exactPattern(request.withTool(unit.tool, { [first]: text }))),
    about,
  );
}

/** Patterns to suggest for a unit, the best first; not checked to match it. */
export function patternsFor(unit: UnitVerdict, about: About): readonly string[] {
  const { policy, request } = about;
  const first = policy.profiles.get(unit.tool).firstArg?.[0];
  const withText = (text: string): Request =>
    first === undefined ? request : request.withTool(unit.tool, { [first]: text });
  switch (unit.kind) {
    case "call":
      return usable([narrowPattern(request)], about);
    case "command":
      return usable([
        ...resolvedTexts(unit, request).map((text) => narrowPattern(withText(text))),
        narrowPattern(withText(unit.text)),
      ], about);
    case "opaque":
      // The same words may do something else in another line (`… | sh`), or with another value (`eval $x`).
      return /[$`]/.test(unit.text) ? [] : usable([exactPattern(request)], about);
    case "read":
    case "write":
    case "url":
      return usable([exactPattern(withText(unit.text))], about);
  }
}

/** A command without its quotes and redirections, if all of it is fixed. */
function resolvedTexts(
  { text, via, depth }: UnitVerdict,
  { line }: Request,
): readonly string[] {
  const effects = line?.effects ?? [];
  const same = effects.find((effect) =>
    effect.kind === "command" && effect.text === text && effect.via === via &&
    effect.depth === depth
  );
  const resolved = same?.allowTexts[0]?.text;
  return resolved === undefined || /[\p{Cc}\p{Co}\p{Cn}]/u.test(resolved) ? [] : [resolved];
}

/** The patterns that a policy file accepts and that are worth keeping. */
function usable(
  patterns: readonly (string | undefined)[],
  { policy, request }: About,
): readonly string[] {
  const isCommand = request.profile.kind === "command";
  return patterns.flatMap((pattern) => {
    if (pattern === undefined) return [];
    const isLiteral = isCommand && !pattern.endsWith(":*)");
    if (isLiteral && (pattern.length > LONGEST_LITERAL || pattern.includes("\n"))) return [];
    const { profiles } = policy;
    const { error, warning } = checkPattern(pattern, { action: "allow", profiles });
    return error || warning !== undefined ? [] : [pattern];
  });
}

/** True if allow rules with these patterns match a unit. */
function covers(
  patterns: readonly string[],
  { unit, policy, request }: About & { readonly unit: UnitVerdict },
): boolean {
  return uncovered(patterns, { asking: [unit], policy, request }) === 0;
}

/** The number of units that no allow rule with one of these patterns matches. */
function uncovered(
  patterns: readonly string[],
  { asking, policy, request: { call } }: About & { readonly asking: readonly UnitVerdict[] },
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
    // A file that a program reads or writes by its nature is a unit only if a rule names files.
    const first = policy.profiles.get(unit.tool).firstArg?.[0];
    if (first === undefined) return true;
    const file = { ...call, tool: unit.tool, input: { [first]: unit.text } };
    return evaluate(alone, file).action !== "allow";
  }).length;
}

/** The rules without redundant ones, such as one for `cd src` next to one for `npm test`. */
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
