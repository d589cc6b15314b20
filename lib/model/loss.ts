import type { Action } from "./action.ts";
import type { Span } from "./span.ts";

/** The effect of a conversion on a rule: it allows more, allows less, or is missing. */
export type LossKind = "widened" | "narrowed" | "dropped";

/** A rule or setting that a format cannot express in full. */
export interface Loss {
  /**
   * `widened`: the result is less strict than the rule. `narrowed`: it is stricter. `dropped`: the rule is not in the result,
   * which is stricter for an allow and less strict for a deny or ask.
   */
  readonly kind: LossKind;
  /** The rule as written; the key and value of a setting. */
  readonly subject: string;
  /** The rule's action; absent for a setting, which is looser only if `kind` is `widened`. */
  readonly action?: Action;
  /** The reason, in one sentence without a final full stop. */
  readonly detail: string;
  /** Its place in the source text; absent if there is none. */
  readonly span?: Span;
}

/** True if the result may allow more calls than the original. */
export function isLooser({ kind, action }: Loss): boolean {
  return kind === "widened" || kind === "dropped" && (action === "deny" || action === "ask");
}
