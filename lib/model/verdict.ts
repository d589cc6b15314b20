import type { Action } from "./action.ts";
import type { ToolCall } from "./call.ts";
import type { Match } from "./match.ts";
import type { Rule } from "./rule.ts";

/** The part of one rule in a verdict. */
export interface TraceStep {
  /** The rule of this step, with its source. */
  readonly rule: Rule;
  /** Its match with the unit. */
  readonly match: Match;
  /**
   * `decides`: it decides the verdict. `passes`: it does not match. `raises`: it cannot be evaluated, so the verdict is at least
   * ask. `waits`: it matches, but an allow rule of its source only answers questions. `answers`: it answered the question.
   * `expired`: it does not count any more. `after`: it matches, but a rule before it decided.
   */
  readonly effect: "decides" | "passes" | "raises" | "waits" | "answers" | "expired" | "after";
  /** Set if the rule is about other tools only. */
  readonly ofOthers?: true;
  /** The reason why it does not match or cannot be evaluated; empty for a match, and outside of a full trace. */
  readonly why: string;
}

/** The origin of a verdict: a rule (or the absence of one), or a safety check, which only bypassPermissions skips. */
export type VerdictBy = "rule" | "safety";

/** The verdict of the rules on one unit of a call. */
export interface UnitVerdict {
  /** The command, path or URL; the tool's name if it has no first argument. */
  readonly text: string;
  /** `call`: the whole call. `command`: one command of a line. `opaque`: an unknown part. `read`, `write`, `url`: an access. */
  readonly kind: "call" | "command" | "opaque" | "read" | "write" | "url";
  /** The construct or program that the unit is reached through; null for the call itself. */
  readonly via: string | null;
  /** The number of such constructs and programs: 0 for the call itself and for commands of its line. */
  readonly depth: number;
  /** The tool whose rules decide. */
  readonly tool: string;
  /** For a file of a command line: `open` if the line does not fix its path, `glob` if the text is a file name glob. */
  readonly path?: "fixed" | "open" | "glob";
  /** The action of the rules. */
  readonly action: Action;
  /** The origin of the action. */
  readonly by: VerdictBy;
  /**
   * The rule that decided; for a safety check, the rule that cannot be evaluated or that asks about the unknown part; null if
   * no rule matches.
   */
  readonly rule: Rule | null;
  /** The reason, in one sentence without a final full stop. */
  readonly reason: string;
  /** The trace in the order of the rules: the candidates only, or every rule in a full trace. */
  readonly steps: readonly TraceStep[];
}

/** The verdict of the rules alone on a call: the strictest of its units. */
export interface Verdict {
  /** The call, with its whole input. */
  readonly call: ToolCall;
  /** The action of the rules. */
  readonly action: Action;
  /** The origin of the action. */
  readonly by: VerdictBy;
  /** The rule that decided the strictest unit; null if no rule matches. */
  readonly rule: Rule | null;
  /** The reason, in one sentence without a final full stop. */
  readonly reason: string;
  /** Every unit, at least one: the call itself, then its accesses; for a command line, its effects in their order. */
  readonly units: readonly UnitVerdict[];
  /** Warnings for people, one sentence each. */
  readonly warnings: readonly string[];
}
