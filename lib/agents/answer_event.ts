import { asksUnread } from "../decide/asks_unread.ts";
import { answerQuestions, applyMode, type DecideOptions } from "../decide/decide.ts";
import { evaluate } from "../decide/evaluate.ts";
import { type Action, strictness } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision, UnitDecision } from "../model/decision.ts";
import { defaultMode } from "../decide/modes/default.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { AgentEvent } from "./agent.ts";
import { withServers } from "./unnamed_server.ts";

/** What caliban says about an event. */
export interface Answer {
  /** What happens to the call. */
  readonly action: Action;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
  /**
   * Whether the built-in rules alone decide, because nobody wrote anything about the call: an agent that judges by itself
   * is left to it, with its own questions and what it allows.
   */
  readonly isOrdinary: boolean;
  /**
   * Whether all that asks are built-in rules, about a part of the call that cannot be known among others: a question
   * where the agent can ask, else its own affair too.
   */
  readonly isUnread: boolean;
  /** The call that decided it. */
  readonly call: ToolCall;
  /** The decision that this was made of. */
  readonly decision: Decision;
}

/** What caliban says about an event, and about each call of it. */
export interface EventAnswer extends Answer {
  /** The answer to each of the event's calls by itself, in their order. */
  readonly each: readonly Answer[];
}

/** What an event is answered by. */
export interface AnswerOptions extends DecideOptions {
  /** The policy of the event's own folder. */
  readonly policy: Policy;
  /** Those of other folders that concern it: only what is written there counts, and only against the call. */
  readonly others: readonly Policy[];
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
}

/** What happens to an event's calls: the strictest of what every policy says about each of them. */
export function answerEvent(event: AgentEvent, options: AnswerOptions): EventAnswer {
  const { policy, others } = options;
  const policies = [policy, ...others];
  const calls = withServers(event.calls, policies);
  const own = calls.map((call) => answerCall(call, { policy, event, options }));
  const besides = [
    ...event.readings.map((call) => answerCall(call, { policy, event, options })),
    ...others.flatMap((other) =>
      [...calls, ...event.readings].map((call) =>
        answerCall(call, { policy: other, event, options })
      )
    ),
  ].filter(({ action, isOrdinary }) => action !== "allow" && !isOrdinary);
  const strictest = [...own, ...besides].reduce(stricter);
  return { ...strictest, each: own.slice(0, event.calls.length) };
}

/** The stricter of two answers, the first where they are equally strict. */
export function stricter(one: Answer, other: Answer): Answer {
  return rank(other) > rank(one) ? other : one;
}

/**
 * Deny above an ask that somebody wrote, above one about what cannot be known, above one of the built-in rules, above their
 * allow, above allow.
 */
function rank({ action, isOrdinary, isUnread }: Answer): number {
  if (isUnread) return 0.75;
  if (!isOrdinary) return strictness(action);
  return action === "allow" ? 0.25 : 0.5;
}

interface Answering {
  readonly policy: Policy;
  readonly event: AgentEvent;
  readonly options: AnswerOptions;
}

function answerCall(call: ToolCall, { policy, event, options }: Answering): Answer {
  const { mode, now, autoAllow } = options;
  const verdict = evaluate(policy, call, { now });
  const plain = applyMode(policy, verdict, defaultMode);
  const moded = mode === defaultMode ? plain : applyMode(policy, verdict, mode);
  const isBuiltIn = asksByDefault(plain) || isBuiltInAlone(plain);
  // What nobody wrote a rule about is the agent's own affair in its own mode.
  const isOrdinary = isBuiltIn && !mode.liftsDenials &&
    (moded.decision === plain.decision || event.mode !== undefined) && autoAllow !== true;
  const decision = answerQuestions(moded, options);
  const { decision: action, reason } = decision;
  const isStopped = action === "ask" && event.nobodyAsked === true;
  return {
    action: isStopped ? "deny" : action,
    reason: isStopped ? `nobody is asked in this mode; ${reason}` : reason,
    isOrdinary,
    isUnread: action === "ask" && !isStopped && !isOrdinary && asksByDefault(decision, isUnread),
    call,
    decision,
  };
}

/** Whether a unit asks because it cannot be known. */
function isUnread(unit: UnitDecision): boolean {
  return unit.decidedBy === "safety" && unit.check === undefined && asksUnread(unit);
}

/** Whether nothing but built-in rules, or no rule at all, ask about a call or allow it, and nothing denies it. */
function isBuiltInAlone(
  { decision, units }: Decision,
  besides: (unit: UnitDecision) => boolean = () => false,
): boolean {
  return decision !== "deny" &&
    units.every((unit) =>
      (unit.decidedBy === "rule" || besides(unit)) &&
      (unit.rule === null || unit.rule.source.kind === "builtin")
    );
}

/** The same of the units that ask alone: what a rule allows besides changes nothing about the question. */
function asksByDefault(
  decision: Decision,
  besides?: (unit: UnitDecision) => boolean,
): boolean {
  const asking = decision.units.filter((unit) => unit.decision === "ask");
  return decision.decision === "ask" && isBuiltInAlone({ ...decision, units: asking }, besides);
}
