import type { ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";

/**
 * Which calls an answer speaks of. `every call`: all that the rules tell apart. `plain commands`: for a parsed command line, single
 * commands of plain words that run and write nothing else (no `sudo`, no `/bin/rm`, no assignment, no option before a
 * sub-command, no second command). `plain paths`: files by their absolute path, without `.` and `..`, with no link on the way; a
 * search without a glob. `plain URLs`: http, https, ws, wss and ftp as the platform writes them, without `%` and fragment.
 */
export type Precision = "every call" | "plain commands" | "plain paths" | "plain URLs";

/** A question that the analysis cannot answer exactly. */
export interface Unknown {
  readonly kind: "unknown";
  /** Why, in one sentence without a final full stop. */
  readonly why: string;
}

/** Whether a rule ever decides. */
export type Reachability =
  /** It decides this call (a part of it). */
  | { readonly kind: "reached"; readonly witness: ToolCall }
  /** Earlier rules decide everything that it fits: a smallest set of them, in their order; with a call that it fits. */
  | {
    readonly kind: "shadowed";
    readonly by: readonly Rule[];
    readonly precision: Precision;
    readonly witness: ToolCall;
  }
  /** Its pattern fits no call. */
  | { readonly kind: "never" }
  | Unknown;

/** Whether a policy needs a rule. */
export type Redundancy =
  /** Without it this call has another verdict. */
  | { readonly kind: "needed"; readonly witness: ToolCall }
  /**
   * Without it these rules decide the same, in their order. `extent`: for which calls that is known; only with `every call`
   * may it be removed unasked.
   */
  | { readonly kind: "redundant"; readonly by: readonly Rule[]; readonly precision: Precision }
  | Unknown;

/** A group of calls whose verdict is another under a second policy. */
export interface Difference {
  /** A short call of the group; `evaluate()` gives it these verdicts. */
  readonly witness: ToolCall;
  /** What the first policy says, and which rule; null where none fits. */
  readonly was: { readonly action: "allow" | "deny" | "ask"; readonly rule: Rule | null };
  /** What the second says. */
  readonly now: { readonly action: "allow" | "deny" | "ask"; readonly rule: Rule | null };
}

/** A part of two policies that was not compared exactly. */
export interface Uncompared {
  /**
   * `tried`: many of such calls were compared, and those that differ are groups; `open`: they were not compared at all, or not
   * to the end, so that anything may differ there.
   */
  readonly kind: "tried" | "open";
  /** Which calls, and why, in one sentence without a final full stop. */
  readonly text: string;
}

/** How two policies differ. */
export interface Differences {
  /** Every group, one for each pair of rules that decide; loosening ones first. */
  readonly groups: readonly Difference[];
  /** What could not be compared exactly; empty when the answer is whole. */
  readonly unknown: readonly Uncompared[];
}

/** An earlier rule that decides some of the calls that a later one fits, and fits others that it does not. */
export interface PartialOverlap {
  /** The earlier rule. */
  readonly rule: Rule;
  /** A call that both fit, and that the earlier one decides. */
  readonly witness: ToolCall;
  /** A call that only the earlier one fits. */
  readonly beyond: ToolCall;
}

/** Exact answers about one policy. */
export interface Analysis {
  /** Whether the rule ever decides a call. */
  reachability(rule: Rule): Reachability;
  /** Whether some verdict depends on the rule. */
  redundancy(rule: Rule): Redundancy;
  /** Every other rule that fits exactly the same calls, in order. */
  equivalent(rule: Rule): readonly Rule[];
  /**
   * The earlier rules, of those that are asked about, which decide some of the rule's calls and are no exception to it, for
   * they fit others besides; each when the next is wanted. What would take too long is left out.
   */
  partialOverlaps(rule: Rule, isAsked: (earlier: Rule) => boolean): Iterable<PartialOverlap>;
}
