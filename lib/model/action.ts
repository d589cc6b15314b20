import type { VerdictBy } from "./verdict.ts";

/** The actions, strictest first. */
export const ACTIONS = ["deny", "ask", "allow"] as const;

/** The action of a rule on a call: run it, refuse it, or ask a person. */
export type Action = typeof ACTIONS[number];

/** True if `text` is an action; case-sensitive. */
export function isAction(text: string): text is Action {
  return ACTIONS.some((action) => action === text);
}

/** The strictness of an action: 0 for allow, 1 for ask, 2 for deny. */
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

/** An action with its origin. */
export interface RankedAction {
  readonly action: Action;
  readonly by: VerdictBy;
}
