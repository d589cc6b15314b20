import type { Action, ToolCall } from "../../../lib/model/call.ts";
import type { Decision, UnitDecision } from "../../../lib/model/verdict.ts";
import type { Rule } from "../../../lib/model/rule.ts";

/** A unit as a test writes it. */
export interface TestUnit {
  /** Its text. */
  readonly text: string;
  /** Its decision; `ask` when left out. */
  readonly decision?: Action;
  /** Its kind; `command` when left out. */
  readonly kind?: UnitDecision["kind"];
  /** Its rule; `RULE` when left out. */
  readonly rule?: Rule | null;
  /** The classes of its command; none when left out. */
  readonly classes?: UnitDecision["classes"];
}

/** A rule of a project. */
export const RULE: Rule = {
  pattern: "Bash:git *",
  action: "ask",
  index: 0,
  source: { kind: "project", path: "/w/.caliban/permissions.toml", line: 4, column: 1 },
};

/** A decision about a call, made by hand: the call itself is the first unit, and the others follow. */
export function decisionOf(
  call: ToolCall,
  units: readonly TestUnit[] = [{ text: call.tool, kind: "call" }],
): Decision {
  const made = units.map((
    { text, decision = "ask", kind = "command", rule = RULE, classes = [] },
  ) => ({
    text,
    kind,
    via: null,
    depth: 0,
    tool: call.tool,
    action: decision,
    by: "rule",
    rule,
    reason: "the rule says so",
    steps: [],
    classes,
    decision,
    decidedBy: "rule",
  } satisfies UnitDecision));
  const [first] = made;
  const action = first?.decision ?? "ask";
  const rule = first?.rule ?? null;
  const reason = "the rule says so";
  return {
    verdict: { call, action, by: "rule", rule, reason, units: made, warnings: [] },
    decision: action,
    mode: "default",
    decidedBy: "rule",
    reason,
    units: made,
    warnings: [],
  };
}
