import type { Action } from "./action.ts";
import type { ToolCall } from "./call.ts";
import type { Match } from "./match.ts";
import type { Rule } from "./rule.ts";

/** What one rule did in a walk. */
export interface TraceStep {
  /** The rule. */
  readonly rule: Rule;
  /** Whether it fits. */
  readonly match: Match;
  /**
   * `decides`: the walk ends here. `passes`: it does not fit. `raises`: it cannot be evaluated, so the verdict is at least
   * ask. `waits`: it fits, but an allow of its source only answers questions. `answers`: it answered the question.
   * `expired`: it no longer counts. `after`: it fits, but comes after the rule that decided.
   */
  readonly effect: "decides" | "passes" | "raises" | "waits" | "answers" | "expired" | "after";
  /** Set when the rule speaks of other tools only. */
  readonly ofOthers?: true;
  /** Why it does not fit or cannot be evaluated; only in a full trace, and empty for one that fits. */
  readonly why: string;
}

/** Who made a verdict: a rule (or, where none fits, their absence), or a safety check, which only bypass passes. */
export type VerdictBy = "rule" | "safety";

/** What the rules say about one unit of a call. */
export interface UnitVerdict {
  /** The unit as text: the command, the path, the URL; the tool's name when it has no first argument. */
  readonly text: string;
  /**
   * `call` for a call that is one unit; `command` for one command of a line, `opaque` for what of a line cannot be known;
   * else what the call does besides.
   */
  readonly kind: "call" | "command" | "opaque" | "read" | "write" | "url";
  /** What the unit was reached through; null for the call itself. */
  readonly via: string | null;
  /** How deep it was reached: 0 for the call itself and for what stands in its line. */
  readonly depth: number;
  /** The tool whose rules were walked. */
  readonly tool: string;
  /** For a file of a command line: `open` when the line does not fix its path, `glob` when the text is a file name glob. */
  readonly path?: "fixed" | "open" | "glob";
  /** What the rules say. */
  readonly action: Action;
  /** Who says it. */
  readonly by: VerdictBy;
  /**
   * The rule that decided; for a safety check the one that could not be evaluated, or that asks about what cannot be known;
   * null when no rule fits.
   */
  readonly rule: Rule | null;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
  /** The walk, in the order of the rules: the candidates only, or every rule in a full trace. */
  readonly steps: readonly TraceStep[];
}

/** What the rules alone say about a call: the strictest of its units. */
export interface Verdict {
  /** The call. */
  readonly call: ToolCall;
  /** What they say. */
  readonly action: Action;
  /** Who says it. */
  readonly by: VerdictBy;
  /** The rule that decided the strictest unit; null when no rule fits. */
  readonly rule: Rule | null;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
  /** Every unit; at least one. The call itself, then what it does besides; for a command line, what it does in its order. */
  readonly units: readonly UnitVerdict[];
  /** What a person should know besides, one sentence each. */
  readonly warnings: readonly string[];
}
