import type { Action } from "./action.ts";
import type { Span } from "./place.ts";

/** What a conversion did to a rule: it now says more than it did, less than it did, or is not there. */
export type LossKind = "widened" | "narrowed" | "dropped";

/** What a format cannot say of one rule or setting. */
export interface Loss {
  /**
   * `widened`: the result is less strict than the rule. `narrowed`: it is stricter. `dropped`: the rule is not in the result,
   * which is stricter for an allow and less strict for a deny or ask.
   */
  readonly kind: LossKind;
  /** The rule as it was written; the key and value of a setting. */
  readonly subject: string;
  /** What the rule says; absent for a setting, which never lets more through unless `kind` is `widened`. */
  readonly action?: Action;
  /** Why, one sentence without a final full stop. */
  readonly detail: string;
  /** Where it stands in the text that was read; absent when the rule did not come from one. */
  readonly span?: Span;
}

/** Whether the result may let more through than what was converted. */
export function isLooser({ kind, action }: Loss): boolean {
  return kind === "widened" || kind === "dropped" && (action === "deny" || action === "ask");
}
