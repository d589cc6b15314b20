import { asksAboutUnknown } from "../../decide/unit_result.ts";
import { answerQuestions, decideInMode, type DecideOptions } from "../../decide/decide.ts";
import { isLeftToAgent } from "../../decide/left_to_agent.ts";
import { evaluateCall, type Evaluation } from "../../decide/evaluate.ts";
import { type Action, type CommandClass, strictness, type ToolCall } from "../../model/call.ts";
import type { Decision, UnitDecision } from "../../model/verdict.ts";
import { defaultMode } from "../../decide/modes.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { AgentEvent } from "./hook_protocol.ts";
import { UNNAMED_SERVER } from "./map_call.ts";

/** The answer to an event. */
export interface Answer {
  readonly action: Action;
  /** One sentence without a final full stop. */
  readonly reason: string;
  /**
   * True if only built-in rules decide, because no written rule is about the call: an agent that judges by itself keeps its
   * own questions and allows.
   */
  readonly isOrdinary: boolean;
  /**
   * True if only built-in rules ask, and at least one because a part of the call is unknown or about a command of a class that
   * no list of the agent should answer: a question where the agent can ask, otherwise left to the agent too.
   */
  readonly isSpoken: boolean;
  /** True if the policy leaves the call to the agent (`unmatched = "agent"`), even one that runs it then. */
  readonly isLeft: boolean;
  /** The call that decided. */
  readonly call: ToolCall;
  readonly decision: Decision;
}

/** The answer to an event, and to each of its calls. */
export interface EventAnswer extends Answer {
  /** In the order of the event's calls. */
  readonly each: readonly Answer[];
}

/** The policies and options that answer an event. */
export interface AnswerOptions extends DecideOptions {
  /** The policy of the event's own folder. */
  readonly policy: CompiledPolicy;
  /** Those of other folders that concern it. Only their written rules count, and only against the call. */
  readonly others: readonly CompiledPolicy[];
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
  /** True if a managed file sets the mode: then the agent's own mode does not count, and leaves no call to the agent. */
  readonly isModeManaged?: boolean;
  /** Denies what the mode leaves a question, if it has denials of its own; any other decision stays as it is. */
  readonly deny?: (asked: Decision) => Decision;
}

/** Answers an event: the strictest answer of every policy to each of its calls. */
export function answerEvent(event: AgentEvent, options: AnswerOptions): EventAnswer {
  const { policy, others } = options;
  const policies = [policy, ...others];
  const calls = withServers(event.calls, policies);
  const own = calls.map((call) => answerCall(call, { policy, event, options }));
  const readings = [...event.readings, ...ownNames(event, policies)];
  const additional = [
    ...readings.map((call) => answerCall(call, { policy, event, options })),
    ...others.flatMap((other) =>
      [...calls, ...readings].map((call) => answerCall(call, { policy: other, event, options }))
    ),
  ].filter(({ action, isOrdinary }) => action !== "allow" && !isOrdinary);
  let [strictest] = own;
  if (strictest === undefined) throw new TypeError("An event without calls has no answer");
  for (const other of [...own, ...additional]) strictest = stricter(strictest, other);
  return { ...strictest, each: own.slice(0, event.calls.length) };
}

/** The stricter of two answers, the first where they are equally strict. */
export function stricter(one: Answer, other: Answer): Answer {
  return rank(other) > rank(one) ? other : one;
}

/**
 * From strict to lax: deny, a written ask, an ask about an unknown part, an ask of the built-in rules, their allow, allow.
 */
function rank({ action, isOrdinary, isSpoken }: Answer): number {
  if (isSpoken) return 0.75;
  if (!isOrdinary) return strictness(action);
  return action === "allow" ? 0.25 : 0.5;
}

interface Answering {
  readonly policy: CompiledPolicy;
  readonly event: AgentEvent;
  readonly options: AnswerOptions;
}

function answerCall(call: ToolCall, { policy, event, options }: Answering): Answer {
  const { mode, now, autoAllow, isModeManaged = false } = options;
  const { reading } = event;
  const evaluation = evaluateCall(policy, call, {
    now,
    isPlaced: true,
    ...(reading === undefined ? {} : { reading }),
  });
  const plain = decideInMode(policy, evaluation, defaultMode);
  const inMode = mode === defaultMode ? plain : decideInMode(policy, evaluation, mode);
  const moded = options.deny?.(inMode) ?? inMode;
  const isLeftAlone = isLeftToAgent(policy, evaluation, plain);
  const isBuiltIn = isLeftAlone || asksByDefault(plain) || isBuiltInAlone(plain);
  // caliban leaves calls without a written rule to the agent, in the agent's own mode.
  const isOfAgent = event.mode !== undefined && !isModeManaged && moded === inMode;
  const decision = answerQuestions(moded, options);
  const { decision: action, reason } = decision;
  const isStopped = action === "ask" && event.nobodyAsked === true;
  const isLoud = action === "ask" && !isStopped && !isLeftAlone && isBuiltIn &&
    isOfLoudClass(decision, evaluation);
  const isOrdinary = isBuiltIn && !isLoud && !mode.liftsDenials &&
    (moded.decision === plain.decision || isOfAgent) && autoAllow !== true;
  return {
    action: isStopped ? "deny" : action,
    reason: isStopped ? `nobody is asked in this mode; ${reason}` : reason,
    isOrdinary,
    isSpoken: isLoud ||
      action === "ask" && !isStopped && !isOrdinary && asksByDefault(decision, isUnread),
    isLeft: isOrdinary && isLeftAlone,
    call,
    decision,
  };
}

