import type { Verdict } from "../model/verdict.ts";
import type { Policy } from "../policy/compile/policy.ts";

/**
 * Whether a call edits a file: by an editing tool, a redirection or an operand of its command line (`sed -i`, `cp`), that
 * no rule was asked about included.
 */
export function editsFiles(
  { call, units }: Pick<Verdict, "call" | "units">,
  policy: Policy,
): boolean {
  const { profiles } = policy;
  const edits = units.some(({ kind, tool }) =>
    kind === "write" || kind === "call" && profiles.get(tool).class === "edit"
  );
  if (edits) return true;
  const line = policy.line(policy.request(call));
  return line?.units.some(({ kind, unknownFileAccess }) =>
    kind === "write" || unknownFileAccess?.includes("write") === true
  ) ?? false;
}
