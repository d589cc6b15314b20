import type { Rule } from "../model/rule.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import type { LintContext } from "./lint_context.ts";

/**
 * Whether nothing at all changes without a rule, so that it may be taken out unasked. Never said of a deny or ask about
 * files or URLs: that there is one makes operands of commands a question that the line does not fix (`rm "$f"`), even
 * where it never decides.
 */
export function isNeedless(
  rule: CompiledRule,
  { analysis, policy }: Pick<LintContext, "analysis" | "policy">,
): boolean {
  if (guardsOperands(rule, policy.profiles)) return false;
  const need = analysis.redundancy(rule);
  return need.kind === "redundant" && need.precision === "every call";
}

function guardsOperands(
  { action, parsed }: Pick<Rule, "action"> & Pick<CompiledRule, "parsed">,
  { known }: ToolProfiles,
): boolean {
  if (action === "allow") return false;
  return known.some(({ name, kind, searches }) =>
    (kind === "path" || kind === "url" || searches !== undefined) && matchGlob(parsed.tool, name)
  );
}
