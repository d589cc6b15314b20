import type { Action } from "../model/action.ts";
import type { Match } from "../model/match.ts";
import type { TraceStep, VerdictBy } from "../model/verdict.ts";
import type { Policy } from "../policy/compile/policy.ts";
import {
  type CompiledRule,
  ruleForOtherTools,
  type ToolRule,
} from "../policy/compile/rule_table.ts";
import type { Request } from "../policy/compile/facts.ts";
import { whyNot } from "./why_not.ts";

/** How a walk is made. */
export interface EvaluateOptions {
  /** The time now, in ms since 1970-01-01T00:00Z; without it an expiring allow does not count and a deny or ask does. */
  readonly now?: number;
  /** `candidates`: only rules that may fit. `full`: every rule, with why it does not fit, also behind the decision. */
  readonly trace?: "candidates" | "full";
}

/** What a walk goes over. */
export interface RuleList {
  /** The rules that may fit, in order. */
  readonly candidates: readonly ToolRule[];
  /** Every rule, in order; only read for a full trace. */
  readonly all: () => readonly ToolRule[];
  /** Rules that are passed by although they may fit: what they say does not count here. */
  readonly overlooks?: (rule: CompiledRule) => boolean;
}

/** How a walk ended. */
export interface MatchTrace {
  /** What it says. */
  readonly action: Action;
  /** Who says it. */
  readonly by: VerdictBy;
  /** The rule that decided, or that could not be evaluated; null when none fits. */
  readonly rule: CompiledRule | null;
  /** The same rule as it reads the call's tool; null when none fits. */
  readonly toolRule: ToolRule | null;
  /** What every rule on the way did. */
  readonly steps: readonly TraceStep[];
}

/**
 * The first-match walk over the rules of one call: precedence lives here and nowhere else.
 *
 * 1. The first rule that fits decides; where none fits, the verdict is ask without a rule.
 * 2. A deny or ask rule that cannot be evaluated does not decide, but from then on allow and ask become an ask that is a
 *    safety check. An allow rule that cannot be evaluated does not fit.
 * 3. An allow of `session` or `command` decides only where the walk without any of those ends in an ordinary ask.
 */
export function firstMatch(
  policy: Policy,
  request: Request,
  options: EvaluateOptions = {},
): MatchTrace {
  return firstMatchIn(policy, request, {
    ...options,
    path: { candidates: policy.candidates(request), all: () => allToolRules(policy, request) },
  });
}

/** The same walk over other rules than those of the call's tool. */
export function firstMatchIn(
  policy: Policy,
  request: Request,
  options: EvaluateOptions & { readonly path: RuleList },
): MatchTrace {
  const full = options.trace === "full";
  const { candidates, all, overlooks } = options.path;
  const state = new MatchState();
  for (const toolRule of full ? all() : candidates) {
    const decided = state.walked !== undefined;
    if (decided && !full) break;
    const match = overlooks?.(toolRule.rule) ? "no" : toolRule.matches(request);
    const effect = expired(toolRule.rule, { policy, now: options.now })
      ? "expired"
      : decided
      ? match === "yes" ? "after" : "passes"
      : state.take(toolRule, match);
    state.steps.push({
      rule: toolRule.rule,
      match,
      effect,
      ...(toolRule.readAs ? {} : { ofOthers: true }),
      why: full && match !== "yes" ? whyNot(toolRule, request) : "",
    });
  }
  return state.finish();
}

/** Every rule of the policy, in order; one that speaks of other tools does not match. */
export function allToolRules(policy: Policy, request: Request): readonly ToolRule[] {
  const entries = new Map(
    policy.toolRules(request.profile.name).map((toolRule) => [toolRule.rule, toolRule]),
  );
  return policy.rules.map((rule) => entries.get(rule) ?? ruleForOtherTools(rule));
}

class MatchState {
  readonly steps: TraceStep[] = [];
  walked: ToolRule | undefined;
  #raisedBy: ToolRule | undefined;
  #answer: ToolRule | undefined;

  /** What the rule does, and remembers it. */
  take(toolRule: ToolRule, match: Match): TraceStep["effect"] {
    const { rule } = toolRule;
    if (match === "no" || match === "indeterminate" && rule.action === "allow") return "passes";
    if (match === "indeterminate") {
      this.#raisedBy ??= toolRule;
      return "raises";
    }
    if (onlyAnswers(rule)) {
      if (this.#raisedBy === undefined) this.#answer ??= toolRule;
      return "waits";
    }
    this.walked = toolRule;
    return "decides";
  }

  /** The end of the walk. */
  finish(): MatchTrace {
    const action = this.walked?.rule.action ?? "ask";
    const raisedBy = action === "deny" ? undefined : this.#raisedBy;
    if (raisedBy) return this.#end(raisedBy, { action: "ask", by: "safety" });
    const answer = action === "ask" ? this.#answer : undefined;
    if (!answer) return this.#end(this.walked ?? null, { action, by: "rule" });
    const end = this.#end(answer, { action: "allow", by: "rule" });
    const steps = end.steps.map((step): TraceStep =>
      step.rule === answer.rule ? { ...step, effect: "answers" } : step
    );
    return { ...end, steps };
  }

  #end(toolRule: ToolRule | null, { action, by }: Pick<MatchTrace, "action" | "by">): MatchTrace {
    return { action, by, rule: toolRule?.rule ?? null, toolRule, steps: this.steps };
  }
}

/** An allow that a person gave while running, or that a skill brought, answers questions; it never lifts a deny. */
function onlyAnswers(rule: CompiledRule): boolean {
  return rule.action === "allow" &&
    (rule.source.kind === "session" || rule.source.kind === "command");
}

/** Whether a rule no longer counts; without the time an allow that ends does not, and a deny or ask does. */
export function expired(
  rule: CompiledRule,
  { policy, now }: { policy: Policy; now: number | undefined },
): boolean {
  if (!policy.settings.enforceExpiry || rule.expiresAt === undefined) return false;
  return now === undefined ? rule.action === "allow" : now >= rule.expiresAt;
}
