import type { Action } from "../model/action.ts";
import type { Facts } from "../tools/facts.ts";
import type { Walked } from "./walk.ts";
import { whyNot } from "./why_not.ts";

const SAYS: Readonly<Record<Action, string>> = {
  allow: "allows it",
  deny: "denies it",
  ask: "asks about it",
};

/** Why a walk ended as it did, in one sentence without a final full stop. */
export function reasonFor(walked: Walked, facts: Facts): string {
  const { rule, entry } = walked;
  if (rule === null || entry === null) return "no rule fits";
  const name = `the ${rule.action} rule \`${rule.pattern}\``;
  if (walked.by === "safety") {
    return `${name} cannot be evaluated: ${whyNot(entry, facts)}`;
  }
  if (rule.action === "deny" && rule.reason !== undefined) return rule.reason;
  return `${name} ${SAYS[rule.action]}`;
}
