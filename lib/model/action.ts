import type { VerdictBy } from "./verdict.ts";

/** What a rule says about a call: run it, refuse it, or ask a person. */
export type Action = "allow" | "deny" | "ask";

/** The three actions, strictest first. */
export const ACTIONS: readonly Action[] = ["deny", "ask", "allow"];

/** Whether `text` is one of the three actions; case-sensitive. */
export function isAction(text: string): text is Action {
  return text === "allow" || text === "deny" || text === "ask";
}

/** How strict an action is: 0 for allow, 1 for ask, 2 for deny. */
export function strictness(action: Action): 0 | 1 | 2 {
  switch (action) {
    case "allow":
      return 0;
    case "ask":
      return 1;
    case "deny":
      return 2;
  }
}

/** An action, and whether a rule or a safety check says it. */
export interface RankedAction {
  /** The action. */
  readonly action: Action;
  /** Who says it. */
  readonly by: VerdictBy;
}

/**
 * The strictest of a list that is not empty, the first among equals; of two asks the safety check, which outlasts more.
 * Throws TypeError for an empty list.
 */
export function strictestOf<T>(all: readonly T[], said: (one: T) => RankedAction): T {
  return all.reduce((worst, one) => isStricter(said(one), said(worst)) ? one : worst);
}

function isStricter(one: RankedAction, other: RankedAction): boolean {
  const difference = strictness(one.action) - strictness(other.action);
  return difference > 0 ||
    difference === 0 && one.action === "ask" && one.by === "safety" && other.by !== "safety";
}
