import type { ToolCall } from "../../model/call.ts";
import type { CallPlaces } from "../../model/verdict.ts";

/** A decision of auto mode about a call. */
export type OpinionDecision = "allow" | "soft_deny" | "hard_deny";

/** The decisions, the mildest first. */
export const OPINIONS: readonly OpinionDecision[] = ["allow", "soft_deny", "hard_deny"];

/** The source of an opinion. `fallback` is a failure, and always soft_deny. */
export type OpinionSource = "disabled" | "static-rule" | "classifier" | "cache" | "fallback";

/** An opinion on a call: `soft_deny` becomes an ask that carries the reason, `hard_deny` a deny. */
export interface Opinion {
  /** `soft_deny` becomes a question, `hard_deny` a denial. */
  readonly decision: OpinionDecision;
  /** The list, cache, model or fault that it comes from. */
  readonly source: OpinionSource;
  /** The reason, in one sentence without a final full stop. */
  readonly reason: string;
}

/** A question to auto mode. */
export interface AutoQuestion {
  /** The call, about which the rules ask; it is no safety check. */
  readonly call: ToolCall;
  /** Set if a written rule with a specifier asks: auto mode can then deny the call, but not allow it. */
  readonly onlyDeny?: boolean;
  /** The places of the call, as the rules have seen them; looked up when left out. */
  readonly places?: CallPlaces;
}

/** Auto mode of one session. */
export interface AutoMode {
  /** Returns the opinion on a call; a failure is a soft_deny of source `fallback`. Rejects with TypeError for an invalid call. */
  classify(question: AutoQuestion, options?: ClassifyOptions): Promise<Opinion>;
  /**
   * The opinion of the list `hard_deny` on a call that auto mode must not allow, as one that a safety check asks about;
   * undefined if no pattern of the list matches. No model is asked. An auto mode without lists need not have it.
   */
  hardDenial?(call: ToolCall): Opinion | undefined;
  /** Forgets every answer of the model. Call it when the mode leaves `auto`. */
  clear(): void;
  /**
   * Forgets every call that the model allowed. Call it before and after each call that runs and is not known to be
   * read-only: what was allowed may be something else now.
   */
  edited(): void;
  /** Resets the count of denials. Call it after a person approved a call. */
  approved(): void;
}

/** Options of `classify`. */
export interface ClassifyOptions {
  /** Ends the wait; the opinion is then a fallback. */
  readonly signal?: AbortSignal;
}
