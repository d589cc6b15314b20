import { createAnalysis } from "../../analysis/create_analysis.ts";
import type { Rule } from "../../model/rule.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { visible } from "../../text/visible.ts";

/** Warnings about rule flags that can never decide, since flags before them that say otherwise always do. */
export function deadFlags(
  policy: CompiledPolicy,
  { now }: { readonly now: number },
): readonly string[] {
  const analysis = createAnalysis(policy, { now });
  return policy.rules.filter(isFlag).flatMap((rule) => {
    const found = analysis.reachability(rule);
    if (found.kind !== "shadowed") return [];
    const { by } = found;
    if (!by.every(isFlag) || by.every(({ action }) => action === rule.action)) return [];
    const names = by.map(nameOf).join(" and ");
    return [`${nameOf(rule)} never decides: ${names} before it ${by.length === 1 ? "does" : "do"}`];
  });
}

function isFlag({ source }: Rule): boolean {
  return source.kind === "cli";
}

function nameOf({ action, pattern }: Rule): string {
  return `--${action} "${visible(pattern)}"`;
}
