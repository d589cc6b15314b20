import type { ToolRule } from "../../policy/compile/compiled_policy.ts";
import { expired } from "../first_match.ts";
import type { EvalContext } from "../unit_result.ts";

/** The first of the written rules that denies or asks about files, where that never ends; null for none. */
const lasting = new WeakMap<readonly ToolRule[], ToolRule | null>();

/** The first of the written rules that may object to a file now. */
export function objectorAmong(
  written: readonly ToolRule[],
  { rules: { settings }, options: { now } }: EvalContext,
): ToolRule | undefined {
  const known = lasting.get(written);
  if (known !== undefined) return known ?? undefined;
  const first = written.find(mayObject);
  if (first?.rule.expiresAt === undefined) {
    lasting.set(written, first ?? null);
    return first;
  }
  return written.find((each) => mayObject(each) && !expired(each.rule, { settings, now }));
}

function mayObject({ rule, specifier }: ToolRule): boolean {
  return rule.action !== "allow" && specifier !== undefined;
}

/** The rules that are not built in; mostly all are written. */
export function writtenAmong(rules: readonly ToolRule[]): readonly ToolRule[] {
  const isWritten = ({ rule }: ToolRule) => rule.source.kind !== "builtin";
  for (const each of rules) if (!isWritten(each)) return rules.filter(isWritten);
  return rules;
}
