import type { UnitVerdict } from "../../model/verdict.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";

/** Whether a written rule with a spec asks (`ask Bash:git push *`): such a question outlasts acceptEdits and auto. */
export function asksBySpec({ action, rule }: UnitVerdict): boolean {
  if (action !== "ask" || rule?.action !== "ask" || rule.source.kind === "builtin") return false;
  const pattern = parsePattern(rule.pattern);
  return !pattern.ok || pattern.value.specifier !== undefined;
}
