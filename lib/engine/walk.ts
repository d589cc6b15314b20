import type { Action } from "../model/action.ts";
import type { Match } from "../model/match.ts";
import type { Step, VerdictBy } from "../model/verdict.ts";
import type { Policy } from "../policy/policy.ts";
import { type CompiledRule, type Entry, entryOfOthers } from "../policy/rule_table.ts";
import type { Facts } from "../tools/facts.ts";
import { whyNot } from "./why_not.ts";

/** How a walk is made. */
export interface WalkOptions {
  /** The time now, in ms since 1970-01-01T00:00Z; without it an expiring allow does not count and a deny or ask does. */
  readonly now?: number;
  /** `candidates`: only rules that may fit. `full`: every rule, with why it does not fit, also behind the decision. */
  readonly trace?: "candidates" | "full";
}

/** What a walk goes over. */
export interface Path {
  /** The rules that may fit, in order. */
  readonly candidates: readonly Entry[];
  /** Every rule, in order; only read for a full trace. */
  readonly all: () => readonly Entry[];
  /** Rules that are passed by although they may fit: what they say does not count here. */
  readonly overlooks?: (rule: CompiledRule) => boolean;
}

/** How a walk ended. */
export interface Walked {
  /** What it says. */
  readonly action: Action;
  /** Who says it. */
  readonly by: VerdictBy;
  /** The rule that decided, or that could not be evaluated; null when none fits. */
  readonly rule: CompiledRule | null;
  /** The same rule as it reads the call's tool; null when none fits. */
  readonly entry: Entry | null;
  /** What every rule on the way did. */
  readonly steps: readonly Step[];
}

/**
 * The first-match walk over the rules of one call: precedence lives here and nowhere else.
 *
 * 1. The first rule that fits decides; where none fits, the verdict is ask without a rule.
 * 2. A deny or ask rule that cannot be evaluated does not decide, but from then on allow and ask become an ask that is a
 *    safety check. An allow rule that cannot be evaluated does not fit.
 * 3. An allow of `session` or `command` decides only where the walk without any of those ends in an ordinary ask.
 */
export function walk(policy: Policy, facts: Facts, options: WalkOptions = {}): Walked {
  return walkPath(policy, facts, {
    ...options,
    path: { candidates: policy.candidates(facts), all: () => allEntries(policy, facts) },
  });
}

/** The same walk over other rules than those of the call's tool. */
export function walkPath(
  policy: Policy,
  facts: Facts,
  options: WalkOptions & { readonly path: Path },
): Walked {
  const full = options.trace === "full";
  const { candidates, all, overlooks } = options.path;
  const state = new WalkState();
  for (const entry of full ? all() : candidates) {
    const decided = state.walked !== undefined;
    if (decided && !full) break;
    const match = overlooks?.(entry.rule) ? "no" : entry.matches(facts);
    const effect = expired(entry.rule, { policy, now: options.now })
      ? "expired"
      : decided
      ? match === "yes" ? "after" : "passes"
      : state.take(entry, match);
    state.steps.push({
      rule: entry.rule,
      match,
      effect,
      ...(entry.reading ? {} : { ofOthers: true }),
      why: full && match !== "yes" ? whyNot(entry, facts) : "",
    });
  }
  return state.finish();
}

/** Every rule of the policy, in order; one that speaks of other tools does not match. */
export function allEntries(policy: Policy, facts: Facts): readonly Entry[] {
  const entries = new Map(policy.entries(facts.profile.name).map((entry) => [entry.rule, entry]));
  return policy.rules.map((rule) => entries.get(rule) ?? entryOfOthers(rule));
}

class WalkState {
  readonly steps: Step[] = [];
  walked: Entry | undefined;
  #raisedBy: Entry | undefined;
  #answer: Entry | undefined;

  /** What the rule does, and remembers it. */
  take(entry: Entry, match: Match): Step["effect"] {
    const { rule } = entry;
    if (match === "no" || match === "unknown" && rule.action === "allow") return "passes";
    if (match === "unknown") {
      this.#raisedBy ??= entry;
      return "raises";
    }
    if (onlyAnswers(rule)) {
      if (this.#raisedBy === undefined) this.#answer ??= entry;
      return "waits";
    }
    this.walked = entry;
    return "decides";
  }

  /** The end of the walk. */
  finish(): Walked {
    const action = this.walked?.rule.action ?? "ask";
    const raisedBy = action === "deny" ? undefined : this.#raisedBy;
    if (raisedBy) return this.#end(raisedBy, { action: "ask", by: "safety" });
    const answer = action === "ask" ? this.#answer : undefined;
    if (!answer) return this.#end(this.walked ?? null, { action, by: "rule" });
    const end = this.#end(answer, { action: "allow", by: "rule" });
    const steps = end.steps.map((step): Step =>
      step.rule === answer.rule ? { ...step, effect: "answers" } : step
    );
    return { ...end, steps };
  }

  #end(entry: Entry | null, { action, by }: Pick<Walked, "action" | "by">): Walked {
    return { action, by, rule: entry?.rule ?? null, entry, steps: this.steps };
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
