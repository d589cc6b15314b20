import type { ToolCall } from "../model/call.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { Precision, Reachability } from "./analysis.ts";
import {
  alwaysDecidesFirst,
  comparesTexts,
  leastPrecise,
  namesPlainCommands,
  precisionOf,
} from "./precision.ts";
import { type Budget, findWord } from "./automata/find_words.ts";
import { filledPatterns } from "./trial_calls.ts";
import { leastWord } from "./automata/least_word.ts";
import { smallestCover } from "./smallest_cover.ts";
import { classesNow } from "../decide/classes/class_search.ts";
import { classOf } from "../pattern/parse_specifier.ts";
import { isDecided } from "./outcome.ts";
import type { RuleSpace } from "./rule_space.ts";
import { findCall, findCallOutside } from "./find_call.ts";
import type { State } from "./automata/state.ts";
import type { AnalysedRule } from "./languages/analysed_rule.ts";
import type { ToolCalls } from "./languages/tool_calls.ts";

/** Finds a call that the rule decides, or the rules that shadow it. */
export function reachabilityOf(rule: CompiledRule, space: RuleSpace): Reachability {
  const blocked = whyNotAnalysed(rule, space);
  if (blocked !== undefined) return { kind: "unknown", why: blocked };
  const budget = space.budget();
  const always = space.alikeOrBare(rule).find((earlier) =>
    alwaysDecidesFirst(earlier, { rule, space })
  );
  if (always) return alwaysShadowed(rule, { always, space, budget });
  // A search knows nothing of the class that a text has.
  const example = classOf(rule.pattern) === undefined
    ? undefined
    : filledPatterns(rule, space).find((call) => decides(call, { rule, space }));
  if (example) return { kind: "reached", witness: example };
  const all = space.toolsOf(rule).map((tool) => reachabilityForTool(rule, { tool, space, budget }));
  const reached = all.find(({ kind }) => kind === "reached");
  if (reached?.kind === "reached") return reached;
  const tried = filledPatterns(rule, space).find((call) => decides(call, { rule, space }));
  if (tried) return { kind: "reached", witness: tried };
  const unknown = all.find(({ kind }) => kind === "unknown");
  if (unknown?.kind === "unknown") return unknown;
  if (!space.complete) return { kind: "unknown", why: TOO_MANY };
  const shadowed = all.filter((each) => each.kind === "shadowed");
  if (shadowed.length === 0) {
    // If the compared argument is unknown, the rule fits nothing, and yet makes every call a question.
    return space.toolsOf(rule).some((tool) => isAlwaysIndeterminate(rule, { tool, space }))
      ? { kind: "unknown", why: "its tool has no known argument to compare" }
      : { kind: "never" };
  }
  return smallestCover(rule, {
    space,
    precision: leastPrecise(shadowed.map(({ precision }) => precision)),
    witness: shadowed[0]!.witness,
    parts: shadowed,
  });
}

/** The reason why a rule is not analysed at all; undefined if it is. */
export function whyNotAnalysed(rule: CompiledRule, space: RuleSpace): string | undefined {
  if (space.isExpired(rule)) return "it has expired";
  return space.hasAnswers
    ? "allows of a session only answer questions, which are not analysed"
    : undefined;
}

type ToolReachability =
  | Extract<Reachability, { kind: "reached" | "unknown" }>
  | { readonly kind: "nothing" }
  | {
    readonly kind: "shadowed";
    readonly precision: Precision;
    readonly witness: ToolCall;
    readonly calls: ToolCalls;
    readonly analysed: AnalysedRule;
  };

interface About {
  readonly tool: string;
  readonly space: RuleSpace;
  readonly budget: Budget;
}

function reachabilityForTool(rule: CompiledRule, { tool, space, budget }: About): ToolReachability {
  const calls = space.calls(tool);
  if (!calls) {
    return { kind: "unknown", why: `an argument of ${tool} is compared in two ways` };
  }
  const analysed = calls.of(rule);
  if (!analysed || analysed.yes === calls.nothing) return { kind: "nothing" };
  const all = [calls.domain, analysed.yes] as const;
  const proves = (call: ToolCall) => decides(call, { rule, space });
  // The shortest of its own words mostly proves it.
  const own = leastWord(all, OWN_STEPS);
  if (own !== undefined && own !== "spent") {
    const call = calls.callOf(own);
    if (proves(call)) return { kind: "reached", witness: call };
  }
  const found = findCallOutside({ all, none: decidedBefore(analysed, calls) }, {
    calls,
    budget,
    proves,
    hidden: [calls.operands.raised(analysed)],
  });
  switch (found.kind) {
    case "call":
      return { kind: "reached", witness: found.call };
    case "spent":
      return { kind: "unknown", why: TOO_LONG };
    case "unconfirmed":
      return { kind: "unknown", why: whyUnconfirmed(analysed, found.call) };
    case "none":
      return reachedBeyond(analysed, { calls, budget, proves }) ??
        shadowedOrNothing(analysed, { calls, space, budget });
  }
}

/** The reason if calls were found and none of them proved the answer. */
export function whyUnconfirmed({ toolRule }: AnalysedRule, { input }: ToolCall): string {
  return toolRule.specifier?.kind === "class"
    ? `no command of the class @${toolRule.specifier.name} that shows it is known`
    : `calls such as ${JSON.stringify(input)} do more than they show`;
}

