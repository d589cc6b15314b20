import type { ToolCall } from "../../model/call.ts";
import { type Budget, findWord, findWords, type WordQuery } from "./find_words.ts";
import type { State } from "./state.ts";
import type { ToolCalls, ToolEntry } from "../languages/tool_calls.ts";

/** How many calls are tried until one replays. */
const MAX_TRIES = 300;

/** What trying a call costs, in ways. */
const REPLAY = 200;

/** What a search for a call came to. */
export type CallSearch =
  | { readonly kind: "call"; readonly call: ToolCall }
  /** There is no such word. */
  | { readonly kind: "none" }
  /** There are words, but none of them replays. */
  | { readonly kind: "odd"; readonly call: ToolCall }
  | { readonly kind: "spent" };

/** The shortest call of the query that proves itself. */
export function findCall(
  query: WordQuery,
  { calls, budget, proves }: {
    calls: ToolCalls;
    budget: Budget;
    proves: (call: ToolCall) => boolean;
  },
): CallSearch {
  let odd: ToolCall | undefined;
  let tries = 0;
  for (const word of findWords(query, budget)) {
    if (word === "spent") return { kind: "spent" };
    const call = calls.callOf(word);
    budget.left -= REPLAY + word.length;
    if (proves(call)) return { kind: "call", call };
    odd ??= call;
    if (++tries >= MAX_TRIES) break;
  }
  return odd ? { kind: "odd", call: odd } : { kind: "none" };
}

/** A cover of a language by entries, or why there is none. */
export type CoverSearch =
  | { readonly kind: "covered"; readonly by: readonly ToolEntry[] }
  | { readonly kind: "open" }
  | { readonly kind: "spent" };

/**
 * Some of the entries that together fit every word of the query: beginning with none, for each word that is left the first
 * entry that fits it.
 */
export function findCover(
  query: WordQuery,
  { calls, entries, budget, stateOf }: {
    calls: ToolCalls;
    entries: readonly ToolEntry[];
    budget: Budget;
    stateOf: (entry: ToolEntry) => State;
  },
): CoverSearch {
  const by: ToolEntry[] = [];
  for (;;) {
    const none = [...query.none, ...by.map(stateOf)];
    const word = findWord({ all: query.all, none }, budget);
    if (word === undefined) return { kind: "covered", by };
    if (word === "spent") return { kind: "spent" };
    const found = calls.firstOf(
      entries.map((entry) => ({ ...entry, yes: stateOf(entry) })),
      word,
    );
    const entry = found && entries.find(({ place }) => place === found.place);
    if (!entry) return { kind: "open" };
    by.push(entry);
  }
}
