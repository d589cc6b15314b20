import type { TraceStep } from "../../model/verdict.ts";
import { ANY, bitsOf } from "./beginnings.ts";
import type { ToolRule } from "./compiled_policy.ts";

/** The rules of a tool that has so few that each is tried. */
export interface FewRules {
  /** For each the bits with which the parts of lines begin that it may match. */
  readonly begins: readonly number[];
  /** For each the step of a trace in which it does not match; the same one in every trace. */
  readonly passing: readonly TraceStep[];
}

const known = new WeakMap<readonly ToolRule[], FewRules>();

/** What is known of a list of few rules; undefined for any other list. */
export function fewRules(toolRules: readonly ToolRule[]): FewRules | undefined {
  return known.get(toolRules);
}

/** Notes that a list is asked about again and again. */
export function noteFewRules(toolRules: readonly ToolRule[]): void {
  const begins = toolRules.map((each) =>
    // The step of a rule that ends may be another.
    each.rule.expiresAt === undefined ? bitsOf(each) : ANY
  );
  const passing = toolRules.map(({ rule }): TraceStep =>
    Object.freeze({ rule, match: "no", effect: "passes", why: "" })
  );
  known.set(toolRules, { begins, passing });
}
