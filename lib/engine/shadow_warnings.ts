import type { Rule } from "../model/rule.ts";
import type { Policy } from "../policy/policy.ts";
import type { Facts } from "../tools/facts.ts";

/**
 * A project's files come with the clone: where their allow decides a call that a rule of the user denies or asks about,
 * the person is told.
 */
export function shadowWarnings(
  policy: Policy,
  { facts, rule }: { facts: Facts; rule: Rule | null },
): readonly string[] {
  if (rule?.action !== "allow" || rule.source.kind !== "project" && rule.source.kind !== "local") {
    return [];
  }
  const beaten = policy.candidates(facts).find((entry) =>
    entry.rule.index > rule.index && entry.rule.source.kind === "user" &&
    entry.rule.action !== "allow" && entry.matches(facts) !== "no"
  )?.rule;
  if (!beaten) return [];
  return [
    `the ${rule.source.kind} rule \`${rule.pattern}\` (${rule.source.path}:${rule.source.line}) allows what your ` +
    `${beaten.action} rule \`${beaten.pattern}\` (${beaten.source.path}:${beaten.source.line}) would not`,
  ];
}