/** Tries calls beyond those that are analysed, where a field is compared in two ways. */
function reachedBeyond(
  analysed: AnalysedRule,
  { calls, budget, proves }: {
    calls: ToolCalls;
    budget: Budget;
    proves: (call: ToolCall) => boolean;
  },
): ToolReachability | undefined {
  const fitted = findWord({ all: [calls.domain, analysed.yes], none: [] }, budget);
  if (fitted !== undefined && !comparesTexts(analysed, calls)) return undefined;
  const queries = [{ all: [analysed.yes], none: decidedBefore(analysed, calls) }, {
    all: [analysed.yes],
    none: [],
  }];
  for (const query of queries) {
    const own = { left: Math.min(budget.left, OWN_STEPS * 5) };
    const found = findCall(query, { calls, budget: own, proves });
    if (found.kind === "call") return { kind: "reached", witness: found.call };
  }
  return undefined;
}

/** The most steps of a first guess. */
const OWN_STEPS = 20_000;

/** The reason if a search ended early. */
export const TOO_LONG = "the analysis would take too long";

/** The reason if not every tool was analysed. */
export const TOO_MANY = "it applies to too many tools";

/** The reason if not every text was analysed. */
export const IN_TWO_WAYS = "a field is compared both as a text and as a path or URL";

function shadowedOrNothing(
  analysed: AnalysedRule,
  { calls, space, budget }: { calls: ToolCalls; space: RuleSpace; budget: Budget },
): ToolReachability {
  const precision = precisionOf(calls.arguments);
  if (comparesTexts(analysed, calls)) return { kind: "unknown", why: IN_TWO_WAYS };
  const word = findWord({ all: [calls.domain, analysed.yes], none: [] }, budget);
  if (word === "spent") return { kind: "unknown", why: TOO_LONG };
  if (word === undefined) {
    return isWhole(analysed, { calls, space })
      ? { kind: "nothing" }
      : { kind: "unknown", why: `it matches no ${precision}` };
  }
  if (space.shellOf(calls.tool) === "parsed" && !namesPlainCommands(analysed, { calls, space })) {
    return { kind: "unknown", why: "its command also runs or opens something else" };
  }
  const { rule } = analysed;
  const examples = classOf(rule.pattern) === undefined ? [] : filledPatterns(rule, space);
  const witness = [calls.callOf(word), ...examples].find((call) => fits(call, { rule, space }));
  if (witness === undefined) {
    return { kind: "unknown", why: "its paths lead elsewhere through a link" };
  }
  return { kind: "shadowed", precision, witness, calls, analysed };
}

/** The calls decided before a rule: by earlier rules that fit and, except for a deny, by indeterminate ones. */
export function decidedBefore(analysed: AnalysedRule, calls: ToolCalls): readonly State[] {
  const earlier = calls.earlier(analysed);
  const unknown = analysed.rule.action === "deny"
    ? []
    : calls.indeterminateBetween(0, analysed.place);
  return [...earlier.map(({ yes }) => yes), ...unknown];
}

function decides(
  call: ToolCall,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): boolean {
  return isDecided(space.evaluate(call), rule);
}

/** Shadowed for every call, so only a witness is searched; a rule that fits no call is `never`. */
function alwaysShadowed(
  rule: CompiledRule,
  { always, space, budget }: { always: CompiledRule; space: RuleSpace; budget: Budget },
): Reachability {
  let provenEmpty = space.complete;
  for (const tool of space.toolsOf(rule)) {
    const calls = space.calls(tool);
    const analysed = calls?.of(rule);
    if (!calls || !analysed) {
      provenEmpty &&= calls !== undefined;
      continue;
    }
    const word = findWord({ all: [calls.domain, analysed.yes], none: [] }, budget);
    const witness = word === undefined || word === "spent" ? undefined : calls.callOf(word);
    if (witness && fits(witness, { rule, space })) {
      return { kind: "shadowed", by: [always], precision: "every call", witness };
    }
    provenEmpty &&= word === undefined && isWhole(analysed, { calls, space });
  }
  if (provenEmpty) return { kind: "never" };
  const witness = filledPatterns(rule, space).find((call) => fits(call, { rule, space }));
  return witness
    ? { kind: "shadowed", by: [always], precision: "every call", witness }
    : { kind: "unknown", why: "no call that it matches is known" };
}

function fits(call: ToolCall, { rule, space }: { rule: CompiledRule; space: RuleSpace }): boolean {
  const toolRule = space.calls(call.tool)?.of(rule)?.toolRule;
  const request = space.policy.request(call);
  if (toolRule?.specifier?.kind !== "class") return toolRule?.matches(request) === "yes";
  const { name } = toolRule.specifier;
  const [first, ...rest] = request.parsedLine?.effects ?? [];
  return first !== undefined && rest.every(({ kind }) => kind !== "command") &&
    classesNow(first, request).includes(name);
}

/** True if a rule that fits none of the analysed calls fits no call at all. */
function isWhole(
  analysed: AnalysedRule,
  { calls, space }: { calls: ToolCalls; space: RuleSpace },
): boolean {
  const precision = precisionOf(calls.arguments);
  if (precision === "every call") return true;
  // An allow fits a file by its resolved path; on Windows some names are not analysed.
  return precision === "plain paths" && analysed.rule.action === "allow" &&
    space.policy.context.platform !== "windows" && !comparesTexts(analysed, calls);
}

/** True if the rule is indeterminate for every call of the tool. */
function isAlwaysIndeterminate(
  rule: CompiledRule,
  { tool, space }: { tool: string; space: RuleSpace },
): boolean {
  return space.calls(tool)?.of(rule)?.indeterminate === space.automata.whatever;
}
