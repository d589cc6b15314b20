import { type Budget, findWord, type WordQuery } from "../automata/find_words.ts";
import type { State } from "../automata/state.ts";
import type { AnalysedRule } from "../languages/analysed_rule.ts";
import type { ToolCalls } from "../languages/tool_calls.ts";
import { decidesTheSame } from "../outcome.ts";

/** Calls that are searched, those outside of `hidden` first. */
export interface OperandQuery extends WordQuery {
  readonly hidden: readonly State[];
}

/**
 * The calls whose operands may make a verdict depend on a rule: it makes them a safety check; it allows everything before
 * rules that would; or it is an allow that names an operand, in the place of one that does not.
 */
export function* operandQueries(
  analysed: AnalysedRule,
  { calls, budget }: { readonly calls: ToolCalls; readonly budget: Budget },
): Generator<OperandQuery> {
  const { operands, domain } = calls;
  const earlier = calls.earlier(analysed);
  if (analysed.rule.action === "allow") {
    const same = calls.near(analysed).filter(({ place, rule }) =>
      place > analysed.place && decidesTheSame(analysed.rule, rule)
    );
    const none = earlier.map(({ yes }) => yes);
    const named = [
      [operands.lifted(analysed, same)],
      ...same.map((each) => [each.yes, operands.lifted(each, [analysed])]),
    ];
    for (const all of named) {
      if (all.includes(calls.nothing)) continue;
      yield { all: [domain, analysed.yes, ...all], none, hidden: [] };
    }
  }
  const own = operands.guards.includes(analysed)
    ? [analysed]
    : operands.end.rule === analysed.rule
    ? operands.end.guards
    : [];
  if (own.length > 0) yield* raisedQueries(analysed, { own, calls, budget });
}

/** The calls that are a safety check only by these guards, and not denied. */
function* raisedQueries(
  analysed: AnalysedRule,
  { own, calls, budget }: {
    readonly own: readonly AnalysedRule[];
    readonly calls: ToolCalls;
    readonly budget: Budget;
  },
): Generator<OperandQuery> {
  const { operands, domain, rules } = calls;
  const others = operands.guards.filter((guard) => !own.includes(guard));
  const covered = operands.raised(undefined, others);
  const open = { all: [domain, operands.raised(undefined, own)], none: [covered] };
  if (findWord(open, budget) === undefined) return;
  const denies = rules.flatMap((each) => each.rule.action === "deny" ? [each.yes] : []);
  const unknown = calls.indeterminateBetween(0, Infinity);
  const none = [...denies, ...unknown, covered];
  yield { all: [domain, operands.raised(undefined, own)], none, hidden: [] };
  yield { all: [domain, operands.mayBeRaised(undefined, own)], none, hidden: [] };
  for (const decider of rules) {
    const raised = decider === analysed ? calls.nothing : operands.raised(decider, own);
    if (raised === calls.nothing) continue;
    const before = calls.earlier(decider);
    const query = {
      none: before.map(({ yes }) => yes),
      hidden: [...calls.indeterminateBetween(0, decider.place), operands.raised(decider, others)],
    };
    yield { ...query, all: [domain, decider.yes, raised] };
    yield { ...query, all: [domain, decider.yes, operands.mayBeRaised(decider, own)] };
  }
}
