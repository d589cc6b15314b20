import type { UnitVerdict } from "../model/verdict.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";

/** True if a written rule with a specifier asks (`ask Bash:git push *`): acceptEdits and auto leave that question. */
export function asksBySpecifier({ action, rule }: UnitVerdict): boolean {
  if (action !== "ask" || rule?.action !== "ask" || rule.source.kind === "builtin") return false;
  const pattern = parsePattern(rule.pattern);
  return !pattern.ok || pattern.value.specifier !== undefined;
}
