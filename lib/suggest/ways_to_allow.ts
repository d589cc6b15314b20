import { decide, type DecideOptions } from "../decide/decide.ts";
import { evaluateCall, type Evaluation } from "../decide/evaluate.ts";
import { managedMode, modeNamed } from "../decide/modes.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { singleQuoted } from "../text/quote.ts";
import { narrowPattern } from "./call_pattern.ts";
import { withFlagsFor } from "./policy_with_rules.ts";
import { suggestRules } from "./suggest_rules.ts";

/** Changes that would each allow a call that is denied because nobody can be asked. */
export interface WaysToAllow {
  /** The mode that allows it, if one does that is made for its class of tool. */
  readonly mode?: "acceptEdits";
  /** The patterns of allow rules that together allow it; empty if none do. */
  readonly patterns: readonly string[];
}

/** Options of `waysToAllow`. */
export interface WaysOptions extends Pick<DecideOptions, "mode"> {
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now?: number | undefined;
}

/** The most rules of a way; a longer one would not be read. */
const MOST_RULES = 3;

/** The changes that would allow a call that the rules ask about, each of them tried; none where a person must see it. */
export function waysToAllow(
  policy: CompiledPolicy,
  evaluation: Evaluation,
  { mode, now }: WaysOptions,
): WaysToAllow {
  const { request, verdict } = evaluation;
  if (verdict.action !== "ask" || verdict.by === "safety") return { patterns: [] };
  const acceptEdits = modeNamed("acceptEdits");
  const isEdit = acceptEdits !== undefined && managedMode(policy.settings) === undefined &&
    decide(policy, evaluation, { mode: acceptEdits }).decision === "allow";
  const isEnough = (patterns: readonly string[]) => {
    const rules = patterns.map((pattern) => ({ pattern, action: "allow" } as const));
    const changed = withFlagsFor(policy, { rules, verdict });
    if (changed === undefined) return false;
    const after = evaluateCall(changed, verdict.call, now === undefined ? {} : { now });
    return decide(changed, after, { mode }).decision === "allow";
  };
  const narrow = narrowPattern(request);
  const patterns = [
    suggestRules(policy, evaluation).map(({ pattern }) => pattern),
    narrow === undefined ? [] : [narrow],
  ].find((each) => each.length > 0 && each.length <= MOST_RULES && isEnough(each)) ?? [];
  return { ...(isEdit ? { mode: "acceptEdits" } : {}), patterns };
}

/**
 * The ways as flags of the command line (`--permission-mode acceptEdits or --allow 'Bash(git push:*)'`), or in words for a
 * model; undefined if there is none, or a pattern has characters that a shell and a reader would not read alike.
 */
export function waysText(
  { mode, patterns }: WaysToAllow,
  form: "flags" | "words",
): string | undefined {
  const ways = form === "flags"
    ? [
      ...(mode === undefined ? [] : [`--permission-mode ${mode}`]),
      ...(patterns.length > 0 && patterns.every(isSafeInSingleQuotes)
        ? [patterns.map((pattern) => `--allow ${singleQuoted(pattern)}`).join(" ")]
        : []),
    ]
    : [
      ...(mode === undefined ? [] : [`the mode ${mode}`]),
      ...(patterns.length === 0 ? [] : [
        `the ${patterns.length === 1 ? "rule" : "rules"} ${
          patterns.map((pattern) => `\`allow ${pattern}\``).join(" and ")
        }`,
      ]),
    ];
  return ways.length === 0 ? undefined : ways.join(" or ");
}

/** The decision with the ways in its reason. */
export function withWays(decision: Decision, ways: string | undefined): Decision {
  if (ways === undefined) return decision;
  return { ...decision, reason: `${decision.reason}; ${ways} would allow it` };
}

/** Decides a call. If it is denied because nobody can be asked, the reason names the flags that would allow it. */
export function decideCall(
  policy: CompiledPolicy,
  call: ToolCall,
  options: DecideOptions & { readonly now: number },
): Decision {
  const evaluation = evaluateCall(policy, call, { now: options.now });
  const decision = decide(policy, evaluation, options);
  if (decision.decidedBy !== "headless") return decision;
  return withWays(decision, waysText(waysToAllow(policy, evaluation, options), "flags"));
}

/** True if the text between single quotes is the same for a shell and a reader. */
function isSafeInSingleQuotes(pattern: string): boolean {
  return !/['\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u.test(pattern);
}
