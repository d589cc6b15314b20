import type { Action } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import type { Request } from "../policy/compile/request.ts";
import type { RuleSet } from "../policy/compile/compiled_policy.ts";
import type { MatchTrace, SearchOptions } from "./first_match.ts";
import { whyNot } from "./why_not.ts";

/** The surroundings of an evaluation. */
export interface EvalContext {
  readonly rules: RuleSet;
  /** The call, or the effect of its command line that is evaluated. */
  readonly request: Request;
  /** The options of the whole evaluation. */
  readonly options: SearchOptions;
}

/** A unit's verdict, and the request that it answers. */
export interface UnitResult {
  readonly verdict: UnitVerdict;
  /** The request that the rules were matched with. */
  readonly request: Request;
  /** The rule that decided; null if none fits. */
  readonly rule: Rule | null;
}

/** The result of a unit's rules; without a `reason` the deciding rule is the reason. */
export function unitResult(
  trace: MatchTrace,
  { request, unit, reason }: {
    request: Request;
    unit: Pick<UnitVerdict, "text" | "kind" | "via"> & Partial<Pick<UnitVerdict, "depth" | "path">>;
    reason?: string;
  },
): UnitResult {
  const { action, by, rule, steps } = trace;
  const verdict: UnitVerdict = {
    text: unit.text,
    kind: unit.kind,
    via: unit.via,
    depth: unit.depth ?? 0,
    tool: request.call.tool,
    ...(unit.path === undefined ? {} : { path: unit.path }),
    action,
    by,
    rule,
    reason: reason ?? reasonFor(trace, request),
    steps,
  };
  return { verdict, request, rule };
}

const SAYS: Readonly<Record<Action, string>> = {
  allow: "allows it",
  deny: "denies it",
  ask: "asks about it",
};

/** The reason of an outcome, in one sentence without a final full stop. */
function reasonFor(trace: MatchTrace, request: Request): string {
  const { rule, toolRule } = trace;
  if (rule === null || toolRule === null) return "no rule matches";
  const name = `the ${rule.action} rule \`${rule.pattern}\``;
  if (trace.by === "safety") {
    return `${whyNot(toolRule, request)}, so ${name} cannot be evaluated`;
  }
  if (rule.action === "deny" && rule.reason !== undefined) return rule.reason;
  return `${name} ${SAYS[rule.action]}`;
}

/** True if a written rule with a specifier asks (`ask Bash:git push *`): acceptEdits and auto leave that question. */
export function asksBySpecifier({ action, rule }: UnitVerdict): boolean {
  if (action !== "ask" || rule?.action !== "ask" || rule.source.kind === "builtin") return false;
  const pattern = parsePattern(rule.pattern);
  return !pattern.ok || pattern.value.specifier !== undefined;
}

/**
 * True if a unit asks because it cannot be analysed, and not because a rule could not be evaluated: an allow rule that is
 * the very line, or one without a specifier, would answer it.
 */
export function asksAboutUnknown({ kind, action, by, steps }: UnitVerdict): boolean {
  if (kind !== "opaque" || action !== "ask" || by !== "safety") return false;
  return !steps.some(({ effect }) => effect === "raises");
}

/** A text on one line, cut to 60 UTF-16 code units. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
