import type { ToolCall } from "../model/call.ts";
import { type Budget, findWord, findWords, type WordQuery } from "./automata/find_words.ts";
import { includes, type State } from "./automata/state.ts";
import type { AnalysedRule } from "./languages/analysed_rule.ts";
import type { ToolCalls } from "./languages/tool_calls.ts";

/** The most calls that are tried. */
const MAX_TRIES = 300;

/** The cost of a trial, in edges. */
const REPLAY = 200;

/** The result of a search for a call. */
export type CallSearch =
  | { readonly kind: "call"; readonly call: ToolCall }
  /** There is no such word. */
  | { readonly kind: "none" }
  /** There are words, but none of the calls tried proves itself. */
  | { readonly kind: "unconfirmed"; readonly call: ToolCall }
  | { readonly kind: "spent" };

/** The options of a search for a call. */
interface CallSearchOptions {
  readonly calls: ToolCalls;
  readonly budget: Budget;
  readonly proves: (call: ToolCall) => boolean;
}

/** The shortest call of the query that proves itself; first among those outside of a language that may hide the answer. */
export function findCallOutside(
  query: WordQuery,
  { hidden, ...options }: CallSearchOptions & { readonly hidden: readonly State[] },
): CallSearch {
  const some = hidden.filter((state) => state !== options.calls.nothing);
  if (some.length > 0) {
    const found = findCall({ all: query.all, none: [...query.none, ...some] }, options);
    if (found.kind === "call" || found.kind === "spent") return found;
  }
  return findCall(query, options);
}

/** The shortest call of the query that proves itself. */
export function findCall(
  query: WordQuery,
  { calls, budget, proves }: CallSearchOptions,
): CallSearch {
  let unconfirmed: ToolCall | undefined;
  let tries = 0;
  for (const word of findWords(query, budget)) {
    if (word === "spent") return { kind: "spent" };
    const call = calls.callOf(word);
    budget.left -= REPLAY + word.length;
    if (proves(call)) return { kind: "call", call };
    unconfirmed ??= call;
    if (++tries >= MAX_TRIES) break;
  }
  return unconfirmed ? { kind: "unconfirmed", call: unconfirmed } : { kind: "none" };
}

/** A cover of a language by rules, or the reason why there is none. */
export type CoverSearch =
  | { readonly kind: "covered"; readonly by: readonly AnalysedRule[] }
  | { readonly kind: "open" }
  | { readonly kind: "spent" };

/**
 * Finds some of the rules that together fit every word of the query: for each word that is left, the first rule that fits
 * it.
 */
export function findCover(
  query: WordQuery,
  { entries: rules, budget, stateOf }: {
    entries: readonly AnalysedRule[];
    budget: Budget;
    stateOf: (analysed: AnalysedRule) => State;
  },
): CoverSearch {
  const by: AnalysedRule[] = [];
  for (;;) {
    const none = [...query.none, ...by.map(stateOf)];
    const word = findWord({ all: query.all, none }, budget);
    if (word === undefined) return { kind: "covered", by };
    if (word === "spent") return { kind: "spent" };
    const analysed = rules.find((each) => includes(stateOf(each), word));
    if (!analysed) return { kind: "open" };
    by.push(analysed);
  }
}
