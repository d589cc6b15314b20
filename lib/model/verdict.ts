import type { Action, CommandClass, ModeName, ToolCall } from "./call.ts";
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
   * `holds`: it asks, but an untrusted workspace's ask leaves a stricter answer to the rules below. `expired`: it does not count any more. `after`: it matches, but a rule before it decided.
   */
  readonly effect:
    | "decides"
    | "passes"
    | "raises"
    | "waits"
    | "answers"
    | "holds"
    | "expired"
    | "after";
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
  /**
   * For a file of a command line: `open` if the line does not fix its path, `glob` if the text is a file name glob, `below` for
   * any file below the folder.
   */
  readonly path?: "fixed" | "open" | "glob" | "below";
  /** The classes of a part of a command line, by what it does; empty for a call without one. Computed when they are first read. */
  readonly classes: readonly CommandClass[];
  /** The action of the rules. */
  readonly action: Action;
  /** The origin of the action. */
  readonly by: VerdictBy;
  /**
   * The rule that decided; for a safety check, the rule that cannot be evaluated or that asks about the unknown part; null if
   * no rule matches.
   */
  readonly rule: Rule | null;
  /** Set for a safety check on code of the line that names nothing which a written deny or ask rule names: to a hook, an ordinary question. */
  readonly isOrdinaryCode?: true;
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

/** The origin of a decision. */
export type DecidedBy =
  | "rule"
  | "safety"
  | "mode"
  | "bypass"
  | "disabled"
  | "headless"
  | "auto-allow"
  | "static-rule"
  | "classifier"
  | "cache"
  | "fallback"
  | "hook"
  | "tool"
  | "ask";

/** A unit's verdict with the decision of the mode. */
export interface UnitDecision extends UnitVerdict {
  /** The verdict, or the action that the mode replaces it by. */
  readonly decision: Action;
  /** The origin of the decision. */
  readonly decidedBy: DecidedBy;
  /** The safety check that stops it under any rules, in one sentence; absent if there is none. */
  readonly check?: string;
}

/** The decision on a call. */
export interface Decision {
  /** The verdict of the rules alone. */
  readonly verdict: Verdict;
  /** The strictest decision of the units. */
  readonly decision: Action;
  /** The mode, or `disabled`. */
  readonly mode: ModeName | "disabled";
  /** The origin of the decision. */
  readonly decidedBy: DecidedBy;
  /** The reason, in one sentence without a final full stop. */
  readonly reason: string;
  /** Every unit of the verdict in its order, then accesses to protected files that no rule has decided. */
  readonly units: readonly UnitDecision[];
  /** Set for an ask that hooks leave to the agent (`unmatched = "agent"`). */
  readonly leftToAgent?: true;
  /** The opinion of auto mode, in one sentence; absent if it was not asked. */
  readonly opinion?: string;
  /** Warnings for people, one sentence each. */
  readonly warnings: readonly string[];
}

/** The destination of an “always” rule: the memory of this run, or the file of that name. */
export type AskScope = "session" | "project" | "user" | "local";

/** The possible answers of a person. */
export type AskKind = "allow-once" | "allow-always" | "deny-once" | "deny-always";

/** A file of a call that is another one than is written, or may be, or that is outside of the workspace. */
export interface CallFile {
  /** As written. */
  readonly text: string;
  /** The absolute path that links lead to, if it is another. */
  readonly real?: string;
  /** Set if its links cannot be followed. */
  readonly isUnknown?: true;
  /** Set if it is, or may be, outside of the workspace. */
  readonly isOutside?: true;
}

/** The places that a call is about, as they were when it was evaluated. */
export interface CallPlaces {
  /** The absolute path of the workspace. */
  readonly workspace: string;
  /** The folder that the call runs in: `text` is its absolute path. */
  readonly folder: CallFile;
  /** The files that the call names and that are not simply the ones written, each once, in their order. */
  readonly files: readonly CallFile[];
  /** All of it in one text, with every file: another one as soon as a link leads elsewhere. */
  readonly fingerprint: string;
}

/** A question to a person about a call. */
export interface AskQuestion {
  /** The tool call as it would run. */
  readonly call: ToolCall;
  /** The decision so far: every unit, and the reason of the question. */
  readonly decision: Decision;
  /** The workspace, the folder of the call, and its files behind links and outside of the workspace; absent if unknown. */
  readonly places?: CallPlaces;
  /** A suggested pattern for “always”, which the person can change; absent if no pattern is useful. */
  readonly suggestion?: string;
  /** Instead of `suggestion`, for a compound command line: one pattern for each unit that needs a rule. */
  readonly suggestions?: readonly string[];
  /** The rule for the class of all that asks, `Bash(@read)`; absent where none answers it. Broader than what is suggested. */
  readonly classRule?: {
    /** Its pattern. */
    readonly pattern: string;
    /** Other commands that it would allow, and that are asked about without it; at least one. */
    readonly also: readonly string[];
  };
  /** The comment of the rule that asks, if that is not the decision's own rule. */
  readonly comment?: string;
  /** A further reason of the question: a classifier's, a hook's. */
  readonly reason?: string;
  /** The possible destinations of a rule, the default first; empty if none can be kept. */
  readonly scopes: readonly AskScope[];
}

/** A person's answer. The gate that asked keeps the rules. */
export interface AskAnswer {
  /** Allow or deny, once or always. */
  readonly kind: AskKind;
  /** For “always”: the pattern, the first of them where there are several. */
  readonly pattern?: string;
  /** For “always”: all patterns, one rule each; present if and only if `pattern` is. */
  readonly patterns?: readonly string[];
  /** For “always”: the destination of the rules. */
  readonly scope?: AskScope;
  /** The person's text: the comment of the rule, or, with a deny, the reason for the model. */
  readonly comment?: string;
}

/** Asks a person. */
export interface AskHandler {
  /** Resolves to the answer: `deny-once` if no person can answer, the person cancels or `signal` aborts. Never rejects. */
  ask(question: AskQuestion, options: { readonly signal?: AbortSignal }): Promise<AskAnswer>;
}

/**
 * The result of a pattern on a call. `indeterminate`: the pattern cannot be evaluated, since an argument is missing, not a
 * string, or malformed; never taken for `yes` in an allow rule, nor for `no` in a deny or ask rule.
 */
export type Match = "yes" | "no" | "indeterminate";

/** Conjunction: `no` beats `indeterminate` beats `yes`; `yes` for an empty list. */
export function all(matches: readonly Match[]): Match {
  if (matches.includes("no")) return "no";
  return matches.includes("indeterminate") ? "indeterminate" : "yes";
}

/** Disjunction: `yes` beats `indeterminate` beats `no`; `no` for an empty list. */
export function any(matches: readonly Match[]): Match {
  if (matches.includes("yes")) return "yes";
  return matches.includes("indeterminate") ? "indeterminate" : "no";
}

/** Negation; `indeterminate` stays. */
export function negated(match: Match): Match {
  switch (match) {
    case "yes":
      return "no";
    case "no":
      return "yes";
    case "indeterminate":
      return "indeterminate";
  }
}

/** `yes` for true, `no` for false. */
export function fromBoolean(isMatch: boolean): Match {
  return isMatch ? "yes" : "no";
}
