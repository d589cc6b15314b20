import type { ToolCall } from "../../model/call.ts";

/** What auto mode says about a call. */
export type OpinionDecision = "allow" | "soft_deny" | "hard_deny";

/** The decisions, the mildest first. */
export const OPINIONS: readonly OpinionDecision[] = ["allow", "soft_deny", "hard_deny"];

/** Where an opinion comes from. `fallback`: no answer could be had, so it is soft_deny. */
export type OpinionSource = "disabled" | "static-rule" | "classifier" | "cache" | "fallback";

/** An opinion on a call: `soft_deny` becomes an ask that carries the reason, `hard_deny` a deny. */
export interface Opinion {
  /** What it says. */
  readonly decision: OpinionDecision;
  /** Where it comes from. */
  readonly source: OpinionSource;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
}

/** What auto mode is asked about. */
export interface AutoQuestion {
  /** The call; the rules' verdict on it is an ask that is no safety check. */
  readonly call: ToolCall;
  /** Set where a written rule with a spec asks: then nothing here allows the call, it can only be denied. */
  readonly onlyDeny?: boolean;
}

/** Auto mode of one session. */
export interface AutoMode {
  /** The opinion on a call. Whatever fails is a soft_deny of source `fallback`. Throws TypeError for a call that is none. */
  judge(question: AutoQuestion, options?: JudgeOptions): Promise<Opinion>;
  /** Forgets every answer of the model; to be called when the mode leaves `auto`. */
  clear(): void;
  /** Forgets which commands the model allowed; to be called after an edit, since they may now run something else. */
  edited(): void;
  /** A person approved a call: the model is asked again where it had stepped back. */
  approved(): void;
}

/** How a call is judged. */
export interface JudgeOptions {
  /** Ends the wait; the opinion is then a fallback. */
  readonly signal?: AbortSignal;
}