/**
 * Classes that a hook speaks of, though only a built-in rule asks: the agent's own list, which may come with a clone, does not
 * answer for them.
 */
const LOUD: ReadonlySet<CommandClass> = new Set([
  "delete",
  "install",
  "process",
  "code",
  "service",
  "secret",
  "system",
]);

/** True if a command that asks is of such a class by its table; a variable that it prints does not count. */
function isOfLoudClass({ units }: Decision, { verdict, commandOf }: Evaluation): boolean {
  return verdict.units.some((unit, index) => {
    if (units[index]?.decision !== "ask") return false;
    const command = commandOf(unit);
    const classes = command?.byTable.filter((name) => LOUD.has(name)) ?? [];
    const isCodeAlone = classes.every((name) => name === "code");
    return classes.length > 0 && !(isCodeAlone && command!.runsPlainCode());
  });
}

/** True if a unit asks because a part of the call is unknown. */
function isUnread(unit: UnitDecision): boolean {
  return unit.decidedBy === "safety" && unit.check === undefined && asksAboutUnknown(unit);
}

/** True if nothing denies a call, and only built-in rules or no rule ask about it or allow it. */
function isBuiltInAlone(
  { decision, units }: Decision,
  isAlsoCounted: (unit: UnitDecision) => boolean = () => false,
): boolean {
  return decision !== "deny" &&
    units.every((unit) =>
      isPlainCode(unit) ||
      (unit.decidedBy === "rule" || isAlsoCounted(unit)) &&
        (unit.rule === null || unit.rule.source.kind === "builtin")
    );
}

/** True for code of the line that names nothing which a written deny or ask rule names. */
function isPlainCode({ isOrdinaryCode, decidedBy, check }: UnitDecision): boolean {
  return isOrdinaryCode === true && decidedBy === "safety" && check === undefined;
}

/** The same for the units that ask: allows of other units do not change the question. */
function asksByDefault(
  decision: Decision,
  isAlsoCounted?: (unit: UnitDecision) => boolean,
): boolean {
  const asking = decision.units.filter((unit) => unit.decision === "ask");
  return decision.decision === "ask" &&
    isBuiltInAlone({ ...decision, units: asking }, isAlsoCounted);
}

/**
 * The calls. After them, for each tool of an unnamed server, the tool of that name of every server that a rule names: a deny
 * for one server so counts for a tool that may be that server's.
 */
function withServers(
  calls: readonly ToolCall[],
  policies: readonly CompiledPolicy[],
): readonly ToolCall[] {
  const unnamed = calls.filter(({ tool }) => tool.startsWith(UNNAMED_SERVER));
  if (unnamed.length === 0) return calls;
  const servers = new Set(policies.flatMap(({ rules }) => rules.flatMap(serversOf)));
  const more = unnamed.flatMap((call) =>
    [...servers].map((server) => ({
      ...call,
      tool: `mcp__${server}__${call.tool.slice(UNNAMED_SERVER.length)}`,
    }))
  );
  return [...calls, ...more];
}

/** The call in the agent's own names, if a written rule names its tool so. */
function ownNames(
  { own }: Pick<AgentEvent, "own">,
  policies: readonly CompiledPolicy[],
): readonly ToolCall[] {
  if (own === undefined) return [];
  const isNamed = policies.some((policy) =>
    policy.writtenRules(own.tool).some(({ rule }) => !/^\*(?:$|[:(])/.test(rule.pattern))
  );
  return isNamed ? [own] : [];
}

/** The servers that a rule's tool may name, with its wildcards filled in; none for a rule about other tools. */
function serversOf({ pattern }: { readonly pattern: string }): readonly string[] {
  const name = /^mcp__([^:(]+)/.exec(pattern)?.[1]?.replaceAll(/[*?]/g, "x");
  if (name === undefined) return [];
  const parts = name.split("__");
  // A server's name may contain the separator.
  const ends = parts.length === 1 ? [1] : parts.slice(1).map((_part, index) => index + 1);
  return ends.map((end) => parts.slice(0, end).join("__"));
}
