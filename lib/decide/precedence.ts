/**
 * The order in which a tool call is decided. Everything else in this room only finds out which rules fit.
 *
 * A call has units: itself, or each effect of its command line. For each unit, in this order:
 *
 * 1. `decideByRules`: the first rule that fits decides, so a deny beats the allows below it. An ask of an untrusted workspace
 *    does not end the search: it counts unless a rule below is stricter.
 * 2. `decideUnknown`: a question about an effect that cannot be analysed is a safety check.
 * 3. `withSafetyCheck`: a protected file is asked about, even if a rule allows it.
 * 4. `underMode`: the mode may answer what asks.
 * 5. `withoutPerson`: flags answer what still asks.
 *
 * `strictestOf` its units, the call is decided: deny, safety check, ask, allow.
 */
import type { Action, RankedAction } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { Match, TraceStep, UnitVerdict, VerdictBy } from "../model/verdict.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";

type StepEffect = Extract<
  TraceStep["effect"],
  "passes" | "raises" | "waits" | "holds" | "decides"
>;

/** The effect of one rule, as long as none has decided. An allow that cannot be evaluated does not fit. */
export function stepEffect({ action, source, untrusted }: Rule, match: Match): StepEffect {
  if (match === "no") return "passes";
  if (match === "indeterminate") return action === "allow" ? "passes" : "raises";
  if (action === "ask" && untrusted) return "holds";
  return isAnswer({ action, source }) ? "waits" : "decides";
}

/** True for a person's "always" and a skill's allow: they answer questions, and never lift a deny. */
export function isAnswer({ action, source }: Pick<Rule, "action" | "source">): boolean {
  return action === "allow" && (source.kind === "session" || source.kind === "command");
}

/** Decides a unit by its rules, highest source first. A deny or ask that cannot be evaluated makes an allow a safety check. */
export function decideByRules<R extends { readonly rule: CompiledRule }>(
  rules: readonly R[],
  search: { effectOf(toolRule: R, at: number): StepEffect },
): RankedAction & { readonly toolRule: R | null } {
  let decider: R | undefined, raised: R | undefined, answer: R | undefined, held: R | undefined;
  for (let at = 0; at < rules.length; at++) {
    const toolRule = rules[at]!;
    const effect = search.effectOf(toolRule, at);
    if (effect === "passes") continue;
    if (effect === "decides") decider = toolRule;
    if (effect === "holds") held = weightier(held, toolRule);
    if (effect === "raises") raised ??= toolRule;
    if (effect === "waits" && !raised) answer ??= toolRule;
    if (decider) break;
  }
  decider = weightier(held, decider);
  const action = decider?.rule.action ?? "ask";
  if (raised && action !== "deny") return { action: "ask", by: "safety", toolRule: raised };
  if (answer && action === "ask") return { action: "allow", by: "rule", toolRule: answer };
  return { action, by: "rule", toolRule: decider ?? null };
}

/**
 * The stricter of an ask that holds and a rule below it. Of two asks the one that outlasts more modes, the upper among equals:
 * else the ask of a clone would stand in for one of the user.
 */
function weightier<R extends { readonly rule: CompiledRule }>(
  upper: R | undefined,
  lower: R | undefined,
): R | undefined {
  if (upper === undefined || lower === undefined) return upper ?? lower;
  return weightOf(lower.rule) > weightOf(upper.rule) ? lower : upper;
}

function weightOf({ action, source, parsed }: CompiledRule): number {
  if (action !== "ask") return action === "deny" ? 4 : 0;
  if (source.kind === "builtin") return 1;
  return parsed.specifier === undefined ? 2 : 3;
}

/** A question about what cannot be analysed is a safety check, but for code that its program exists to run. */
export function decideUnknown(action: Action, isInterpreter: boolean): VerdictBy {
  return action === "ask" && !isInterpreter ? "safety" : "rule";
}

/** A safety check stops what a rule allows or asks about; a deny stays. */
export function withSafetyCheck<T extends RankedAction>(unit: T, reason: string): T {
  return unit.action === "deny" ? unit : { ...unit, action: "ask", by: "safety", reason };
}

/** The mode's answer, if it counts: to an ask, and an allow only to an ordinary one. Bypass lifts everything. */
export function underMode<A extends { readonly decision: Action }>(
  { action, by, lifts }: RankedAction & { readonly lifts: boolean },
  answer: () => A,
): A | undefined {
  if (!lifts && action !== "ask") return undefined;
  const given = answer();
  return !lifts && by === "safety" && given.decision === "allow" ? undefined : given;
}

/** The flag that answers an ask: `--auto-allow` an ordinary one, `--headless` denies the others. */
export function withoutPerson(by: VerdictBy, flags: { autoAllow?: boolean; headless?: boolean }) {
  if (flags.autoAllow && by !== "safety") return "auto-allow";
  return flags.headless ? "headless" : undefined;
}

/** An action with its origin, and the rule that gave it, if one did. */
export interface RankedByRule extends RankedAction {
  readonly rule?: Rule | null;
}

/** True for an ask of a rule that somebody wrote: of several questions it says more than a built-in one. */
export function isWrittenAsk({ action, by, rule }: RankedByRule): boolean {
  return action === "ask" && by === "rule" && rule != null && rule.source.kind !== "builtin";
}

/** The strictest of a list, of asks a written one first, the first among equals. Throws TypeError for an empty list. */
export function strictestOf<T>(all: readonly T[], rankedBy: (one: T) => RankedByRule): T {
  if (all.length === 0) throw new TypeError("Cannot find the strictest of none");
  let worst = all[0]!;
  let most = rankOf(rankedBy(worst));
  for (let at = 1; at < all.length; at++) {
    const rank = rankOf(rankedBy(all[at]!));
    if (rank <= most) continue;
    worst = all[at]!;
    most = rank;
  }
  return worst;
}

function rankOf(one: RankedByRule): number {
  if (one.action !== "ask") return one.action === "deny" ? 4 : 0;
  return one.by === "safety" ? 3 : isWrittenAsk(one) ? 2 : 1;
}

/** True if a written rule with a specifier asks (`ask Bash:git push *`): acceptEdits and auto leave that question. */
export function asksBySpecifier({ action, rule }: UnitVerdict): boolean {
  if (action !== "ask" || rule?.action !== "ask" || rule.source.kind === "builtin") return false;
  const pattern = parsePattern(rule.pattern);
  return !pattern.ok || pattern.value.specifier !== undefined;
}
