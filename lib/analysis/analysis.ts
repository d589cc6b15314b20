import type { ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";

/**
 * The calls that an answer holds for. `every call`: all that the rules tell apart. `plain commands`: for a parsed command line, single
 * commands of plain words that run and write nothing else (no `sudo`, no `/bin/rm`, no assignment, no option before a
 * sub-command, no second command). `plain paths`: files by their absolute path, without `.` and `..`, with no link on the way; a
 * search without a glob. `plain URLs`: http, https, ws, wss and ftp as the platform writes them, without `%` and fragment.
 */
export type Precision = "every call" | "plain commands" | "plain paths" | "plain URLs";

/** A question that the analysis cannot answer exactly. */
export interface Unknown {
  readonly kind: "unknown";
  /** The reason, one sentence without a final full stop. */
  readonly why: string;
}

/** The answer to the question if a rule ever decides a call. */
export type Reachability =
  /** It decides this call, or a part of it. */
  | { readonly kind: "reached"; readonly witness: ToolCall }
  /** Earlier rules decide every call that it fits: a smallest set of them, in order, and a call that it fits. */
  | {
    readonly kind: "shadowed";
    readonly by: readonly Rule[];
    readonly precision: Precision;
    readonly witness: ToolCall;
  }
  /** Its pattern fits no call. */
  | { readonly kind: "never" }
  | Unknown;

/** The answer to the question if some verdict depends on a rule. */
export type Redundancy =
  /** Without the rule this call has another verdict. */
  | { readonly kind: "needed"; readonly witness: ToolCall }
  /**
   * Without the rule these rules decide the same, in their order. `precision`: the calls for which that is known; only with
   * `every call` is it safe to remove the rule.
   */
  | { readonly kind: "redundant"; readonly by: readonly Rule[]; readonly precision: Precision }
  | Unknown;

/** A group of calls whose verdict is another under a second policy. */
export interface Difference {
  /** A short call of the group; `evaluate()` gives it these verdicts. */
  readonly witness: ToolCall;
  /** The first policy's verdict and the rule that decides; null if none fits. */
  readonly was: { readonly action: "allow" | "deny" | "ask"; readonly rule: Rule | null };
  /** The same of the second policy. */
  readonly now: { readonly action: "allow" | "deny" | "ask"; readonly rule: Rule | null };
}

/** A part of two policies that was not compared exactly. */
export interface Uncompared {
  /**
   * `tried`: many such calls were compared, and those that differ are groups; `open`: they were not compared, or not completely,
   * so that anything may differ there.
   */
  readonly kind: "tried" | "open";
  /** The calls and the reason, one sentence without a final full stop. */
  readonly text: string;
}

/** The calls that two policies decide differently. */
export interface Differences {
  /** Every group, one for each pair of rules that decide and each rule that makes calls a safety check; loosening ones first. */
  readonly groups: readonly Difference[];
  /** Parts that could not be compared exactly; empty if the answer is complete. */
  readonly unknown: readonly Uncompared[];
}

/** An earlier rule that decides some of a later rule's calls, and also fits calls that the later one does not. */
export interface PartialOverlap {
  /** The earlier rule. */
  readonly rule: Rule;
  /** A call that both fit and the earlier rule decides. */
  readonly witness: ToolCall;
  /** A call that only the earlier rule fits. */
  readonly beyond: ToolCall;
}

/** Exact answers about one policy. */
export interface Analysis {
  /** The policy's verdict, as `evaluate` gives it; faster, with what the other questions need too. */
  evaluate(call: ToolCall): Verdict;
  /** Finds a call that the rule decides, or the rules that shadow it. */
  reachability(rule: Rule): Reachability;
  /** Finds a call whose verdict depends on the rule, or the rules that replace it. */
  redundancy(rule: Rule): Redundancy;
  /** Every other rule that fits exactly the same calls, in order. */
  equivalent(rule: Rule): readonly Rule[];
  /**
   * Finds the earlier rules, among those that `isAsked` selects, that decide some of the rule's calls and are no exception to
   * it, since they fit other calls too. Lazy; skips searches that would take too long.
   */
  partialOverlaps(rule: Rule, isAsked: (earlier: Rule) => boolean): Iterable<PartialOverlap>;
}
