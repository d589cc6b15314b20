import type { CommandLine } from "../shell/unit.ts";
import type { Rule } from "../model/rule.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import type { Policy } from "../policy/policy.ts";
import type { Facts } from "../tools/facts.ts";
import { reasonFor } from "./reason.ts";
import type { Walked, WalkOptions } from "./walk.ts";

/** What is being judged. */
export interface Judging {
  /** The policy. */
  readonly policy: Policy;
  /** The call. */
  readonly facts: Facts;
  /** Its command line. */
  readonly line: CommandLine;
  /** How walks are made. */
  readonly options: WalkOptions;
}

/** A unit's verdict, and the facts that it was reached with. */
export interface Judged {
  /** The verdict. */
  readonly verdict: UnitVerdict;
  /** What rules asked about. */
  readonly facts: Facts;
  /** The rule that decided. */
  readonly rule: Rule | null;
}

/** What a walk makes of a unit. */
export function judged(
  walked: Walked,
  { facts, unit, reason }: {
    facts: Facts;
    unit: Pick<UnitVerdict, "text" | "kind" | "via"> & Partial<Pick<UnitVerdict, "depth" | "path">>;
    reason?: string;
  },
): Judged {
  const { action, by, rule, steps } = walked;
  const verdict: UnitVerdict = {
    text: unit.text,
    kind: unit.kind,
    via: unit.via,
    depth: unit.depth ?? 0,
    tool: facts.call.tool,
    ...(unit.path === undefined ? {} : { path: unit.path }),
    action,
    by,
    rule,
    reason: reason ?? reasonFor(walked, facts),
    steps,
  };
  return { verdict, facts, rule };
}
